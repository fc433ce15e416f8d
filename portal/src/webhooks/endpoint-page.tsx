import './webhooks.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, read } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { useAppId } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import { percent } from './endpoint-list.tsx'
import {
  type Endpoint,
  type EndpointProps,
  endpointQuery,
  healthOf,
  successOf,
  webhooksKey,
} from './endpoint-queries.ts'
import { EventPicker } from './event-picker.tsx'
import { resultWords, sendFiltered } from './redeliver-many.tsx'
import { DeletionPanel, SecretPanel } from './secret-and-deletion.tsx'
import { ReplayPanel, TestPanel } from './test-and-replay.tsx'

export function EndpointPage() {
  const appId = useAppId() ?? ''
  const { endpointId = '' }: { endpointId?: string } = useParams({ strict: false })
  const { data: endpoint } = useSuspenseQuery(endpointQuery(appId, endpointId))
  const { url, mode, events } = endpoint.attributes
  return (
    <Page
      title={new URL(url).host}
      crumbs={[{ label: 'Webhooks', to: `/apps/${appId}/webhooks` }]}
      status={<StatusBadge status={healthOf(endpoint.attributes)} />}
      lead={<CopyText value={url} label="Copy the URL" />}
    >
      <StateNotice appId={appId} endpoint={endpoint} />
      <HealthPanel appId={appId} endpoint={endpoint} />
      <TestPanel appId={appId} endpoint={endpoint} />
      <ReplayPanel key={`${mode}/${endpoint.id}`} appId={appId} endpoint={endpoint} />
      <SettingsPanel key={`${url} ${events.join()}`} appId={appId} endpoint={endpoint} />
      <SecretPanel appId={appId} endpoint={endpoint} />
      <DeletionPanel appId={appId} endpoint={endpoint} />
    </Page>
  )
}

const DISABLED_BECAUSE = {
  failing: 'No delivery to it succeeded for five days. Its events wait for 90 days.',
  gone: 'Your endpoint answered 410 Gone. Its events wait for 90 days.',
  installation_revoked: 'It belonged to an installation that has ended, so it cannot be enabled again.',
} as const

function StateNotice({ appId, endpoint }: EndpointProps) {
  const { enabled, disabled_reason, failing_since, last_delivery_status } = endpoint.attributes
  const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
  const enabling = useAction({
    run: () => read(client.POST('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/reenable', { params })),
    done: 'The endpoint is enabled. Waiting deliveries are sent, oldest first.',
    changes: [webhooksKey(appId)],
  })
  if (enabled && failing_since === null) return null
  if (enabled) {
    return (
      <div className="notice warning">
        <p>
          Deliveries have failed since <Time at={failing_since ?? ''} />. The last result is {last_delivery_status}.{' '}
          <Link to={`/apps/${appId}/webhooks/deliveries`} search={{ endpoint: endpoint.id, status: 'pending' }}>
            See why
          </Link>
        </p>
        <SendWaiting appId={appId} endpoint={endpoint} />
      </div>
    )
  }
  return (
    <div className="notice danger">
      <p>This endpoint is disabled. {disabled_reason !== null && DISABLED_BECAUSE[disabled_reason]}</p>
      {disabled_reason !== 'installation_revoked' && (
        <p>
          <Button onPress={() => enabling.mutate(undefined)} isDisabled={enabling.isPending}>
            Enable
          </Button>
        </p>
      )}
      <ActionError error={enabling.error} />
    </div>
  )
}

/** A button that sends waiting deliveries at once. After a repair a person needs it, because a replay leaves these deliveries out. */
function SendWaiting({ appId, endpoint }: EndpointProps) {
  const { waiting } = endpoint.attributes.health
  const sending = useAction({
    run: () => sendFiltered(appId, { mode: endpoint.attributes.mode, endpoint_id: endpoint.id, status: 'pending' }),
    changes: [webhooksKey(appId)],
    onDone: (result) => showToast(resultWords(result)),
  })
  if (waiting === 0) return null
  return (
    <p>
      When your endpoint works again:{' '}
      <Button onPress={() => sending.mutate(undefined)} isDisabled={sending.isPending}>
        {waiting === 1
          ? 'Send the waiting delivery now'
          : `Send ${waiting.toLocaleString('en')} waiting deliveries now`}
      </Button>
      <ActionError error={sending.error} />
    </p>
  )
}

function HealthPanel({ appId, endpoint }: EndpointProps) {
  const { health, installation_id, mode } = endpoint.attributes
  const { last_success_at, last_failure_at, waiting } = health
  const { delivered, total, rate } = successOf(endpoint.attributes)
  return (
    <Panel
      title="Health"
      actions={
        <Link to={`/apps/${appId}/webhooks/deliveries`} search={{ endpoint: endpoint.id }}>
          Deliveries to this endpoint
        </Link>
      }
    >
      <dl className="facts">
        <Fact name="Success">
          {percent(rate)}
          {total > 0 && (
            <span className="hint">
              {' '}
              {delivered.toLocaleString('en')} of the newest {total.toLocaleString('en')}
            </span>
          )}
        </Fact>
        <Fact name="Waiting">{waiting.toLocaleString('en')}</Fact>
        <Fact name="Last success">{last_success_at === null ? 'None' : <Time at={last_success_at} />}</Fact>
        <Fact name="Last failure">{last_failure_at === null ? 'None' : <Time at={last_failure_at} />}</Fact>
        <Fact name="Mode">{mode === 'test' ? 'Test' : 'Live'}</Fact>
        <Fact name="Receives">
          {installation_id === null ? (
            'Events of all installations of the app'
          ) : (
            <CopyText value={installation_id} label="Copy the installation id" />
          )}
        </Fact>
        <Fact name="Endpoint id">
          <CopyText value={endpoint.id} label="Copy the endpoint id" />
        </Fact>
      </dl>
    </Panel>
  )
}

export function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SettingsPanel({ appId, endpoint }: EndpointProps) {
  const [url, setUrl] = useState(endpoint.attributes.url)
  const [events, setEvents] = useState<Endpoint['attributes']['events']>(endpoint.attributes.events)
  const saving = useAction({
    run: () => {
      const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
      const body = { url: url.trim(), events }
      return read(client.PATCH('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}', { params, body }))
    },
    done: 'The endpoint is saved',
    changes: [webhooksKey(appId)],
  })
  const fields = saving.error instanceof ApiFailure ? saving.error.fieldErrors() : {}
  return (
    <Panel title="URL and events" hint="If you remove an event, its waiting deliveries are not sent either.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (events.length > 0) saving.mutate(undefined)
        }}
      >
        <TextField label="URL" type="url" value={url} onChange={setUrl} error={fields['url']} mono />
        <EventPicker value={events} onChange={(chosen) => setEvents([...chosen])} error={fields['events']} />
        {Object.keys(fields).length === 0 && <ActionError error={saving.error} />}
        <div className="form-actions">
          <Button
            type="submit"
            variant="primary"
            isDisabled={saving.isPending || url.trim() === '' || events.length === 0}
          >
            Save
          </Button>
        </div>
      </form>
    </Panel>
  )
}
