export { actingUser, forThemselves } from './acting-user.ts'
export { isShownTo } from './follow-list-store.ts'
export type { ProfileRouteDeps } from './route-deps.ts'
export { profileRoutes } from './routes.ts'
