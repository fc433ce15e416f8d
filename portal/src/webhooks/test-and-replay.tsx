import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read } from '../api/client.ts'
import { EVENT_NAMES, type EventName } from '../api/event-names.ts'
import { useAction } from '../api/use-action.ts'
import { chosenOf } from '../shell/filters.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { TimeFilter } from '../ui/filter-bar.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { type EndpointProps, failureWords, webhooksKey } from './endpoint-queries.ts'

export function TestPanel({ appId, endpoint }: EndpointProps) {
  const covered = EVENT_NAMES.filter((name) => isCovered(endpoint.attributes.events, name))
  const [event, setEvent] = useState<EventName | undefined>(covered[0])
  const testing = useAction({
    run: () => {
      const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
      const body = event === undefined ? {} : { event }
      return read(client.POST('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/test', { params, body }))
    },
    changes: [],
  })
  const result = testing.data
  return (
    <Panel title="Send a test" hint="Sends a signed example now. The example is not recorded. A rate limit applies.">
      <div className="inline-form">
        <SelectField
          label="Event"
          value={event ?? ''}
          onChange={(name) => setEvent(chosenOf(EVENT_NAMES, name))}
          options={covered.map((name) => ({ value: name, label: name }))}
        />
        <Button onPress={() => testing.mutate(undefined)} isDisabled={testing.isPending}>
          {testing.isPending ? 'Sending' : 'Send the test'}
        </Button>
      </div>
      <ActionError error={testing.error} />
      {result !== undefined && !testing.isPending && (
        <div className="test-result" role="status">
          <p>
            <Badge tone={result.data.delivered ? 'good' : 'danger'}>
              {result.data.response_code ?? result.data.error ?? 'failed'}
            </Badge>{' '}
            {result.data.delivered
              ? `Delivered in ${result.data.duration_ms} ms.`
              : failureWords(result.data.response_code, result.data.error)}
          </p>
          {result.meta.note !== undefined && <p className="hint">{result.meta.note}</p>}
          <Json value={result.data.payload} label="The payload that was sent" />
        </div>
      )}
    </Panel>
  )
}

const isCovered = (events: readonly string[], name: EventName) =>
  events.some((each) => each === '*' || each === name || (each.endsWith('.*') && name.startsWith(each.slice(0, -1))))

const DAY_MS = 86_400_000

/** Replays a range. A long range needs several requests: each response says where the next request begins. */
export function ReplayPanel({ appId, endpoint }: EndpointProps) {
  const [since, setSince] = useState(() => new Date(Date.now() - DAY_MS).toISOString())
  const [until, setUntil] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const replaying = useAction({
    run: async () => {
      const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
      let queued = 0
      let from: string | null = since
      while (from !== null) {
        const body: { since: string; until?: string; only_failed: boolean } = {
          since: from,
          ...(until !== '' && { until }),
          only_failed: onlyFailed,
        }
        const { data } = await read(
          client.POST('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/replay', { params, body }),
        )
        queued += data.queued
        from = data.continue_since
      }
      return queued
    },
    changes: [webhooksKey(appId)],
  })
  return (
    <Panel
      title="Replay a time range"
      hint="Sends all deliveries of the range again, oldest first, except those that still wait for a retry. The server checks access again before it sends each one."
    >
      <div className="inline-form">
        <TimeFilter label="From" value={since} onChange={setSince} />
        <TimeFilter label="Until (empty: now)" value={until} onChange={setUntil} />
        <label className="check">
          <input type="checkbox" checked={onlyFailed} onChange={(event) => setOnlyFailed(event.target.checked)} />
          <span>Only deliveries that failed</span>
        </label>
        <Button onPress={() => replaying.mutate(undefined)} isDisabled={replaying.isPending || since === ''}>
          {replaying.isPending ? 'Replaying' : 'Replay'}
        </Button>
      </div>
      <ActionError error={replaying.error} />
      {replaying.data !== undefined && !replaying.isPending && (
        <p className="notice" role="status">
          {replaying.data === 0 ? (
            <>
              No delivery of this range was sent again. Deliveries that wait for a retry are sent later. You can{' '}
              <Link
                to={`/apps/${appId}/webhooks/deliveries`}
                search={(before: Record<string, unknown>) => ({
                  mode: before['mode'],
                  status: 'pending',
                  endpoint: endpoint.id,
                })}
              >
                redeliver them now
              </Link>
              .
            </>
          ) : (
            `${replaying.data.toLocaleString('en')} ${replaying.data === 1 ? 'delivery is' : 'deliveries are'} sent again.`
          )}
        </p>
      )}
    </Panel>
  )
}
