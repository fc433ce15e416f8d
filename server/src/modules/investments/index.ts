export { cancelInvestment } from './cancel-investment.ts'
export { cancelOffering } from './cancel-offering.ts'
export { changeAmount } from './change-amount.ts'
export { type Contract, changeDetails, type Details, type Shares } from './change-details.ts'
export { confirmInvestment } from './confirm-investment.ts'
export { convertInvestment } from './convert-investment.ts'
export { deactivateInvestor } from './deactivate-investor.ts'
export { executeInvestment } from './execute-investment.ts'
export { hideInvestment, unhideInvestment } from './hide-investment.ts'
export { CHECK_STATES, CHECKS, type Check, type CheckState, type PaymentState } from './investment.ts'
export {
  INVESTMENT_MACHINE,
  INVESTMENT_STATES,
  type InvestmentAlso,
  type InvestmentMove,
  type InvestmentState,
  type InvestmentTransition,
} from './investment-states.ts'
export { moveToOffering } from './move-to-offering.ts'
export { expectPayment, failPayment, receivePayment, refundPayment } from './payment.ts'
export { type NewInvestment, recordInvestment } from './record-investment.ts'
export { reinstate } from './reinstate-investment.ts'
export { REINSTATEMENT_GRACE_DAYS } from './reinstatement.ts'
export { resolveConversion } from './resolve-conversion.ts'
export { setCheck } from './set-check.ts'
export { type InvestmentView, readInvestment } from './view-store.ts'
