export { FOLLOW_STEPS } from './follow-routes.ts'
export type { ProfileRouteDeps } from './route-parts.ts'
export { CONNECTED_APP_STEPS, profileRoutes } from './routes.ts'
