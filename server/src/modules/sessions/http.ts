export { amountField, amountShown, readAmount, spokenAmount } from './checkout/amount.ts'
export {
  type Arrival,
  type Arrived as ArrivedAt,
  arriveAt,
  type CheckoutDeps,
  type Visit as CheckoutVisit,
} from './checkout/arrive.ts'
export { type Answer as CheckoutAnswer, away, framed, refusal, UNKNOWN_LINK } from './checkout/frame.ts'
export { instead, whereOnward } from './checkout/instead.ts'
export { testButtons } from './checkout/test-buttons.ts'
export { isTooLate, type Wrong, wrongAmount, wrongOf, wrongSummary } from './checkout/wrong.ts'
export { sessionPageRoutes } from './investment-api/page/routes.ts'
export { type InvestmentSessionDeps, investmentSessionApiRoutes } from './investment-api/routes.ts'
export { type JoinRouteDeps, joinRoutes } from './join-routes.ts'
