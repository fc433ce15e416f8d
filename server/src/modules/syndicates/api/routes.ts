import type { Route } from '#http/route.ts'
import { directoryRoutes } from './directory-routes.ts'
import { memberActionRoutes } from './member-action-routes.ts'
import { memberRoutes } from './member-routes.ts'
import type { SyndicateRouteDeps } from './route-deps.ts'
import { syndicateSettingsRoutes } from './syndicate-routes.ts'

/** Syndicates and their members, for those who run them. */
export const syndicateRoutes = (deps: SyndicateRouteDeps): Route[] => [
  ...syndicateSettingsRoutes(deps),
  ...memberRoutes(deps),
  ...memberActionRoutes(deps),
  ...directoryRoutes(),
]
