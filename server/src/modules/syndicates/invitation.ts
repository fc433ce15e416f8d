import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type EventNameOf, type NewEvent, NOBODY } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { knownPerson } from './person.ts'
import { lockPersonByEmail, type Person } from './store.ts'
import type { Permission } from './syndicate.ts'
import { syndicateExists } from './syndicate-store.ts'

/** An invitation, or a repeated one. */
export type Inviting = {
  readonly syndicateId: Id<'syndicate'>
  readonly email: string
  readonly name?: string
  /** What the person is invited to be, if more than a member. Kept with the invitation; joining grants nothing. */
  readonly permission?: Permission
  readonly invitedBy: Id<'user'>
}

/** Who invites whom: "user (usr_ or null when the address has no account)". */
export type Parties = { readonly inviter: Person; readonly account: Person | null }

export async function partiesOf(tx: Tx, { syndicateId, email, invitedBy }: Inviting): Promise<Parties> {
  const account = await lockPersonByEmail(tx, email)
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  return { inviter: await knownPerson(tx, 'invited_by', invitedBy), account }
}

type InvitationEvent = Extract<
  EventNameOf<'syndicate_member'>,
  'syndicate_member.invited' | 'syndicate_member.reinvited'
>

type Sent = {
  readonly syndicateId: Id<'syndicate'>
  /** The address as it was written the first time: the events of one invitation agree to the letter. */
  readonly email: string
  readonly name: string | null
  readonly userId: Id<'user'> | null
  readonly occurredAt: WorldTime
}

/** "email, name, user, invited_by". Where nobody said a name, the account's; where there is none, the address. */
export function invitationEvent(name: InvitationEvent, sent: Sent, { inviter, account }: Parties): NewEvent {
  const { syndicateId, email, userId, occurredAt } = sent
  return {
    name,
    subject: { syndicateId, ...(userId === null ? {} : { userId }) },
    occurredAt,
    data: { ...NOBODY, syndicate: syndicateId, user: userId, invited_by: { id: inviter.id, name: NOBODY.name } },
    identity: {
      email,
      name: sent.name ?? account?.name ?? email,
      ...(inviter.name === null ? {} : { invited_by: { name: inviter.name } }),
    },
  }
}

export function notInvited(field: string) {
  return validationError([{ field, code: 'not_invited', message: 'is no address that the syndicate has invited' }])
}
