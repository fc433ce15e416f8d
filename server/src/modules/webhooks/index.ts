export { type DeliveryEngine, deliveryEngine } from './deliver/engine.ts'
export { ENGINE_DEFAULTS } from './deliver/settings.ts'
export { signatureHeaderOf } from './delivery-request.ts'
export { disableGone } from './disabling/disable-endpoint.ts'
export {
  ENDPOINT_NOTICES,
  type EndpointNotice,
  type EndpointNoticeKind,
  type TellTeam,
} from './disabling/endpoint-notice.ts'
export { watchFailing } from './disabling/watch-failing.ts'
export { eraseSecrets } from './endpoints/erase-secrets.ts'
export { fanOutRound } from './fan-out/fan-out.ts'
export { purgeStrays, turnHistory } from './history/turn-history.ts'
export { cancelDeliveries } from './on-revoked.ts'
export { expireDeliveries } from './retention/expire-deliveries.ts'
export { endStopped, forgetStops } from './stopping/end-stopped.ts'
