export type { Settling, SyndicateRouteDeps } from './api/manager-access.ts'
export { syndicateRoutes } from './api/routes.ts'
