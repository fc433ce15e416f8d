import { lockOwnersOf } from '#access/people/index.ts'
import { appendEvent, ERASED_PERSON, type EventNameOf, type NewEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { insertInvitation, repeatInvitation } from './invitation-store.ts'
import { knownPerson } from './membership-moves.ts'
import { membershipStatus } from './membership-store.ts'
import { lockPersonByEmail, type Person } from './people-store.ts'
import type { Permission } from './syndicate.ts'
import { syndicateExists } from './syndicate-store.ts'

/**
 * "Invitations create no membership; they are keyed by email." Without a given name, the account's name is stored, because the
 * directory searches and sorts by the name that it shows.
 */
export async function inviteMember(tx: Tx, input: Inviting, occasion: Occasion): Promise<void> {
  const parties = await partiesOf(tx, input)
  const userId = parties.account?.id ?? null
  if (await isMember(tx, input, userId)) throw alreadyMember()
  const invitation = {
    id: newId('membership'),
    syndicateId: input.syndicateId,
    email: input.email,
    name: input.name ?? parties.account?.name ?? null,
    userId,
    permission: input.permission ?? null,
    invitedBy: input.invitedBy,
    occurredAt: occasion.occurredAt,
  }
  if (!(await insertInvitation(tx, invitation))) throw alreadyInvited()
  await appendEvent(tx, invitationEvent('syndicate_member.invited', invitation, parties), occasion)
}

async function isMember(tx: Tx, { syndicateId }: Inviting, userId: Id<'user'> | null): Promise<boolean> {
  return userId !== null && (await membershipStatus(tx, syndicateId, userId)) === 'member'
}

export function alreadyMember() {
  const message = 'is the address of a member of the syndicate'
  return validationError([{ field: 'email', code: 'already_member', message }])
}

export function alreadyInvited() {
  const message = 'was invited before: send that invitation again instead'
  return validationError([{ field: 'email', code: 'already_exists', message }])
}

/**
 * Records that the invitation is sent again. If the address has an account by now, the invitation gets the account's id. If the
 * invitation has no name, it also gets the account's name.
 */
export async function reinviteMember(tx: Tx, input: Inviting, occasion: Occasion): Promise<void> {
  const parties = await partiesOf(tx, input)
  const repeated = await repeatInvitation(tx, {
    syndicateId: input.syndicateId,
    email: input.email,
    name: input.name ?? null,
    accountName: parties.account?.name ?? null,
    userId: parties.account?.id ?? null,
    permission: input.permission ?? null,
    invitedBy: input.invitedBy,
    occurredAt: occasion.occurredAt,
  })
  if (repeated === null) throw notInvited('email')
  const sent = {
    syndicateId: input.syndicateId,
    email: repeated.email,
    name: repeated.name,
    userId: repeated.user_id,
    occurredAt: repeated.last_invited_at,
  }
  await appendEvent(tx, invitationEvent('syndicate_member.reinvited', sent, parties), occasion)
}

/** The input for an invitation, and for sending it again. */
export type Inviting = {
  readonly syndicateId: Id<'syndicate'>
  readonly email: string
  readonly name?: string
  /** The permission that the invitation names. It is stored with the invitation; joining does not grant it. */
  readonly permission?: Permission
  readonly invitedBy: Id<'user'>
}

/** The inviter, and the account at the address: "user (usr_ or null when the address has no account)". */
type Parties = { readonly inviter: Person; readonly account: Person | null }

export async function partiesOf(tx: Tx, { syndicateId, email, invitedBy }: Inviting): Promise<Parties> {
  await lockOwnersOf(tx, 'email', email)
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
  /** The address as first written, so that all events of one invitation have the same text. */
  readonly email: string
  readonly name: string | null
  readonly userId: Id<'user'> | null
  readonly occurredAt: WorldTime
}

/** "email, name, user, invited_by". `name` is the name in the invitation, otherwise the account's name, otherwise the address. */
function invitationEvent(name: InvitationEvent, sent: Sent, { inviter, account }: Parties): NewEvent {
  const { syndicateId, email, userId, occurredAt } = sent
  return {
    name,
    subject: { syndicateId, ...(userId === null ? {} : { userId }) },
    occurredAt,
    data: {
      ...ERASED_PERSON,
      syndicate: syndicateId,
      user: userId,
      invited_by: { id: inviter.id, name: ERASED_PERSON.name },
    },
    identity: {
      email,
      name: sent.name ?? account?.name ?? email,
      ...(inviter.name === null ? {} : { invited_by: { name: inviter.name } }),
    },
  }
}

export function notInvited(field: string) {
  return validationError([{ field, code: 'not_invited', message: 'is not an address that the syndicate has invited' }])
}
