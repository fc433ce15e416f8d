export { conditionRoutes } from './routes.ts'
