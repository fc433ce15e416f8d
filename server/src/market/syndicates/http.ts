export type { Settling, SyndicateRouteDeps } from './api/manager-access.ts'
export { SYNDICATE_STEPS } from './api/older-versions.ts'
export { syndicateRoutes } from './api/routes.ts'
