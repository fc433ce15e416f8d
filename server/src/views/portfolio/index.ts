export {
  exitOffering,
  type NewExit,
  type NewSale,
  type NewValuation,
  sellInvestment,
  setFundHolding,
  valueOffering,
} from './record-outcomes.ts'
export type { Decimal, FundHolding } from './store.ts'
export {
  EXIT_REASONS,
  EXIT_STATUSES,
  type ExitReason,
  type ExitStatus,
  HOLDING_STATUSES,
  type HoldingStatus,
} from './store.ts'
