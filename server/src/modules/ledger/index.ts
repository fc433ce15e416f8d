export { BatchSize } from './publish/batch-size.ts'
export { publishRound, republishRound } from './publish/rounds.ts'
export { startEpoch } from './publish/start-epoch.ts'
export { purgeLedger } from './retention/purge-ledger.ts'
