export { type PortalSyncDeps, portalSyncRoutes } from './read/portal-routes.ts'
export { type LedgerRouteDeps, ledgerRoutes } from './read/routes.ts'
