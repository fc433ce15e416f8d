export { type SandboxSettings, sandboxRoutes } from './routes.ts'
