import type { Counted } from '#http/rate-limit.ts'
import { type Refusal, rateLimited } from '#http/rate-limit.ts'
import type { Count, Hit, Refused, WindowCounter, WindowLimit } from '#system/counting/local-counter.ts'

const [MINUTE, FIVE_MINUTES, HOUR] = [60, 300, 3_600]

/**
 * How many seconds each limit counts: the limits of the specification's table (quoted), and three of our own. The counts are
 * settings, `PORTICO_LIMIT_…` in main/settings.ts.
 */
const PERIOD_SECONDS = {
  /** "per access token: every API endpoint" */
  access_token: HOUR,
  /** "per IP address: every API endpoint" */
  address: HOUR,
  /** "public catalog per IP: GET /explore, GET /offerings/{id}, GET /companies/search" */
  public_catalog: MINUTE,
  /** "publishable key: every public read sent with a pk_ bearer" */
  publishable_key: FIVE_MINUTES,
  /** "token endpoint per client: per client_id" */
  token_client: HOUR,
  /** "token endpoint per IP" */
  token_address: FIVE_MINUTES,
  /** Requests with HTTP Basic, per key. */
  server_key: HOUR,
  /** "webhook test sends: per endpoint" */
  webhook_test: MINUTE,
  /** "pending intents: new pending intents per token" */
  pending_intent: HOUR,
  /** Pages, documents and pictures that need no credential, per address. */
  document: MINUTE,
  /** Unknown credentials, per address. */
  unknown_token: FIVE_MINUTES,
} as const

export type LimitName = keyof typeof PERIOD_SECONDS

/** The maximum number of requests in each limit's period. 0 lifts the limit. */
export type LimitSettings = Readonly<Record<LimitName, number>>

/** Null for a limit that is switched off. */
type LimitTable = Readonly<Record<LimitName, WindowLimit | null>>

export const LIMIT_NAMES = Object.keys(PERIOD_SECONDS) as readonly LimitName[]

export function limitPeriod(name: LimitName): number {
  return PERIOD_SECONDS[name]
}

export function limitTable(settings: LimitSettings): LimitTable {
  const rows = LIMIT_NAMES.map((name) => {
    const max = settings[name]
    return [name, max === 0 ? null : { name, max, periodSeconds: PERIOD_SECONDS[name] }]
  })
  return Object.fromEntries(rows) as LimitTable
}

/** The dependencies of every limit. */
export type Counting = {
  readonly table: LimitTable
  readonly counter: WindowCounter
  /** Called for every rejection, with the limit's name. */
  readonly onRefused: (name: string) => void
}

/** Counts the hits, or throws the 429. */
export async function count(counting: Counting, hits: readonly Hit[]): Promise<Count> {
  const counted = counting.counter.count(hits)
  if (counted.answered !== null) await counted.answered
  refuse(counting, counted.refused)
  return counted
}

/** Adds hits to those that the edge counted for the request. Counts only these hits if the edge counted none. */
export function countMore(counting: Counting, counted: Counted | null, hits: readonly Hit[]) {
  return counted === null ? count(counting, hits) : counted.countOn(hits)
}

export function refuse(counting: Pick<Counting, 'onRefused'>, refused: Refused | null, message?: string): void {
  if (refused === null) return
  counting.onRefused(refused.limit.name)
  throw rateLimited(refusalOf(refused), message)
}

function refusalOf({ limit, retryAfterSeconds, resetAt }: Refused): Refusal {
  return { limit: limit.max, periodSeconds: limit.periodSeconds, retryAfterSeconds, resetAt }
}
