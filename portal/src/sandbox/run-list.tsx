import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { errorText } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { statusOf } from '../webhooks/delivery-queries.ts'
import { FOLLOWING, type Run } from './play.ts'

/** Canceling an offering can cause very many events; the list of events shows all. */
const EVENTS_SHOWN_MAX = 10

type RunListProps = {
  readonly appId: string
  readonly runs: readonly Run[]
  /** Why no event reaches the app, whatever happens; null if events can. */
  readonly deaf: ReactNode
}

/** What each move caused: the record, its events, their deliveries. */
export function RunList({ appId, runs, deaf }: RunListProps) {
  return (
    <Panel title="What happened">
      {deaf !== null && <p className="notice warning">{deaf}</p>}
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
                <CausedEvents appId={appId} run={run} isNewest={isNewestOf(run, runs)} isDeaf={deaf !== null} />
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
  /** Of the moves of its record. */
  readonly isNewest: boolean
  readonly isDeaf: boolean
}

function CausedEvents({ appId, run, isNewest, isDeaf }: CausedEventsProps) {
  const { events, eventCount, followed, error } = run
  const { recorded, isWaiting } = useRecorded(appId, run, isDeaf)
  const isAwaited = useAwaited(run)
  if (error !== null) return null
  if (eventCount + followed.length === 0) {
    return <p className="hint">{quietWords(run, { isNewest, isAwaited, isDeaf })}</p>
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
              <span className="hint">{isWaiting ? 'On its way to this app' : 'Not for this app'}</span>
            </li>
          ),
        )}
        {followed.map(({ id, event }) => (
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

type Quiet = { readonly isNewest: boolean; readonly isAwaited: boolean; readonly isDeaf: boolean }

/** The ledger sends one event for several moves of an investment that follow each other closely. */
function quietWords({ recordId }: Run, { isNewest, isAwaited, isDeaf }: Quiet): string {
  if (isDeaf || !recordId.startsWith('inv_')) return 'No event.'
  if (!isNewest) return `Its ${FOLLOWING} is listed with the newest move of this investment.`
  return isAwaited ? `${FOLLOWING} follows in a moment.` : 'No event for this app.'
}

/** Whether the event that the ledger sends after a change of an investment may still follow this move. */
function useAwaited({ at }: Run): boolean {
  const left = at + FOLLOWS_WITHIN_MS - Date.now()
  const [isOver, setOver] = useState(left <= 0)
  useEffect(() => {
    if (isOver) return
    const waiting = setTimeout(() => setOver(true), left)
    return () => clearTimeout(waiting)
  }, [isOver, left])
  return !isOver
}

const FOLLOWS_WITHIN_MS = 10_000
const READ_EVERY_MS = 1_000
/** Events are recorded for the app a moment after the move. If none is by then, no installation receives it. */
const AWAITED_MS = 15_000

/** The events of a move that were recorded for this app, by their ids. */
function useRecorded(app_id: string, { requestId: request_id, eventCount }: Run, isDeaf: boolean) {
  const [awaitedUntil] = useState(() => Date.now() + AWAITED_MS)
  const isAwaited = !isDeaf && eventCount > 0
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
        <span className="hint">{isWaiting ? 'Waiting for its deliveries' : 'No endpoint is subscribed to it'}</span>
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

/** Read again until every delivery has ended. */
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
