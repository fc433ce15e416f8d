import type { Route } from '#http/route.ts'
import { codeRoutes } from './codes/routes.ts'
import { type PortalReferralDeps, portalReferralRoutes } from './portal-routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { countsOf } from './weeks/store.ts'

export type ReferralRouteDeps = Omit<PortalReferralDeps, 'countsOf'>

export function referralRoutes(deps: ReferralRouteDeps): Route[] {
  const counting = { ...deps, countsOf }
  return [...codeRoutes(counting), ...statsRoutes(deps), ...portalReferralRoutes(counting)]
}
