import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Panel } from '../ui/page.tsx'
import type { PlayedEvent, Run } from './play.ts'

/** Canceling an offering can cause very many events; the list of events shows all. */
const EVENTS_SHOWN_MAX = 10

type RunListProps = { readonly appId: string; readonly runs: readonly Run[] }

/** What each move caused: the record, its events, their deliveries. */
export function RunList({ appId, runs }: RunListProps) {
  return (
    <Panel title="What happened">
      {runs.length === 0 ? (
        <p className="hint">Make a move. Its events are listed here, with their deliveries to this app’s endpoints.</p>
      ) : (
        <ol className="rows runs">
          {runs.map((run) => (
            <li key={run.key}>
              <div>
                <p className="run-head">
                  <strong>{run.summary}</strong>
                  {run.error === null ? (
                    run.status !== '' && <Badge>{run.status.replaceAll('_', ' ')}</Badge>
                  ) : (
                    <Badge tone="danger">Rejected</Badge>
                  )}
                </p>
                {run.recordId !== '' && <CopyText value={run.recordId} label="Copy the id" />}
                {run.error !== null && <p className="hint">{run.error.message}</p>}
                <CausedEvents appId={appId} run={run} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function CausedEvents({ appId, run: { events, eventCount, error } }: { readonly appId: string; readonly run: Run }) {
  if (error !== null) return null
  if (eventCount === 0) return <p className="hint">No event.</p>
  return (
    <>
      <ul className="caused">
        {events.slice(0, EVENTS_SHOWN_MAX).map((event) => (
          <CausedEvent key={event.id} appId={appId} event={event} />
        ))}
      </ul>
      {eventCount > EVENTS_SHOWN_MAX && (
        <p className="hint">
          {eventCount - EVENTS_SHOWN_MAX} more are in <Link to={`/apps/${appId}/events`}>the list of events</Link>.
        </p>
      )}
    </>
  )
}

const READ_EVERY_MS = 1_000
/** Events are recorded for the app a moment after the move. If none is by then, the app does not receive it. */
const AWAITED_MS = 15_000

function CausedEvent({ appId, event: { id, event } }: { readonly appId: string; readonly event: PlayedEvent }) {
  const { found, isWaiting } = useEventOf(appId, id)
  if (found === null) {
    return (
      <li>
        <code>{event}</code>
        <span className="hint">
          {isWaiting ? 'Waiting for it to be recorded for this app' : 'No installation of this app receives it'}
        </span>
      </li>
    )
  }
  const { deliveries } = found.attributes
  return (
    <li>
      <Link to={`/apps/${appId}/events/${id}`}>
        <code>{event}</code>
      </Link>
      {deliveries.length === 0 && (
        <span className="hint">{isWaiting ? 'Waiting for its deliveries' : 'No endpoint is subscribed to it'}</span>
      )}
      {deliveries.map((delivery) => (
        <Link key={delivery.id} to={`/apps/${appId}/webhooks/deliveries/${delivery.id}`}>
          Delivery <StatusBadge status={delivery.attributes.status} />
        </Link>
      ))}
    </li>
  )
}

type AppEvent = Schemas['AppEvent']

/** The app's own view of an event, null while it has none. It is read again until every delivery has ended. */
function useEventOf(app_id: string, event_id: string) {
  const [awaitedUntil] = useState(() => Date.now() + AWAITED_MS)
  const { data: found = null, dataUpdatedAt } = useQuery<AppEvent | null>({
    queryKey: ['apps', app_id, 'events', event_id, 'sandbox'],
    queryFn: async ({ signal }) => {
      try {
        const params = { path: { app_id, event_id } }
        return (await read(client.GET('/portal/api/apps/{app_id}/events/{event_id}', { signal, params }))).data
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state }) =>
      Date.now() < awaitedUntil && !hasEnded(state.data ?? null) ? READ_EVERY_MS : false,
  })
  return { found, isWaiting: dataUpdatedAt < awaitedUntil - READ_EVERY_MS }
}

function hasEnded(found: AppEvent | null): boolean {
  const deliveries = found?.attributes.deliveries ?? []
  return deliveries.length > 0 && deliveries.every(({ attributes }) => attributes.status !== 'pending')
}
