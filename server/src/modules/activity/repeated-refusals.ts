import type { Action } from '#http/ports.ts'
import { callerIdentity } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import { localCounter } from '#system/counting/local-counter.ts'

/** Of different refusals, for one app and user. */
export const REFUSALS_AN_HOUR = 20

const SAME = { name: 'same', max: 1, periodSeconds: 3_600 }
const DIFFERENT = { name: 'different', max: REFUSALS_AN_HOUR, periodSeconds: 3_600 }

export type Refusal = Pick<Action, 'caller' | 'name' | 'resourceId'> & { readonly errorType: string }

/**
 * An app that knocks at a closed door again and again must fill neither the user's list nor our disk: the same refusal is
 * told once an hour, and of different ones twenty. Counted in this process, before anything is written.
 */
export function refusalsWorthTelling(clock: WallClock): (refusal: Refusal) => boolean {
  const counter = localCounter(clock)
  return ({ caller, name, resourceId, errorType }) => {
    const who = `${caller.world}/${callerIdentity(caller)}`
    const same = [who, name, resourceId ?? '', errorType].join(' ')
    const count = counter.count([
      { limit: SAME, key: same },
      { limit: DIFFERENT, key: who },
    ])
    return count.refused === null
  }
}
