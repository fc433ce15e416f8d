import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { useTail } from '../api/use-tail.ts'
import { MOVES as ALL_MOVES } from './all-moves.ts'

/** What an offering has to accept. */
export type Accepts = 'investments' | 'reservations'

export type Input = {
  readonly name: string
  readonly kind: 'id' | 'choice' | 'cents' | 'number' | 'json' | 'text'
  /** The prefix of an id, without the underscore. */
  readonly prefix?: string
  /** What an offering with this id has to accept. */
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
  /** The prefix of the id in the path; null for a move that makes a record. */
  readonly of: string | null
  readonly inputs: readonly Input[]
}

export const MOVES: readonly Move[] = ALL_MOVES

/** `moveOf('investments', 'pay')`. */
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
    /** The fields of a record: flat in an investment, below `attributes` in every other record. */
    readonly status?: string
    readonly attributes?: { readonly status?: string }
  }
  readonly meta: { readonly events: readonly PlayedEvent[]; readonly event_count: number }
}

type Answered = Played & { readonly requestId: string }

async function play(appId: string, { move, id, body }: Playing): Promise<Answered> {
  // All moves have the same shape, but the client's types have a type for each path.
  const path = move.path as '/portal/api/apps/{app_id}/sandbox/investments/{id}/convert'
  const params = { path: { app_id: appId, id } }
  const answering = client.POST(path, { params, ...(move.inputs.length === 0 ? {} : { body }) })
  const played: Played = await read(answering)
  return { ...played, requestId: (await answering).response.headers.get('x-request-id') ?? '' }
}

/** A move that was made, or rejected. */
export type Run = {
  readonly key: number
  /** By this browser's clock, in milliseconds. */
  readonly at: number
  readonly summary: string
  readonly recordId: string
  /** The request that made the move, which its events name as their cause. */
  readonly requestId: string
  readonly status: string
  readonly events: readonly PlayedEvent[]
  readonly eventCount: number
  /** What followed, once the ledger published the record: `investment.changed` has no request as its cause. */
  readonly followed: readonly PlayedEvent[]
  readonly error: Error | null
}

const runsKey = (appId: string) => ['apps', appId, 'sandbox runs']
const RUNS_MAX = 50

/** The moves of this visit, newest first. They stay while the person looks at an event and returns. */
export function useRuns(appId: string) {
  const queries = useQueryClient()
  const { data: runs } = useQuery<readonly Run[]>({
    queryKey: runsKey(appId),
    queryFn: () => [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (run: Omit<Run, 'key' | 'at' | 'followed'>) => {
    queries.setQueryData<readonly Run[]>(runsKey(appId), (before = []) =>
      [{ ...run, key: (before[0]?.key ?? 0) + 1, at: Date.now(), followed: [] }, ...before].slice(0, RUNS_MAX),
    )
  }
  /** Makes a move and adds it with its outcome to the list. */
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

/** Adds each event that follows a move of a record to the newest move of that record. */
export function useFollowing(appId: string, runs: readonly Run[], isDeaf: boolean): void {
  const queries = useQueryClient()
  const address = `/portal/api/apps/${appId}/events/stream?mode=test&types=${FOLLOWING}`
  const { rows } = useTail<AppEvent>(isDeaf ? null : address, doNothing)
  useEffect(() => {
    // An event can arrive before the answer to its move.
    queries.setQueryData<readonly Run[]>(runsKey(appId), (now = runs) => rows.toReversed().reduce(withFollowing, now))
  }, [rows, runs, queries, appId])
}

/** The ledger publishes a moment after the move, and several moves of one record together. */
export const FOLLOWING = 'investment.changed'
const doNothing = () => undefined

function withFollowing(runs: readonly Run[], { id, attributes: { event, payload } }: AppEvent): readonly Run[] {
  if (runs.some(({ followed }) => followed.some((known) => known.id === id))) return runs
  const at = runs.findIndex(({ recordId, error }) => error === null && recordId === subjectOf(payload))
  if (at === -1) return runs
  return runs.map((run, index) => (index === at ? { ...run, followed: [...run.followed, { id, event }] } : run))
}

function subjectOf({ data }: AppEvent['attributes']['payload']): string | undefined {
  return typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : undefined
}
