import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { formatDuration, parseDuration, SECONDS_PER_DAY } from './duration.ts'
import { lockClock, moveClock } from './store.ts'

/** In all, however many steps it takes: far enough for every expiry there is, and every time stays one that can be. */
export const AHEAD_DAYS_MAX = 3_650

/** Moves the test world's clock forward. Of two at once the second waits for the first, and they add up. */
export async function advanceClock(tx: Tx, { advance }: { readonly advance: string }): Promise<void> {
  const seconds = parseDuration(advance)
  if (seconds === null) throw refusal('invalid_format', 'must be a duration in weeks, days, hours, minutes or seconds')
  if (seconds === 0) throw refusal('not_forward', 'must be more than nothing: the clock goes forward only')
  const { aheadSeconds } = await lockClock(tx)
  const next = aheadSeconds + seconds
  if (next > AHEAD_DAYS_MAX * SECONDS_PER_DAY) {
    const left = formatDuration(AHEAD_DAYS_MAX * SECONDS_PER_DAY - aheadSeconds)
    throw refusal('too_large', `would put the clock more than ${AHEAD_DAYS_MAX} days ahead; ${left} are left`)
  }
  await moveClock(tx, next)
}

function refusal(code: string, message: string) {
  const field: FieldError = { field: 'advance', code, message }
  return validationError([field])
}
