export { FOLLOW_STEPS, type ProfileRouteDeps } from './follow-routes.ts'
export { CONNECTED_APP_STEPS, profileRoutes } from './routes.ts'
