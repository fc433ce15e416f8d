import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Permission } from './syndicate.ts'

/** A person as events name them. Name and email are null once the person is deactivated. */
export type Person = { readonly id: Id<'user'>; readonly name: string | null; readonly email: string | null }

const FIND = statement<Person>('syndicates.person', 'select id, name, email from users where id = $1')

/** Takes no lock. A caller that needs the person locked calls `lockUser` of the module people first. */
export async function findPerson(tx: Tx, id: Id<'user'>): Promise<Person | null> {
  return tx.maybeOne(FIND, [id])
}

const LOCK_BY_EMAIL = statement<Person>(
  'syndicates.lock_person_by_email',
  'select id, name, email from users where lower(email) = lower($1::text collate "C") for no key update',
)

/** Locks the person with this address. Call `lockOwnersOf` first: it also locks the people who had the address before. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<Person | null> {
  return tx.maybeOne(LOCK_BY_EMAIL, [email])
}

const LOCK_MEMBER = statement<Person>(
  'syndicates.lock_member',
  `select id, name, email from users where id = (select user_id from memberships where id = $1) for no key update`,
)

/** Locks the person, who comes before the membership in the lock order. A membership's person never changes. */
export async function lockMember(tx: Tx, membershipId: Id<'membership'>): Promise<Person | null> {
  return tx.maybeOne(LOCK_MEMBER, [membershipId])
}

const MANAGER_SET = statement(
  'syndicates.set_manager',
  `insert into syndicate_managers (syndicate_id, user_id, permission, started_at) values ($1, $2, $3, $4)
   on conflict (syndicate_id, user_id) do update set permission = excluded.permission`,
)

/** An existing manager keeps their start time. */
export async function putManager(
  tx: Tx,
  manager: { syndicateId: Id<'syndicate'>; userId: Id<'user'>; permission: Permission; at: WorldTime },
): Promise<void> {
  await tx.run(MANAGER_SET, [manager.syndicateId, manager.userId, manager.permission, manager.at])
}

const DEMOTE = statement(
  'syndicates.demote_manager',
  `update syndicate_managers set permission = 'operator'
    where syndicate_id = $1 and user_id = $2 and permission = 'full_access'`,
)

export async function demoteManager(tx: Tx, syndicateId: Id<'syndicate'>, userId: Id<'user'>): Promise<boolean> {
  return (await tx.run(DEMOTE, [syndicateId, userId])) === 1
}

const MANAGER_DELETE = statement(
  'syndicates.end_manager',
  'delete from syndicate_managers where syndicate_id = $1 and user_id = $2',
)

/** Returns false if the person was not a manager of the syndicate. */
export async function deleteManager(tx: Tx, syndicateId: Id<'syndicate'>, userId: Id<'user'>): Promise<boolean> {
  return (await tx.run(MANAGER_DELETE, [syndicateId, userId])) === 1
}

/** A transaction that writes an event with the member's name locks one of these rows, so this statement waits for it. */
const LOCK_MEMBERSHIPS = statement<{ invited_email: string | null }>(
  'erasure.lock_memberships',
  'select invited_email from memberships where user_id = $1 order by id for no key update',
)

/** Returns the addresses under which the person was invited. */
export async function lockMemberships(tx: Tx, userId: Id<'user'>): Promise<string[]> {
  const rows = await tx.many(LOCK_MEMBERSHIPS, [userId])
  return rows.map(({ invited_email }) => invited_email).filter((address) => address !== null)
}

type InvitationId = { readonly id: Id<'membership'> }

const DELETE_BY_ACCOUNT = statement<InvitationId>(
  'erasure.invitations_by_account',
  'delete from syndicate_invitations where user_id = $1 returning id',
)

/**
 * Deletes invitations to these addresses that were sent before the address had an account. An invitation that now belongs to
 * another account stays.
 */
const DELETE_BY_ADDRESS = statement<InvitationId>(
  'erasure.invitations_by_address',
  `delete from syndicate_invitations
    where user_id is null and email_key in (select lower(each collate "C") from unnest($1::text[]) each)
   returning id`,
)

const MAILED_BY = statement<InvitationId>(
  'erasure.invitations_mailed_by',
  'select id from syndicate_invitations where invited_by = $1 and mailed_at is not null',
)

const CLEAR_MEMBERSHIPS = statement(
  'erasure.memberships',
  `update memberships set profile = '{}', invited_email = null, title = null, private_tags = '{}' where user_id = $1`,
)

/** Returns the deleted invitations. */
export async function eraseInvitations(
  tx: Tx,
  userId: Id<'user'>,
  addresses: readonly string[],
): Promise<readonly InvitationId[]> {
  return [...(await tx.many(DELETE_BY_ACCOUNT, [userId])), ...(await tx.many(DELETE_BY_ADDRESS, [addresses]))]
}

/** The mailed invitations that the person sent to others, open or not. The erasure does not close them. */
export async function findMailedBy(tx: Tx, userId: Id<'user'>): Promise<readonly InvitationId[]> {
  return tx.many(MAILED_BY, [userId])
}

export async function eraseDirectoryEntries(tx: Tx, userId: Id<'user'>): Promise<void> {
  await tx.run(CLEAR_MEMBERSHIPS, [userId])
}
