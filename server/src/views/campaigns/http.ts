export { type CampaignRouteDeps, campaignRoutes } from './routes.ts'
