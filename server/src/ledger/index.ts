export { purgeLedger, startEpoch } from './publish/ledger.ts'
export { glanceAtLedger, type LedgerLag, ledgerLag, ledgerQueue, nextRetryInMs } from './publish/ledger-store.ts'
export { BatchSize, publishRound, republishRound } from './publish/rounds.ts'
