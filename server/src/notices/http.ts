export { overviewRoutes } from './overview-routes.ts'
export { noticeRoutes } from './routes.ts'
