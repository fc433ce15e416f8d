import type * as Api from './api-types.ts'
import * as webhooks from './webhooks.ts'

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
export { type PostgresClient, postgresStore } from './sync/postgres-store.ts'
export { type SqliteDatabase, sqliteStore, type TableOptions } from './sync/sqlite-store.ts'
export {
  conflictingSync,
  type InvestmentFilters,
  type InvestmentStore,
  type SyncOptions,
  type SyncPage,
  type SyncProgress,
  type SyncResult,
  type SyncState,
  syncInvestments,
} from './sync/sync-investments.ts'
export {
  type Hooks,
  type RequestNotice,
  type ResponseNotice,
  type RetryNotice,
  SDK_VERSION,
  type TransportOptions,
} from './transport.ts'
export { type EventName, eventKey, type WebhookEvent, type WebhookEventOf } from './webhook-events.ts'
export {
  type FastifyInstance,
  fastifyPlugin,
  type HandlerOptions,
  type NodeRequest,
  type NodeResponse,
  nodeHandler,
  requestHandler,
} from './webhook-handlers.ts'
/** The types of every operation, record and event, generated from the OpenAPI document. */
export type { Api }
/** The functions for webhooks, such as `webhooks.verify()`, which checks who sent a webhook, and their errors. */
export { webhooks }
