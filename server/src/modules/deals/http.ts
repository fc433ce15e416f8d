export { type DealRecord, DealSchema } from './deal/deal-schema.ts'
export { type DealRouteDeps, dealRoutes } from './routes.ts'
