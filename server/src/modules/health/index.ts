export type { Facts } from './readiness.ts'
export { countMigrations } from './store.ts'
