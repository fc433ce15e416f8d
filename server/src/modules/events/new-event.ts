import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { EventName } from './event-data.ts'

/** What an event is about, as far as it concerns somebody: fan-out finds its audience by these. */
export type Subject = {
  readonly companyId?: Id<'company'>
  readonly syndicateId?: Id<'syndicate'>
  readonly userId?: Id<'user'>
  readonly offeringId?: Id<'offering'>
  readonly investmentId?: Id<'investment'>
  readonly membershipId?: Id<'membership'>
  readonly joinSessionId?: Id<'joinSession'>
  readonly investmentSessionId?: Id<'investmentSession'>
  readonly installationId?: Id<'installation'>
  /** The app whose code was credited, whose cohorts were released, or that created the investment session. */
  readonly appId?: Id<'app'>
}

export type NewEvent = {
  readonly name: EventName
  readonly subject: Subject
  /** The time on the wire, already made to rise where the specification orders by it. */
  readonly occurredAt: WorldTime
  /** `data` as the specification shows it, without occurred_at and without whatever identifies a person. */
  readonly data: { readonly [key: string]: unknown }
  /**
   * Names and addresses in the places where `data` would hold them, apart so that they can be erased; and what of a list
   * only those are told who may see them.
   */
  readonly identity?: { readonly [key: string]: unknown }
}
