export { BatchSize } from './publish/batch-size.ts'
export { purgeLedger, startEpoch } from './publish/ledger.ts'
export { glanceAtLedger, type LedgerLag, ledgerLag } from './publish/ledger-store.ts'
export { publishRound, republishRound } from './publish/rounds.ts'
