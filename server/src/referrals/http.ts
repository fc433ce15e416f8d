export { type ReferralRouteDeps, referralRoutes } from './routes.ts'
