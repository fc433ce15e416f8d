import { validationError } from '#kernel/errors.ts'
import type { Moment, UserProfile } from './user.ts'

/** A fact is over when we hear of it, and so is the certification it tells of. */
export function refuseFutureCertification({ certified_at }: Partial<UserProfile>, { occurredAt }: Moment): void {
  if (certified_at === undefined || certified_at === null || certified_at <= occurredAt) return
  const message = 'is after the time at which this happened'
  throw validationError([{ field: 'certified_at', code: 'in_the_future', message }])
}
