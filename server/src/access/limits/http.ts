import type { Route } from '#http/route.ts'
import type { Limits } from './limits.ts'
import { limitUsageRoutes, type UsageDeps } from './usage-routes.ts'

export const limitRoutes = (deps: Omit<UsageDeps, 'counting'> & { readonly limits: Limits }): Route[] =>
  limitUsageRoutes({ ...deps, counting: deps.limits.counting })

export { limitUsageRecorder } from './limit-usage.ts'
export { openLimits } from './limits.ts'
