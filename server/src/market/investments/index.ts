export { CHECK_STATES, CHECKS, type Check, type CheckState, type PaymentState } from './investment.ts'
export {
  cancelInvestment,
  cancelOffering,
  changeAmount,
  convertInvestment,
  executeInvestment,
  REINSTATEMENT_GRACE_DAYS,
  reinstate,
} from './investment-moves.ts'
export {
  INVESTMENT_MACHINE,
  INVESTMENT_STATES,
  type InvestmentAlso,
  type InvestmentMove,
  type InvestmentState,
  type InvestmentTransition,
} from './investment-states.ts'
export {
  type Contract,
  changeDetails,
  confirmInvestment,
  type Details,
  deactivateInvestor,
  expectPayment,
  failPayment,
  hideInvestment,
  receivePayment,
  refundPayment,
  resolveConversion,
  type Shares,
  setCheck,
  unhideInvestment,
} from './investment-steps.ts'
export { moveToOffering } from './move-to-offering.ts'
export { type NewInvestment, recordInvestment } from './record-investment.ts'
export { findInvestors } from './store.ts'
export { type InvestmentView, readInvestment } from './view-store.ts'
