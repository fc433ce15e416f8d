export { type WebhookRouteDeps, webhookRoutes } from './routes.ts'
export { webhookDocument } from './webhook-document.ts'
