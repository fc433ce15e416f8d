export { amountField, amountShown, amountText, readAmount, testButtons } from './checkout/checkout.ts'
export {
  type CheckoutDeps,
  type CheckoutEntry,
  type GuardedEntry,
  guardEntry,
  instead,
  whereOnward,
} from './checkout/entry-guard.ts'
export {
  type CheckoutResponse,
  framed,
  isTooLate,
  UNKNOWN_LINK,
  type Wrong,
  wrongAmount,
  wrongOf,
  wrongSummary,
} from './checkout/frame.ts'
export { sessionPageRoutes } from './investment-api/page-routes.ts'
export { type InvestmentSessionDeps, investmentSessionApiRoutes } from './investment-api/routes.ts'
export { INVESTMENT_SESSION_STEPS, olderPage, olderResponse, renamedIn } from './investment-api/schemas.ts'
export { type JoinRouteDeps, joinRoutes } from './join-page/routes.ts'
export { invitationLink, syndicateInvitationRoutes } from './syndicate-invitations/routes.ts'
