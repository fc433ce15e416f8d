import type { Route } from '#http/route.ts'
import type { Limits } from './limits.ts'
import type { UseDeps } from './use/read-use.ts'
import { limitUseRoutes } from './use/routes.ts'

export const limitRoutes = (deps: Omit<UseDeps, 'counting'> & { readonly limits: Limits }): Route[] =>
  limitUseRoutes({ ...deps, counting: deps.limits.counting })
