export { requestLogRoutes } from './routes.ts'
