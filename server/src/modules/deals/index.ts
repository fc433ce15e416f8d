export { type DealRecord, DealSchema } from './deal/deal-schema.ts'
export { type DealOf, showDeal } from './deal/show-deal.ts'
export { type DealRouteDeps, dealRoutes } from './routes.ts'
