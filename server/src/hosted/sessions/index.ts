export { checkoutAddress, checkoutWords, playInvestment } from './checkout/checkout.ts'
export {
  EXCLUSIVE,
  lockRecipient,
  partnerSide,
  readRecipient,
  requireRunning,
  requireTaking,
  underField,
} from './investment-api/partner-request.ts'
export type { PartnerSide, Recipient } from './investment-api/store.ts'
export {
  abandonInvestmentSession,
  cancelInvestmentSession,
  completeInvestmentSession,
  createInvestmentSession,
  expireInvestmentSession,
  type InvestmentSessionInput,
  type Progress,
  reportProgress,
  resumeInvestmentSession,
  type Start,
  startInvestmentSession,
} from './investment-session.ts'
export {
  FUNDING_STATUSES,
  type FundingStatus,
  INVESTMENT_SESSION_MACHINE,
  INVESTMENT_SESSION_STATES,
  type InvestmentSessionAlso,
  type InvestmentSessionMove,
  type InvestmentSessionState,
  KYC_STATUSES,
  type KycStatus,
} from './investment-session-states.ts'
export {
  awaitApproval,
  type Completion,
  cancelJoinSession,
  completeJoinSession,
  createJoinSession,
  expireJoinSession,
  type FinishedFlow,
  type JoinSessionInput,
  markIneligible,
  rejectJoinSession,
  signIn,
} from './join-session.ts'
export {
  INELIGIBLE_REASONS,
  type IneligibleReason,
  JOIN_SESSION_MACHINE,
  JOIN_SESSION_STATES,
  type JoinSessionAlso,
  type JoinSessionMove,
  type JoinSessionState,
  type Theme,
} from './join-session-states.ts'
export {
  endingOthersToo,
  eraseSessions,
  expireDueSessions,
  joinSettlingSessions,
  settlingJoinSessions,
  settlingSessionsMadeHere,
} from './session-jobs.ts'
export {
  type InvestmentSessionView,
  type JoinSessionView,
  readInvestmentSession,
  readJoinSession,
} from './store.ts'
