import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Occasion } from '#modules/events/index.ts'

/** A fact is over when we hear of it: what it dates is dated at or before it, and at it where nothing is said. */
export function pastTime(field: string, given: WorldTime | undefined, { occurredAt }: Occasion): WorldTime {
  if (given === undefined) return occurredAt
  if (given <= occurredAt) return given
  const message = 'is after the time at which this happened'
  throw validationError([{ field, code: 'in_the_future', message }])
}
