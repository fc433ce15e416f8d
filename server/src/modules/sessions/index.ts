export { awaitApproval, type FinishedFlow } from './await-approval.ts'
export { CHECKOUT_PLACES, checkoutAddress } from './checkout/checkout-address.ts'
export { checkoutWords } from './checkout/checkout-words.ts'
export { playInvestment } from './checkout/play-investment.ts'
export { completeInvestmentSession } from './complete-investment-session.ts'
export { type Completion, completeJoinSession } from './complete-join-session.ts'
export { createInvestmentSession, type InvestmentSessionInput } from './create-investment-session.ts'
export { createJoinSession, type JoinSessionInput } from './create-join-session.ts'
export {
  abandonInvestmentSession,
  cancelInvestmentSession,
  expireInvestmentSession,
  resumeInvestmentSession,
} from './end-investment-session.ts'
export { cancelJoinSession, expireJoinSession, markIneligible, rejectJoinSession } from './end-join-session.ts'
export { eraseSessions } from './erase-sessions.ts'
export { expireDueSessions } from './expire-due-sessions.ts'
export { type PartnerSide, partnerSide, requireRunning, requireTaking } from './investment-api/partner-side.ts'
export { EXCLUSIVE, holdRecipient, type Recipient, readRecipient } from './investment-api/recipient.ts'
export { underField } from './investment-api/under-field.ts'
export { FUNDING_STATUSES, type FundingStatus, KYC_STATUSES, type KycStatus } from './investment-session.ts'
export {
  INVESTMENT_SESSION_MACHINE,
  INVESTMENT_SESSION_STATES,
  type InvestmentSessionAlso,
  type InvestmentSessionMove,
  type InvestmentSessionState,
} from './investment-session-states.ts'
export { INELIGIBLE_REASONS, type IneligibleReason, type Theme } from './join-session.ts'
export {
  JOIN_SESSION_MACHINE,
  JOIN_SESSION_STATES,
  type JoinSessionAlso,
  type JoinSessionMove,
  type JoinSessionState,
} from './join-session-states.ts'
export { type Progress, reportProgress } from './report-progress.ts'
export { endingOthersToo, settlingJoinSessions, settlingSessionsMadeHere } from './settle-join-sessions.ts'
export { signIn } from './sign-in.ts'
export { type Start, startInvestmentSession } from './start-investment-session.ts'
export {
  type InvestmentSessionView,
  type JoinSessionView,
  readInvestmentSession,
  readJoinSession,
} from './store.ts'
