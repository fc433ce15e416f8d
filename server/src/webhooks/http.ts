export { webhookDocument } from './retry-policy.ts'
export { type WebhookRouteDeps, webhookRoutes } from './routes.ts'
