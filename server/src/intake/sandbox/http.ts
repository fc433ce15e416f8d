export type { SandboxSettings } from './play-route.ts'
export { sandboxRoutes } from './routes.ts'
