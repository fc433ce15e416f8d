export { type LedgerRouteDeps, ledgerRoutes } from './read/routes.ts'
