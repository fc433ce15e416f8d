export { type ContentDeps, contentRoutes } from './routes.ts'
