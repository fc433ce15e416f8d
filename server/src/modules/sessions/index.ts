export {
  INVESTMENT_SESSION_MACHINE,
  INVESTMENT_SESSION_STATES,
  type InvestmentSessionAlso,
  type InvestmentSessionMove,
  type InvestmentSessionState,
} from './investment-session-states.ts'
export {
  JOIN_SESSION_MACHINE,
  JOIN_SESSION_STATES,
  type JoinSessionAlso,
  type JoinSessionMove,
  type JoinSessionState,
} from './join-session-states.ts'
