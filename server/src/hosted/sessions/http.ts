export { amountField, amountShown, readAmount, spokenAmount } from './checkout/amount.ts'
export {
  type CheckoutDeps,
  type CheckoutEntry,
  type GuardedEntry,
  guardEntry,
  instead,
  whereOnward,
} from './checkout/entry-guard.ts'
export {
  type CheckoutAnswer,
  framed,
  isTooLate,
  UNKNOWN_LINK,
  type Wrong,
  wrongAmount,
  wrongOf,
  wrongSummary,
} from './checkout/frame.ts'
export { testButtons } from './checkout/sandbox-play.ts'
export { INVESTMENT_SESSION_STEPS, olderAnswer, olderPage, renamedIn } from './investment-api/older-versions.ts'
export { sessionPageRoutes } from './investment-api/page-routes.ts'
export { type InvestmentSessionDeps, investmentSessionApiRoutes } from './investment-api/routes.ts'
export { type JoinRouteDeps, joinRoutes } from './join-page/routes.ts'
