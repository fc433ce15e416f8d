export { ACTIVITY_STEPS, OLDER_RESOURCE_TYPES } from './older-versions.ts'
export { type ActivityRouteDeps, activityRoutes } from './routes.ts'
