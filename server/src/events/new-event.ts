import type { WorldTime } from '#kernel/clock.ts'
import { ID_PREFIX, type Id } from '#kernel/ids.ts'
import type { EventName } from './event-data.ts'

/** The ids of the records that an event is about. Fan-out finds the receivers of the event by these ids. */
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
  /**
   * The app whose code was credited, whose cohorts were released, or that created the investment session or proposed
   * the intent.
   */
  readonly appId?: Id<'app'>
}

export type NewEvent = {
  readonly name: EventName
  readonly subject: Subject
  /**
   * `occurred_at` of the event. The caller makes sure that it increases where the specification orders events by it.
   */
  readonly occurredAt: WorldTime
  /** `data` as the specification shows it, without occurred_at and without identity fields. */
  readonly data: { readonly [key: string]: unknown }
  /**
   * Names and addresses, in the same places as in `data`, stored separately so that they can be erased; also list items
   * that only receivers with access to identity may see.
   */
  readonly identity?: { readonly [key: string]: unknown }
}

/** A recorded event, as the response to a fact or a sandbox move lists it. */
export type RecordedEvent = { readonly id: Id<'event'>; readonly name: EventName; readonly occurredAt: WorldTime }

/**
 * The cause and time of a change. Every use case that may cause events takes one: `cause` is the id of the fact, the request or
 * the intent that causes the change, and `caused` collects the events.
 */
export type Occasion = {
  readonly cause: string
  readonly occurredAt: WorldTime
  readonly caused: RecordedEvent[]
}

/**
 * A placeholder in the `data` of an event for a person whose name is in `identity`, so that the data is still complete
 * after an erasure. Events about an already deactivated person use it too.
 */
export const ERASED_PERSON = { name: '[deleted user]', email: '' } as const

/** "Detect tests by installation.test true or the evt_test_ prefix, never by mode." */
export const TEST_EVENT_PREFIX = `${ID_PREFIX.event}test_`
export const TEST_INSTALLATION_PREFIX = `${ID_PREFIX.installation}test_`
