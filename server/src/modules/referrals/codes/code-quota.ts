import { ApiError } from '#kernel/errors.ts'

/** Paused codes count: a code stays taken for ever, so pausing must not be a way to take another. */
export function refuseBeyondQuota(count: number, quota: number): void {
  if (count < quota) return
  throw new ApiError('validation_error', {
    public: `This app has ${count} referral codes, and can have ${quota}.`,
    remediation: 'Rename and resume one that is paused, or ask the platform for a higher quota.',
    details: { fields: [{ field: 'code', code: 'quota_reached', message: `would be one more than ${quota}` }] },
  })
}
