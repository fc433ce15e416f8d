export { type ActivityRouteDeps, activityRoutes } from './routes.ts'
