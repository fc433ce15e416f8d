export { REMOVED_TAG, removedRoutes } from './routes.ts'
