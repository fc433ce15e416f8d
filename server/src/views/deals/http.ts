export { DEAL_STEPS } from './older-versions.ts'
export { type DealRouteDeps, dealRoutes } from './routes.ts'
export { type DealRecord, DealSchema } from './schemas.ts'
