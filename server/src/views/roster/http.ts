export { FUNDRAISE_STEPS, type RosterRouteDeps, rosterRoutes } from './routes.ts'
