export { AppRecord, appRecord, showApp, showApps } from './app-record.ts'
export { platformAppRoutes } from './platform-routes.ts'
export { type AppRouteDeps, portalAppRoutes } from './portal-routes.ts'
export { AppDeletionBody, KeyParam, KeyRecord, NewAppBody, NewKeyBody, showKey, showKeys } from './schemas.ts'
