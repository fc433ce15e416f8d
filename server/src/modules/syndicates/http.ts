export type { Settling, SyndicateRouteDeps } from './api/route-deps.ts'
export { syndicateRoutes } from './api/routes.ts'
