import type { WorldTime } from '#kernel/clock.ts'
import { type EventNameOf, type NewEvent, NOBODY } from '#modules/events/index.ts'
import type { Person } from '#modules/syndicates/index.ts'
import type { JoinSessionRow } from './join-session-store.ts'

/** "data always carries id, syndicate, status, occurred_at, and user", "also ineligible_reason and theme". */
export function joinSessionEvent(
  name: EventNameOf<'join_session'>,
  session: JoinSessionRow,
  { person, occurredAt }: { readonly person: Person | null; readonly occurredAt: WorldTime },
): NewEvent {
  return {
    name,
    subject: {
      syndicateId: session.syndicate_id,
      joinSessionId: session.id,
      ...(person === null ? {} : { userId: person.id }),
      ...(session.membership_id === null ? {} : { membershipId: session.membership_id }),
    },
    occurredAt,
    data: {
      id: session.id,
      syndicate: session.syndicate_id,
      status: session.status,
      user: person === null ? null : { id: person.id, name: NOBODY.name },
      ineligible_reason: session.ineligible_reason,
      // "Null in every member for hosted sessions."
      theme: {
        id: session.theme_id,
        version: session.theme_version,
        override_fingerprint: session.theme_override_fingerprint,
      },
    },
    // No address here: "usr_ id and name".
    ...(person === null || person.name === null ? {} : { identity: { user: { name: person.name } } }),
  }
}
