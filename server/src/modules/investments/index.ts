export {
  amountMove,
  createInvestment,
  INVESTMENT_MACHINE,
  INVESTMENT_STATES,
  type InvestmentAlso,
  type InvestmentMove,
  type InvestmentState,
  type InvestmentTransition,
  moveInvestment,
} from './investment-states.ts'
export { REINSTATEMENT_GRACE_DAYS, type Reinstatable, reinstateInvestment } from './reinstatement.ts'
