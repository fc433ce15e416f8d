export { type DeliveryEngine, deliveryEngine } from './deliver/engine.ts'
export { ENGINE_DEFAULTS } from './deliver/settings.ts'
export { deliveryLagSeconds, webhookQueues } from './deliver/store.ts'
export {
  disableGone,
  ENDPOINT_NOTICES,
  type EndpointNotice,
  type EndpointNoticeKind,
  type NotifyTeam,
  watchFailing,
} from './disabling/failing-endpoints.ts'
export { nextFailingNoticeInMs } from './disabling/store.ts'
export {
  countEnabledEndpoints,
  eraseSecrets,
  noticeExpiringSigningSecrets,
  previewEndpoints,
  type SecretNotice,
} from './endpoints/manage-endpoint.ts'
export { fanOutRound } from './fan-out/fan-out.ts'
export { expireDeliveries, purgeStrays, turnHistory } from './history/retention.ts'
export { attemptCounts, attemptCountsOfAll, purgeAttemptCounts } from './portal/health-store.ts'
export {
  appsOfDelivery,
  appsOfEndpoint,
  appsOfEvent,
  appsOfWebhookHost,
  listFailingEndpoints,
  retryEndpoint,
} from './portal/platform-store.ts'
export { cancelDeliveries, deleteOldStops, endStopped } from './queue/stop-deliveries.ts'
export { signatureHeaderOf } from './signature.ts'
export { placeRound, purgeEntries } from './stream/queue-store.ts'
