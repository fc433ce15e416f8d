import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { DisabledReason } from '../endpoints/endpoint.ts'

export const ENDPOINT_NOTICES = [
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled_soon',
  'webhook_endpoint.disabled',
] as const
export type EndpointNoticeKind = (typeof ENDPOINT_NOTICES)[number]

/** What the team of an app is told about one of its endpoints. */
export type EndpointNotice = {
  readonly kind: EndpointNoticeKind
  readonly app: Id<'app'>
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly url: string
  /** World time; null where it answered that it is gone. */
  readonly failingSince: string | null
  /** Null while it is enabled. */
  readonly reason: DisabledReason | null
}

/** In the transaction that makes it so. Telling is the business of a module that knows this one; main hands it in. */
export type TellTeam = (tx: Tx, notice: EndpointNotice) => Promise<void>
