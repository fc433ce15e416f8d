export { amountField, amountShown, readAmount, spokenAmount } from './checkout/amount.ts'
export {
  type CheckoutDeps,
  type CheckoutEntry,
  type GuardedEntry,
  guardEntry,
  instead,
  type Visit as CheckoutVisit,
  whereOnward,
} from './checkout/entry-guard.ts'
export {
  type Answer as CheckoutAnswer,
  away,
  framed,
  isTooLate,
  refusal,
  UNKNOWN_LINK,
  type Wrong,
  wrongAmount,
  wrongOf,
  wrongSummary,
} from './checkout/frame.ts'
export { testButtons } from './checkout/sandbox-play.ts'
export { sessionPageRoutes } from './investment-api/page-routes.ts'
export { type InvestmentSessionDeps, investmentSessionApiRoutes } from './investment-api/routes.ts'
export { type JoinRouteDeps, joinRoutes } from './join-page/routes.ts'
