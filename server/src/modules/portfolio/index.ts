export { exitOffering, type NewExit } from './exit-offering.ts'
export { type NewSale, sellInvestment } from './sell-investment.ts'
export { setFundHolding } from './set-fund-holding.ts'
export type { Decimal, FundHolding } from './store.ts'
export { type NewValuation, valueOffering } from './value-offering.ts'
export {
  EXIT_REASONS,
  EXIT_STATUSES,
  type ExitReason,
  type ExitStatus,
  HOLDING_STATUSES,
  type HoldingStatus,
} from './vocabulary.ts'
