export { publishRound, republishRound } from './publish/rounds.ts'
export { startEpoch } from './publish/start-epoch.ts'
export { type LedgerRouteDeps, ledgerRoutes } from './read/routes.ts'
export { purgeLedger } from './retention/purge-ledger.ts'
