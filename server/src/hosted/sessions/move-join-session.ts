import { lockActiveUser } from '#access/people/index.ts'
import { appendEvent, ERASED_PERSON, type EventNameOf, type NewEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type Transition, transition } from '#kernel/state-machine.ts'
import { knownPerson, type Person } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  type IneligibleReason,
  JOIN_SESSION_MACHINE,
  type JoinSessionAlso,
  type JoinSessionMove,
  type JoinSessionState,
} from './join-session-states.ts'
import { isDue, type JoinSessionRow, lockJoinSession, lockPersonAt, updateJoinSession } from './join-session-store.ts'

type Step = Transition<JoinSessionState, JoinSessionMove, EventOfSession, JoinSessionAlso>
type EventOfSession = Parameters<typeof joinSessionEvent>[0]

export type BegunMove = { readonly session: JoinSessionRow; readonly step: Step }

type Moving = { readonly move: JoinSessionMove; readonly occasion: Occasion }

/** Locks the session and checks the move against the table, before any change of a membership. */
export async function beginMove(tx: Tx, id: Id<'joinSession'>, { move, occasion }: Moving): Promise<BegunMove> {
  const session = await lockedJoinSession(tx, id)
  const from = move === 'expire' ? session.status : await statusAt(tx, session, occasion)
  return { session, step: transition(JOIN_SESSION_MACHINE, { from, move }) }
}

/** From expires_at on, a session counts as expired, even before a worker has recorded that. */
export async function statusAt(
  tx: Tx,
  { id, status }: JoinSessionRow,
  { occurredAt }: Pick<Occasion, 'occurredAt'>,
): Promise<JoinSessionState> {
  const underWay = status === 'open' || status === 'pending_approval'
  return underWay && (await isDue(tx, id, occurredAt)) ? 'expired' : status
}

/** Like `beginMove`, for a move that may set the session's person or change that person's membership. Locks the person first. */
export async function beginMoveOf(
  tx: Tx,
  { id, userId }: { readonly id: Id<'joinSession'>; readonly userId?: Id<'user'> },
  moving: Moving,
): Promise<BegunMove> {
  await lockPersonAt(tx, id, userId ?? null)
  return beginMove(tx, id, moving)
}

export async function lockedJoinSession(tx: Tx, id: Id<'joinSession'>): Promise<JoinSessionRow> {
  const session = await lockJoinSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  return session
}

type Set = {
  readonly user_id?: Id<'user'>
  readonly membership_id?: Id<'membership'>
  readonly ineligible_reason?: IneligibleReason
  readonly applied?: boolean
}

/** Writes the new state and records exactly the events that the state machine lists for the move. */
export async function finishMove(tx: Tx, { session, step }: BegunMove, set: Set, occasion: Occasion): Promise<void> {
  const moved = { ...session, ...set, status: step.to }
  const person = moved.user_id === null ? null : await knownPerson(tx, 'user', moved.user_id)
  const occurredAt = await updateJoinSession(tx, moved, occasion.occurredAt)
  for (const name of step.events) await appendEvent(tx, joinSessionEvent(name, moved, { person, occurredAt }), occasion)
}

/** The person who signed in before, or the person whom the caller names now. Null if there is no person yet. */
export async function personAt(tx: Tx, session: JoinSessionRow, named?: Id<'user'>): Promise<Id<'user'> | null> {
  if (named === undefined || named === session.user_id) return session.user_id
  if (session.user_id !== null) {
    const message = 'is not the person who signed in'
    throw validationError([{ field: 'user', code: 'already_signed_in', message }])
  }
  await lockActiveUser(tx, 'user', named)
  return named
}

/** Like `personAt`, for moves that need a person: rejects a session in which no person has signed in. */
export async function finisherOf(tx: Tx, session: JoinSessionRow, named?: Id<'user'>): Promise<Id<'user'>> {
  const userId = await personAt(tx, session, named)
  if (userId !== null) return userId
  throw validationError([{ field: 'user', code: 'required', message: 'is required: no person has signed in yet' }])
}

/** "data always carries id, syndicate, status, occurred_at, and user", "also ineligible_reason and theme". */
function joinSessionEvent(
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
      user: person === null ? null : { id: person.id, name: ERASED_PERSON.name },
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
