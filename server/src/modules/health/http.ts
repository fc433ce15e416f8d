export { type HealthDeps, healthRoutes } from './routes.ts'
