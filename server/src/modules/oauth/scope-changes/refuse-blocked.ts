import { ApiError } from '#kernel/errors.ts'
import type { App } from '#modules/apps/index.ts'

/**
 * "Refused with scope_change_blocked when the app is suspended or disabled": adding and removing alike, for the app's
 * team. The platform may take something away at any time.
 */
export function refuseBlocked({ state }: Pick<App, 'state'>): void {
  if (state === 'active') return
  throw new ApiError('scope_change_blocked', {
    public: `Nothing was changed: the app is ${state}, and its scopes stay as they are meanwhile.`,
    remediation: REMEDIATION[state],
    details: { status: state },
  })
}

const REMEDIATION: Readonly<Record<Exclude<App['state'], 'active'>, string>> = {
  suspended: 'Only the platform lifts a suspension: settle its reason with the platform first.',
  disabled: 'Enable the app, then change its scopes.',
}
