import type { Counted } from '#http/counted.ts'
import type { LimitPort } from '#http/limit-port.ts'
import type { WindowCounter } from '#system/counting/window-counter.ts'
import { type ClientLimit, clientLimit } from './client-limit.ts'
import type { Counting } from './counting.ts'
import { guessing } from './guessing.ts'
import { type LimitSettings, limitTable } from './limit-table.ts'
import { type PendingIntents, pendingIntents } from './pending-intents.ts'
import { type OperatorKeys, requestLimits } from './request-limits.ts'
import { webhookTests } from './webhook-tests.ts'

export type LimitsParts = {
  readonly settings: LimitSettings
  readonly counter: WindowCounter
  readonly onRefused?: (name: string) => void
  /** None, where nobody calls for the host platform. */
  readonly operatorKeys?: OperatorKeys
}

/** Everything that is counted, with one counter. */
export type Limits = {
  readonly requests: LimitPort
  readonly client: ClientLimit
  /** "Webhook test sends: 10 per minute per endpoint." Throws the 429. */
  readonly countTest: (endpoint: string, counted: Counted | null) => Promise<void>
  readonly pendingIntents: PendingIntents
  readonly counting: Counting
}

export function openLimits({ settings, counter, ...around }: LimitsParts): Limits {
  const { onRefused = () => {}, operatorKeys = async () => false } = around
  const counting: Counting = { table: limitTable(settings), counter, onRefused }
  const { unknown_token: unknown } = counting.table
  const guard = unknown === null ? null : guessing(unknown, counter)
  const tests = webhookTests(counting)
  return {
    requests: requestLimits({ counting, guard, webhookTests: tests, operatorKeys }),
    client: clientLimit(counting),
    countTest: tests.count,
    pendingIntents: pendingIntents(counting),
    counting,
  }
}
