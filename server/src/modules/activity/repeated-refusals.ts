import { fixedWindowCounter } from '#http/limits/fixed-window.ts'
import type { Action } from '#http/ports.ts'
import { callerIdentity } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'

const PERIOD_SECONDS = 3_600
/** Of different refusals, for one app and user. */
export const REFUSALS_AN_HOUR = 20

export type Refusal = Pick<Action, 'caller' | 'name' | 'resourceId'> & { readonly errorType: string }

/**
 * An app that knocks at a closed door again and again must fill neither the user's list nor our disk: the same refusal is
 * told once an hour, and of different ones twenty. Counted in this process, before anything is written.
 */
export function refusalsWorthTelling(clock: WallClock): (refusal: Refusal) => boolean {
  const counter = fixedWindowCounter(clock)
  return ({ caller, name, resourceId, errorType }) => {
    const who = `${caller.world}/${callerIdentity(caller)}`
    const same = [who, name, resourceId ?? '', errorType].join(' ')
    return counter.hit([
      { key: same, limit: 1, periodSeconds: PERIOD_SECONDS },
      { key: who, limit: REFUSALS_AN_HOUR, periodSeconds: PERIOD_SECONDS },
    ]).allowed
  }
}
