import './webhooks.css'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { useAppId } from '../shell/place.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Json } from '../ui/json.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { statusOf } from './delivery-queries.ts'
import { Fact } from './endpoint-page.tsx'
import { endpointQuery, failureWords, webhooksKey } from './endpoint-queries.ts'

type Delivery = Schemas['AppWebhookDeliveryWithPayload']
type Attempt = Delivery['attributes']['attempts'][number]

const PENDING_READ_EVERY_MS = 2_000

const deliveryQuery = (app_id: string, delivery_id: string) =>
  queryOptions({
    queryKey: [...webhooksKey(app_id), 'deliveries', delivery_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, delivery_id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}', { signal, params })))
        .data
    },
    refetchInterval: ({ state }) => (state.data?.attributes.status === 'pending' ? PENDING_READ_EVERY_MS : false),
  })

/** Shows one delivery: why it failed, each attempt with its response, and the payload. */
export function DeliveryPage() {
  const appId = useAppId() ?? ''
  const { deliveryId = '' }: { deliveryId?: string } = useParams({ strict: false })
  const { data: delivery } = useSuspenseQuery(deliveryQuery(appId, deliveryId))
  const { data: endpoint } = useQuery(endpointQuery(appId, delivery.attributes.endpoint_id))
  const { event, event_id, endpoint_id, installation_id, created_at, next_attempt_at, redelivery_of, attempts } =
    delivery.attributes
  return (
    <Page
      title={event ?? 'Delivery'}
      crumbs={[
        { label: 'Webhooks', to: `/apps/${appId}/webhooks` },
        { label: 'Deliveries', to: `/apps/${appId}/webhooks/deliveries` },
      ]}
      status={<StatusBadge status={statusOf(delivery.attributes)} />}
      actions={<Redelivery key={delivery.id} appId={appId} delivery={delivery} />}
    >
      <Outcome appId={appId} delivery={delivery} />
      <Panel title="Delivery">
        <dl className="facts">
          <Fact name="Delivery id">
            <CopyText value={delivery.id} label="Copy the delivery id" />
          </Fact>
          <Fact name="Event">
            <Link to={`/apps/${appId}/events/${event_id}`}>{event_id}</Link>
          </Fact>
          <Fact name="Endpoint">
            <Link to={`/apps/${appId}/webhooks/${endpoint_id}`}>{endpoint?.attributes.url ?? endpoint_id}</Link>
          </Fact>
          {installation_id !== null && (
            <Fact name="Installation">
              <CopyText value={installation_id} label="Copy the installation id" />
            </Fact>
          )}
          <Fact name="Created">
            <Time at={created_at} /> <span className="hint">{created_at}</span>
          </Fact>
          {next_attempt_at !== null && (
            <Fact name="Next attempt">
              <Time at={next_attempt_at} />
            </Fact>
          )}
          {redelivery_of !== null && (
            <Fact name="Repeats">
              <Link to={`/apps/${appId}/webhooks/deliveries/${redelivery_of}`}>{redelivery_of}</Link>
            </Fact>
          )}
        </dl>
      </Panel>
      <Panel title="Attempts">
        {attempts.length === 0 && <p className="hint">No attempt has been made yet.</p>}
        <ol className="attempts">
          {attempts.toReversed().map((attempt, index) => (
            <li key={attempt.at}>
              <AttemptView attempt={attempt} number={attempts.length - index} />
            </li>
          ))}
        </ol>
      </Panel>
      <PayloadPanel delivery={delivery} />
    </Page>
  )
}

function Outcome({ appId, delivery }: { readonly appId: string; readonly delivery: Delivery }) {
  const { status, reason, attempts, endpoint_id } = delivery.attributes
  const last = attempts.at(-1)
  if (status === 'canceled') {
    return <p className="notice warning">This delivery was canceled: {reason?.replaceAll('_', ' ')}.</p>
  }
  if (status === 'delivered' || last === undefined) return null
  return (
    <div className="notice danger">
      <p>
        {failureWords(last.response_code, last.error)}{' '}
        {status === 'exhausted' ? 'There are no more automatic attempts.' : 'The delivery is tried again.'}{' '}
        <Link to={`/apps/${appId}/webhooks/${endpoint_id}`}>Open the endpoint</Link>
      </p>
    </div>
  )
}

function Redelivery({ appId, delivery }: { readonly appId: string; readonly delivery: Delivery }) {
  const router = useRouter()
  const isPending = delivery.attributes.status === 'pending'
  const redelivering = useAction({
    run: async () => {
      const params = { path: { app_id: appId, delivery_id: delivery.id } }
      const path = '/portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}/redeliver'
      return (await read(client.POST(path, { params }))).data
    },
    done: isPending ? 'The delivery is sent now' : 'The event is sent again, as a new delivery',
    changes: [webhooksKey(appId)],
    onDone: ({ id }) => {
      // A person who has opened another page in the meantime stays there.
      if (!router.state.location.pathname.endsWith(`/${delivery.id}`)) return
      void router.navigate({ to: `/apps/${appId}/webhooks/deliveries/${id}` })
    },
  })
  return (
    <>
      <Button variant="primary" onPress={() => redelivering.mutate(undefined)} isDisabled={redelivering.isPending}>
        {isPending ? 'Send now' : 'Redeliver'}
      </Button>
      <ActionError error={redelivering.error} />
    </>
  )
}

function AttemptView({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) {
  const { at, response_code, error, duration_ms, response } = attempt
  const isSuccess = response_code !== null && response_code >= 200 && response_code < 300
  return (
    <div className="attempt">
      <div className="attempt-head">
        <strong>Attempt {number}</strong>
        <Badge tone={isSuccess ? 'good' : 'danger'}>{response_code ?? error ?? 'failed'}</Badge>
        <span className="hint">
          <Time at={at} />, {duration_ms.toLocaleString('en')} ms
        </span>
      </div>
      {!isSuccess && <p>{failureWords(response_code, error)}</p>}
      {response !== null && response !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by the keyboard
        <section className="response" tabIndex={0} aria-label={`Response to attempt ${number}`}>
          <code>{response}</code>
        </section>
      )}
    </div>
  )
}

function PayloadPanel({ delivery }: { readonly delivery: Delivery }) {
  const { payload, payload_reason } = delivery.attributes
  return (
    <Panel
      title="Payload"
      hint="The payload that would be sent now, with the rights that the installation has now. We store no payloads."
    >
      {payload === null ? (
        <p>Nothing would be sent: {payload_reason?.replaceAll('_', ' ') ?? 'the event is no longer stored'}.</p>
      ) : (
        <Json value={payload} label="Payload" />
      )}
    </Panel>
  )
}
