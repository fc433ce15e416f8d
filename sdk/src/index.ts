import type * as Api from './api-types.ts'

export { API_VERSION } from './api-types.ts'
export {
  type Answer,
  type CallOptions,
  Client,
  type ClientOptions,
  type ListPath,
  type PathOf,
  type ResponseOf,
  type RowOf,
} from './client.ts'
export {
  accessToken,
  type Credential,
  clientCredentials,
  type InstallationOptions,
  installation,
  memoryTokenStore,
  operatorKey,
  publishableKey,
  serverKey,
  type TokenStore,
  user,
} from './credentials.ts'
export {
  ApiError,
  type ApiErrorFields,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  OAuthError,
  PermissionError,
  PorticoError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
export type { EventStream, EventStreamOptions, StreamedEvent, StreamStatus } from './event-stream.ts'
export type { List } from './list.ts'
export {
  type AuthorizationRequest,
  authorizeUrl,
  type CodeExchange,
  exchangeCode,
  type OAuthClient,
  revokeToken,
  type Tokens,
} from './oauth.ts'
export {
  type Hooks,
  type RequestNotice,
  type ResponseNotice,
  type RetryNotice,
  SDK_VERSION,
  type TransportOptions,
} from './transport.ts'
export { type EventName, eventKey, type WebhookEvent, type WebhookEventOf } from './webhook-events.ts'
/** The types of every operation, record and event, generated from the OpenAPI document. */
export type { Api }
