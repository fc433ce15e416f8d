import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { ENDPOINT_NOTICES, type EndpointNoticeKind } from '#modules/webhooks/index.ts'

export const NOTICE_KINDS = ENDPOINT_NOTICES
export type NoticeKind = EndpointNoticeKind

/** What is said of a webhook endpoint. */
export type NoticeDetails = {
  readonly url: string
  readonly failing_since: string | null
  readonly reason: string | null
}

/** An operational event: something a team has to know about one of its apps. */
export type Notice = {
  readonly id: Id<'notice'>
  readonly app: Id<'app'>
  readonly app_name: string
  readonly world: World
  readonly kind: NoticeKind
  /** The id of what it is about. */
  readonly subject: string
  readonly details: NoticeDetails
  /** By the clock of its world, as `failing_since`; when it is mailed is a matter of real time. */
  readonly created_at: string
}
