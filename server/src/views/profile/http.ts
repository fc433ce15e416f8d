export type { ProfileRouteDeps } from './route-parts.ts'
export { profileRoutes } from './routes.ts'
