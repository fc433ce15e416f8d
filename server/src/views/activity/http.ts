export { ACTIVITY_STEPS, OLDER_RESOURCE_TYPES } from './entry.ts'
export { type ActivityRouteDeps, activityRoutes } from './routes.ts'
