export type { SandboxSettings } from './play-route.ts'
export { type PortalSandboxDeps, portalSandboxRoutes } from './portal-routes.ts'
export { sandboxRoutes } from './routes.ts'
