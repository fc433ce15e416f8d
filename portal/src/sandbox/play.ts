import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { useTail } from '../api/use-tail.ts'
import { MOVES as ALL_MOVES } from './all-moves.ts'

/** What an offering accepts now. */
export type Accepts = 'investments' | 'reservations'

export type Input = {
  readonly name: string
  readonly kind: 'id' | 'choice' | 'cents' | 'number' | 'json' | 'text'
  /** The prefix of an id, without the underscore. */
  readonly prefix?: string
  /** What the offering must accept, for an input that is the id of an offering. */
  readonly accepts?: Accepts
  readonly options?: readonly string[]
  readonly isRequired: boolean
  readonly hint?: string
}

export type Move = {
  readonly group: string
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The prefix of the id in the path. Null for a move that creates a record. */
  readonly of: string | null
  readonly inputs: readonly Input[]
}

export const MOVES: readonly Move[] = ALL_MOVES

/** Finds a move by its group and name: `moveOf('investments', 'pay')`. */
export function moveOf(group: string, name: string): Move {
  const found = MOVES.find((move) => move.group === group && move.name === name)
  if (found === undefined) throw new Error(`the sandbox has no move ${group} ${name}`)
  return found
}

export type Playing = { readonly move: Move; readonly id: string; readonly body: Readonly<Record<string, unknown>> }

export type PlayedEvent = { readonly id: string; readonly event: string }

export type Played = {
  readonly data: {
    readonly id: string
    /** The status of an investment. Every other record has its status below `attributes`. */
    readonly status?: string
    readonly attributes?: { readonly status?: string }
  }
  readonly meta: { readonly events: readonly PlayedEvent[]; readonly event_count: number }
}

type PlayedRequest = Played & { readonly requestId: string }

async function play(appId: string, { move, id, body }: Playing): Promise<PlayedRequest> {
  // All moves have the same shape, but the client's types have a type for each path.
  const path = move.path as '/portal/api/apps/{app_id}/sandbox/investments/{id}/convert'
  const params = { path: { app_id: appId, id } }
  const request = client.POST(path, { params, ...(move.inputs.length === 0 ? {} : { body }) })
  const played: Played = await read(request)
  return { ...played, requestId: (await request).response.headers.get('x-request-id') ?? '' }
}

/** A move of the person, with the result of the server or with the error. */
export type Run = {
  readonly key: number
  /** The time of the move by this browser's clock, in milliseconds. */
  readonly at: number
  readonly summary: string
  readonly recordId: string
  /** The id of the request that made the move. The events of the move have it as their cause. */
  readonly requestId: string
  readonly status: string
  readonly events: readonly PlayedEvent[]
  readonly eventCount: number
  /** The `investment.changed` events that the ledger sent later, when it published the record. No request is their cause. */
  readonly laterEvents: readonly PlayedEvent[]
  readonly error: Error | null
}

const runsKey = (appId: string) => ['apps', appId, 'sandbox runs']
const RUNS_MAX = 50

/** The moves of this visit, newest first. The list is kept while the person opens an event and returns. */
export function useRuns(appId: string) {
  const queries = useQueryClient()
  const { data: runs } = useQuery<readonly Run[]>({
    queryKey: runsKey(appId),
    queryFn: () => [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (run: Omit<Run, 'key' | 'at' | 'laterEvents'>) => {
    queries.setQueryData<readonly Run[]>(runsKey(appId), (before = []) =>
      [{ ...run, key: (before[0]?.key ?? 0) + 1, at: Date.now(), laterEvents: [] }, ...before].slice(0, RUNS_MAX),
    )
  }
  /** Makes a move and adds it to the list, with its result or its error. */
  const run = async (playing: Playing): Promise<Played> => {
    const { summary } = playing.move
    try {
      const played = await play(appId, playing)
      const { id, status, attributes } = played.data
      const { events, event_count: eventCount } = played.meta
      add({
        ...{ summary, recordId: id, requestId: played.requestId, status: status ?? attributes?.status ?? '' },
        ...{ events, eventCount, error: null },
      })
      return played
    } catch (error) {
      const rejected = error instanceof Error ? error : new Error(String(error))
      add({
        ...{ summary, recordId: playing.id, requestId: '', status: '' },
        ...{ events: [], eventCount: 0, error: rejected },
      })
      throw error
    }
  }
  return { runs, run }
}

type AppEvent = Schemas['Event']

/** Adds each event that the ledger sends later to the newest successful move of the event’s record. */
export function useLaterEvents(appId: string, runs: readonly Run[], getsNoEvents: boolean): void {
  const queries = useQueryClient()
  const address = `/portal/api/apps/${appId}/events/stream?mode=test&types=${LATER_EVENT}`
  const { rows } = useTail<AppEvent>(getsNoEvents ? null : address, doNothing)
  useEffect(() => {
    // The stream can send an event before the server responds to the move that caused it. So this effect also runs when
    // a move is added.
    queries.setQueryData<readonly Run[]>(runsKey(appId), (now = runs) => rows.toReversed().reduce(withLaterEvent, now))
  }, [rows, runs, queries, appId])
}

/** The ledger publishes a record a moment after a move. It sends one event for several moves that follow each other closely. */
export const LATER_EVENT = 'investment.changed'
const doNothing = () => undefined

function withLaterEvent(runs: readonly Run[], { id, attributes: { event, payload } }: AppEvent): readonly Run[] {
  if (runs.some(({ laterEvents }) => laterEvents.some((known) => known.id === id))) return runs
  const at = runs.findIndex(({ recordId, error }) => error === null && recordId === subjectOf(payload))
  if (at === -1) return runs
  return runs.map((run, index) => (index === at ? { ...run, laterEvents: [...run.laterEvents, { id, event }] } : run))
}

function subjectOf({ data }: AppEvent['attributes']['payload']): string | undefined {
  return typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : undefined
}
