export { CAMPAIGN_STEPS, type CampaignRouteDeps, campaignRoutes } from './routes.ts'
