export { purgeLedger, startEpoch } from './publish/ledger.ts'
export { glanceAtLedger, type LedgerLag, ledgerLag, ledgerQueue } from './publish/ledger-store.ts'
export { BatchSize, publishRound, republishRound } from './publish/rounds.ts'
