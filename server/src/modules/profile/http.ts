export type { ProfileRouteDeps } from './route-deps.ts'
export { profileRoutes } from './routes.ts'
