import { ApiError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'

/** "Quota 10 per app and mode." Disabled endpoints count, removed ones do not. */
export const ENDPOINTS_MAX = 10

export function refuseBeyondQuota(count: number, mode: World): void {
  if (count < ENDPOINTS_MAX) return
  const message = `has ${ENDPOINTS_MAX} endpoints of this app, which is as many as it can have`
  throw new ApiError('validation_error', {
    public: `This app has ${ENDPOINTS_MAX} ${mode} endpoints, which is as many as it can have.`,
    remediation: 'Delete one that is not used any more, or subscribe one of them to more events.',
    details: { fields: [{ field: 'mode', code: 'quota_reached', message }] },
  })
}
