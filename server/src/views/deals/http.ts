export { type DealRouteDeps, dealRoutes } from './routes.ts'
export { DEAL_STEPS, type DealRecord, DealSchema } from './schemas.ts'
