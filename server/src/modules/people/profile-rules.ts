import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Taken } from './store.ts'
import type { Moment, UserProfile } from './user.ts'

/** What is already somebody's: ids for ever, addresses and usernames while their owner is active, whatever the case. */
export function refuseTaken(taken: Taken): void {
  const errors: FieldError[] = []
  if (taken.id) errors.push({ field: 'id', code: 'already_exists', message: 'is already a user' })
  if (taken.email) errors.push({ field: 'email', code: 'taken', message: 'is the address of another user' })
  if (taken.username) errors.push({ field: 'username', code: 'taken', message: 'is the name of another user' })
  if (errors.length > 0) throw validationError(errors)
}

/** A fact is over when we hear of it, and so is what it says of the past. */
export function refuseFutureCertification({ certified_at }: Partial<UserProfile>, { occurredAt }: Moment): void {
  if (certified_at === undefined || certified_at === null || certified_at <= occurredAt) return
  const message = 'is after the time at which this happened'
  throw validationError([{ field: 'certified_at', code: 'in_the_future', message }])
}
