export { type AccountDeps, accountRoutes } from './routes.ts'
