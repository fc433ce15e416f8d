import type { Route } from '#http/route.ts'
import type { Limits } from './limits.ts'
import { limitUseRoutes, type UseDeps } from './use-routes.ts'

export const limitRoutes = (deps: Omit<UseDeps, 'counting'> & { readonly limits: Limits }): Route[] =>
  limitUseRoutes({ ...deps, counting: deps.limits.counting })

export { limitUseRecorder } from './limit-uses.ts'
export { openLimits } from './limits.ts'
