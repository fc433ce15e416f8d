export { type RosterRouteDeps, rosterRoutes } from './routes.ts'
