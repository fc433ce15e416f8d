import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { errorText } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { statusOf } from '../webhooks/delivery-queries.ts'
import { LATER_EVENT, type Run } from './play.ts'

/** A move that cancels an offering can cause very many events. The page of events lists all of them. */
const EVENTS_SHOWN_MAX = 10

type RunListProps = {
  readonly appId: string
  readonly runs: readonly Run[]
  /** Why the app gets no events at all. Null if it gets events. */
  readonly whyNoEvents: ReactNode
}

/** Lists the moves of this visit, each with its record, its events and their deliveries. */
export function RunList({ appId, runs, whyNoEvents }: RunListProps) {
  return (
    <Panel title="What happened">
      {whyNoEvents !== null && <p className="notice warning">{whyNoEvents}</p>}
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
                {run.error !== null && <p className="hint">{errorText(run.error)}</p>}
                <CausedEvents
                  appId={appId}
                  run={run}
                  isNewest={isNewestOf(run, runs)}
                  getsNoEvents={whyNoEvents !== null}
                />
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

const isNewestOf = (run: Run, runs: readonly Run[]) =>
  runs.find(({ recordId, error }) => error === null && recordId === run.recordId) === run

type CausedEventsProps = {
  readonly appId: string
  readonly run: Run
  /** Whether the run is the newest move of its record. */
  readonly isNewest: boolean
  readonly getsNoEvents: boolean
}

function CausedEvents({ appId, run, isNewest, getsNoEvents }: CausedEventsProps) {
  const { events, eventCount, laterEvents, error } = run
  const { recorded, isWaiting } = useRecorded(appId, run, getsNoEvents)
  const isAwaited = useAwaited(run)
  if (error !== null) return null
  if (eventCount + laterEvents.length === 0) {
    return <p className="hint">{noEventWords(run, { isNewest, isAwaited, getsNoEvents })}</p>
  }
  return (
    <>
      <ul className="caused">
        {events.slice(0, EVENTS_SHOWN_MAX).map(({ id, event }) =>
          recorded.has(id) ? (
            <RecordedEvent key={id} appId={appId} id={id} event={event} />
          ) : (
            <li key={id}>
              <code>{event}</code>
              <span className="hint">{isWaiting ? 'Not recorded for this app yet' : 'Not for this app'}</span>
            </li>
          ),
        )}
        {laterEvents.map(({ id, event }) => (
          <RecordedEvent key={id} appId={appId} id={id} event={event} />
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

type EventState = { readonly isNewest: boolean; readonly isAwaited: boolean; readonly getsNoEvents: boolean }

/** What to show for a move without events. If several moves of an investment follow each other closely, the ledger sends one event. */
function noEventWords({ recordId }: Run, { isNewest, isAwaited, getsNoEvents }: EventState): string {
  if (getsNoEvents || !recordId.startsWith('inv_')) return 'This move caused no event for this app.'
  if (!isNewest) return `The event ${LATER_EVENT} of this move is listed with the newest move of this investment.`
  return isAwaited ? `${LATER_EVENT} follows in a moment.` : 'This move caused no event for this app.'
}

/** Whether the ledger may still send its event for this move. */
function useAwaited({ at }: Run): boolean {
  const remainingMs = at + FOLLOWS_WITHIN_MS - Date.now()
  const [isOver, setOver] = useState(remainingMs <= 0)
  useEffect(() => {
    if (isOver) return
    const waiting = setTimeout(() => setOver(true), remainingMs)
    return () => clearTimeout(waiting)
  }, [isOver, remainingMs])
  return !isOver
}

const FOLLOWS_WITHIN_MS = 10_000
const READ_EVERY_MS = 1_000
/** The server records events for the app a moment after the move. An event that is not recorded after this time is not for the app. */
const AWAITED_MS = 15_000

/** The ids of a move's events that are recorded for this app. */
function useRecorded(app_id: string, { requestId: request_id, eventCount }: Run, getsNoEvents: boolean) {
  const [awaitedUntil] = useState(() => Date.now() + AWAITED_MS)
  const isAwaited = !getsNoEvents && eventCount > 0
  const { data: recorded = NONE, dataUpdatedAt } = useQuery<ReadonlySet<string>>({
    queryKey: ['apps', app_id, 'sandbox events', request_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, request_id }, query: { mode: 'test', per_page: EVENTS_SHOWN_MAX } } as const
      const { data } = await read(
        client.GET('/portal/api/apps/{app_id}/requests/{request_id}/events', { signal, params }),
      )
      return new Set(data.map(({ id }) => id))
    },
    enabled: isAwaited,
    refetchInterval: ({ state }) =>
      Date.now() < awaitedUntil && (state.data?.size ?? 0) < Math.min(eventCount, EVENTS_SHOWN_MAX)
        ? READ_EVERY_MS
        : false,
  })
  return { recorded, isWaiting: isAwaited && dataUpdatedAt < awaitedUntil - READ_EVERY_MS }
}

const NONE: ReadonlySet<string> = new Set()

type RecordedEventProps = { readonly appId: string; readonly id: string; readonly event: string }

function RecordedEvent({ appId, id, event }: RecordedEventProps) {
  const { deliveries, isWaiting } = useDeliveries(appId, id)
  return (
    <li>
      <Link to={`/apps/${appId}/events/${id}`}>
        <code>{event}</code>
      </Link>
      {deliveries.length === 0 && (
        <span className="hint">
          {isWaiting ? 'Waiting for its deliveries' : 'No endpoint is subscribed to this event'}
        </span>
      )}
      {deliveries.map((delivery) => (
        <Link key={delivery.id} to={`/apps/${appId}/webhooks/deliveries/${delivery.id}`}>
          Delivery <StatusBadge status={statusOf(delivery.attributes)} />
        </Link>
      ))}
    </li>
  )
}

type Delivery = Schemas['AppWebhookDelivery']

/** The deliveries of an event. They are read again until all have ended, but not longer than `AWAITED_MS`. */
function useDeliveries(app_id: string, event_id: string) {
  const [awaitedUntil] = useState(() => Date.now() + AWAITED_MS)
  const { data: deliveries = [], dataUpdatedAt } = useQuery<readonly Delivery[]>({
    queryKey: ['apps', app_id, 'events', event_id, 'sandbox'],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, event_id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/events/{event_id}', { signal, params }))).data.attributes
        .deliveries
    },
    refetchInterval: ({ state }) => (Date.now() < awaitedUntil && !haveEnded(state.data ?? []) ? READ_EVERY_MS : false),
  })
  return { deliveries, isWaiting: dataUpdatedAt < awaitedUntil - READ_EVERY_MS }
}

const haveEnded = (deliveries: readonly Delivery[]) =>
  deliveries.length > 0 && deliveries.every(({ attributes }) => attributes.status !== 'pending')
