import type { LimitPort } from '#http/limit-port.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { WindowCounter } from '#system/counting/window-counter.ts'
import { type Counting, count } from './counting.ts'
import { type LimitSettings, limitTable } from './limit-table.ts'
import { type PendingIntents, pendingIntents } from './pending-intents.ts'
import { requestLimits } from './request-limits.ts'
import { type TokenEndpointLimit, tokenEndpointLimit } from './token-endpoint.ts'

export type LimitsParts = {
  readonly settings: LimitSettings
  readonly counter: WindowCounter
  readonly clock: WallClock
  readonly onRefused?: (name: string) => void
}

/** Everything that is counted, with one counter. */
export type Limits = {
  readonly requests: LimitPort
  readonly tokenEndpoint: TokenEndpointLimit
  /** "Webhook test sends: 10 per minute per endpoint." Throws the 429. */
  readonly countTest: (endpoint: string) => void | Promise<void>
  readonly pendingIntents: PendingIntents
  readonly counting: Counting
}

export function openLimits({ settings, counter, clock, onRefused = () => {} }: LimitsParts): Limits {
  const counting: Counting = { table: limitTable(settings), counter, onRefused }
  const { webhook_test: test } = counting.table
  return {
    requests: requestLimits(counting, clock),
    tokenEndpoint: tokenEndpointLimit(counting),
    countTest: (endpoint) => (test === null ? undefined : count(counting, [{ limit: test, key: endpoint }])),
    pendingIntents: pendingIntents(counting),
    counting,
  }
}
