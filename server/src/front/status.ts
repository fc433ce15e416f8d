import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'

/** Facts that `main` provides; `lag` is null if the database did not respond. */
export type StatusFacts = {
  readonly database: 'ok' | 'unreachable'
  readonly workers: 'ok' | 'silent'
  readonly lag: Readonly<Record<World, Lag>> | null
}

/** In seconds: how long the oldest change and the oldest delivery have been waiting. */
export type Lag = { readonly ledger: number; readonly deliveries: number }

export const COMPONENTS = ['api', 'database', 'workers', 'ledger', 'deliveries'] as const
export type ComponentName = (typeof COMPONENTS)[number]
/** `unknown`: only the database shows the component's state, and the database cannot be reached. */
export const STATES = ['ok', 'degraded', 'down', 'unknown'] as const
export type State = (typeof STATES)[number]

export type Component = {
  readonly name: ComponentName
  readonly state: State
  /** Since when this process has seen this state. */
  readonly sinceMs: number
  readonly lagSeconds: Readonly<Record<World, number>> | null
}

export type Status = {
  readonly state: 'ok' | 'degraded' | 'down'
  readonly checkedMs: number
  readonly components: readonly Component[]
}

/** The state is read at most once in this time, no matter how many people load the page. */
export const CACHED_MS = 5_000
/** Usually the lags of the ledger and of the deliveries are well under a second. */
const LAG_MAX_SECONDS = 60

type Sources = { readonly clock: WallClock; readonly facts: () => Promise<StatusFacts> }

/** The state of the service and of each part, with the time since when it has been so. Read at most every five seconds. */
export function statusReader({ clock, facts }: Sources): () => Promise<Status> {
  const startedMs = clock.now()
  const before = new Map<ComponentName, Component>()
  let last: { readonly readMs: number; readonly status: Promise<Status> } | null = null

  const read = async (): Promise<Status> => {
    const found = await facts()
    const checkedMs = clock.now()
    const components = COMPONENTS.map((name) => {
      const { state, lagSeconds } = judge(name, found)
      const seen = before.get(name)
      const sinceMs = seen === undefined ? startedMs : seen.state === state ? seen.sinceMs : checkedMs
      const component = { name, state, lagSeconds, sinceMs }
      before.set(name, component)
      return component
    })
    return { state: overall(components), checkedMs, components }
  }

  return () => {
    const nowMs = clock.now()
    const isFresh = last !== null && Math.abs(nowMs - last.readMs) < CACHED_MS
    if (last === null || !isFresh) last = { readMs: nowMs, status: read() }
    return last.status
  }
}

type Judged = Pick<Component, 'state' | 'lagSeconds'>

function judge(name: ComponentName, { database, workers, lag }: StatusFacts): Judged {
  switch (name) {
    case 'api':
      return { state: 'ok', lagSeconds: null }
    case 'database':
      return { state: database === 'ok' ? 'ok' : 'down', lagSeconds: null }
    case 'workers':
      // Unknown without the database, which records the workers' activity.
      return { state: database === 'ok' ? (workers === 'ok' ? 'ok' : 'down') : 'unknown', lagSeconds: null }
    case 'ledger':
    case 'deliveries': {
      if (lag === null) return { state: 'unknown', lagSeconds: null }
      const lagSeconds = { live: lag.live[name], test: lag.test[name] }
      const isLate = Math.max(lagSeconds.live, lagSeconds.test) > LAG_MAX_SECONDS
      return { state: isLate ? 'degraded' : 'ok', lagSeconds }
    }
  }
}

function overall(components: readonly Component[]): Status['state'] {
  if (components.some(({ name, state }) => name === 'database' && state === 'down')) return 'down'
  return components.every(({ state }) => state === 'ok') ? 'ok' : 'degraded'
}
