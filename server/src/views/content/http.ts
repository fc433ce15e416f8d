export { CONTENT_STEPS } from './older-versions.ts'
export { type ContentDeps, contentRoutes } from './routes.ts'
