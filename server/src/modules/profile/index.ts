export { isShownTo } from './follow-list-store.ts'
export type { ProfileRouteDeps } from './route-deps.ts'
export { profileRoutes } from './routes.ts'
