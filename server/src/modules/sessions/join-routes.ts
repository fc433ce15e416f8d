import type { Route } from '#http/route.ts'
import { type JoinApiDeps, joinApiRoutes } from './join-api/routes.ts'
import type { JoinPageDeps } from './join-page/arrive.ts'
import { joinPageRoutes } from './join-page/routes.ts'
import { joinThemeRoutes } from './join-themes/routes.ts'

export type JoinRouteDeps = JoinApiDeps & JoinPageDeps

/** Join sessions: what apps call, what people see, and what embedded forms look like. */
export const joinRoutes = (deps: JoinRouteDeps): Route[] => [
  ...joinApiRoutes(deps),
  ...joinThemeRoutes(deps),
  ...joinPageRoutes(deps),
]
