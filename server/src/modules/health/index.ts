export type { Facts } from './readiness.ts'
export { type HealthDeps, healthRoutes } from './routes.ts'
export { countMigrations } from './store.ts'
