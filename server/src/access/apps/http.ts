export { AppRecord, appRecord, showApp } from './app-record.ts'
export { platformAppRoutes } from './platform-routes.ts'
export { type AppRouteDeps, portalAppRoutes } from './portal-routes.ts'
