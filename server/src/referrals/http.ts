import type { Route } from '#http/route.ts'
import { type CodeRouteDeps, codeRoutes } from './codes/routes.ts'
import { type StatsRouteDeps, statsRoutes } from './stats/routes.ts'
import { countsOf } from './weeks/store.ts'

export type ReferralRouteDeps = Omit<CodeRouteDeps, 'countsOf'> & StatsRouteDeps

export function referralRoutes(deps: ReferralRouteDeps): Route[] {
  return [...codeRoutes({ ...deps, countsOf }), ...statsRoutes(deps)]
}
