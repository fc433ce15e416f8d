export { sandboxRoutes } from './routes.ts'
export type { SandboxSettings } from './settings.ts'
