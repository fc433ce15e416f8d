import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { EventName } from './event-data.ts'

/** An event as it was recorded: what the answer to a fact or a sandbox move names as its consequences. */
export type RecordedEvent = { readonly id: Id<'event'>; readonly name: EventName; readonly occurredAt: WorldTime }

/**
 * Why something is happening now, and when it happened out there. Every use case that may cause events takes one:
 * `cause` is the fact's id (or the request's, in the sandbox) and `caused` collects what came of it.
 */
export type Occasion = {
  readonly cause: string
  readonly occurredAt: WorldTime
  readonly caused: RecordedEvent[]
}
