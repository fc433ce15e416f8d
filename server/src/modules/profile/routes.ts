import type { Route } from '#http/route.ts'
import { connectedAppRoutes } from './connected-app-routes.ts'
import { followRoutes } from './follow-routes.ts'
import { myCompanyRoutes } from './my-company-routes.ts'
import type { ProfileRouteDeps } from './route-deps.ts'
import { userRoutes } from './user-routes.ts'

/** What a user's token may read or change about that user. */
export const profileRoutes = (deps: ProfileRouteDeps): Route[] => [
  ...userRoutes(deps),
  ...myCompanyRoutes(deps),
  ...followRoutes(deps),
  ...connectedAppRoutes(deps),
]
