import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DirectoryEntry, MemberProfile, Permission } from './syndicate.ts'

const SET = statement(
  'syndicates.set_member_countries',
  `update syndicates set member_countries = $2, updated_at = greatest(updated_at, $3::timestamptz) where id = $1`,
)

export type MemberCountries = { readonly id: Id<'syndicate'>; readonly countries: readonly string[] | null }

/** False where there is no such syndicate. */
export async function writeMemberCountries(
  tx: Tx,
  { id, countries }: MemberCountries,
  at: WorldTime,
): Promise<boolean> {
  return (await tx.run(SET, [id, countries, at])) === 1
}

const INSERT = statement(
  'syndicates.add_deal',
  `insert into syndicate_deals (syndicate_id, offering_id, added_at) values ($1, $2, $3) on conflict do nothing`,
)

/** False when the syndicate runs this offering already. */
export async function insertDeal(
  tx: Tx,
  deal: { syndicateId: Id<'syndicate'>; offeringId: Id<'offering'>; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(INSERT, [deal.syndicateId, deal.offeringId, deal.at])) === 1
}

const DELETE = statement(
  'syndicates.remove_deal',
  'delete from syndicate_deals where syndicate_id = $1 and offering_id = $2',
)

/** False when the syndicate did not run it. */
export async function deleteDeal(tx: Tx, syndicateId: Id<'syndicate'>, offeringId: Id<'offering'>): Promise<boolean> {
  return (await tx.run(DELETE, [syndicateId, offeringId])) === 1
}

const MEMBERS = statement<{ id: Id<'membership'> }>(
  'syndicates.members_of_draft',
  `select id from memberships where syndicate_id = $1 and status = 'member' order by id`,
)

export async function membersOfDraft(tx: Tx, id: Id<'syndicate'>): Promise<Id<'membership'>[]> {
  return (await tx.many(MEMBERS, [id])).map(({ id: one }) => one)
}

const EMPTY = [
  statement('syndicates.managers_of_draft', 'delete from syndicate_managers where syndicate_id = $1'),
  statement('syndicates.invitations_of_draft', 'delete from syndicate_invitations where syndicate_id = $1'),
]

/** Frees the slug, so that a new syndicate may use it. */
const MARK = statement(
  'syndicates.delete_draft',
  `update syndicates set deleted_at = $2, updated_at = $2, slug = 'deleted.' || lower(id), membership_open = false
    where id = $1 and not published and not launched and deleted_at is null`,
)

/** False where there is no such draft. */
export async function emptyDraft(tx: Tx, id: Id<'syndicate'>, at: WorldTime): Promise<boolean> {
  if ((await tx.run(MARK, [id, at])) === 0) return false
  for (const rows of EMPTY) await tx.run(rows, [id])
  return true
}

/** What events say of a person. Both are null once the person was deactivated. */
export type Person = { readonly id: Id<'user'>; readonly name: string | null; readonly email: string | null }

const FIND = statement<Person>('syndicates.person', 'select id, name, email from users where id = $1')

/** Without a lock. Callers that need one take it first (`lockUser` of people). */
export async function findPerson(tx: Tx, id: Id<'user'>): Promise<Person | null> {
  return tx.maybeOne(FIND, [id])
}

const LOCK_BY_EMAIL = statement<Person>(
  'syndicates.lock_person_by_email',
  'select id, name, email from users where lower(email) = lower($1::text collate "C") for no key update',
)

/** Locks the person with this address, so that they are not erased while it is written. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<Person | null> {
  return tx.maybeOne(LOCK_BY_EMAIL, [email])
}

const LOCK_MEMBER = statement<Person>(
  'syndicates.lock_member',
  `select id, name, email from users where id = (select user_id from memberships where id = $1) for no key update`,
)

/** The person comes before the membership; whose it is never changes, so it may be looked up before any lock. */
export async function lockMember(tx: Tx, membershipId: Id<'membership'>): Promise<Person | null> {
  return tx.maybeOne(LOCK_MEMBER, [membershipId])
}

const MANAGER_SET = statement(
  'syndicates.set_manager',
  `insert into syndicate_managers (syndicate_id, user_id, permission, started_at) values ($1, $2, $3, $4)
   on conflict (syndicate_id, user_id) do update set permission = excluded.permission`,
)

/** A manager already keeps the time at which they became one. */
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

/** False when the person was no manager here. */
export async function deleteManager(tx: Tx, syndicateId: Id<'syndicate'>, userId: Id<'user'>): Promise<boolean> {
  return (await tx.run(MANAGER_DELETE, [syndicateId, userId])) === 1
}

/** Writers of an event with the member's name lock one of these rows, so this waits for them. */
const LOCK_MEMBERSHIPS = statement<{ invited_email: string | null }>(
  'erasure.lock_memberships',
  'select invited_email from memberships where user_id = $1 order by id for no key update',
)

/** The addresses the person was invited under. */
export async function lockMemberships(tx: Tx, userId: Id<'user'>): Promise<string[]> {
  const rows = await tx.many(LOCK_MEMBERSHIPS, [userId])
  return rows.map(({ invited_email }) => invited_email).filter((address) => address !== null)
}

const DELETE_BY_ACCOUNT = statement(
  'erasure.invitations_by_account',
  'delete from syndicate_invitations where user_id = $1',
)

/** Sent before the address had an account; one that has since been sent to another account is that person's. */
const DELETE_BY_ADDRESS = statement(
  'erasure.invitations_by_address',
  `delete from syndicate_invitations
    where user_id is null and email_key in (select lower(each collate "C") from unnest($1::text[]) each)`,
)

const CLEAR_MEMBERSHIPS = statement(
  'erasure.memberships',
  `update memberships set profile = '{}', invited_email = null, title = null, private_tags = '{}' where user_id = $1`,
)

export async function eraseInvitations(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(DELETE_BY_ACCOUNT, [userId])
  await tx.run(DELETE_BY_ADDRESS, [addresses])
}

export async function eraseDirectoryEntries(tx: Tx, userId: Id<'user'>): Promise<void> {
  await tx.run(CLEAR_MEMBERSHIPS, [userId])
}

type EntryRow = Omit<DirectoryEntry, 'profile' | 'private_tags' | `${string}_discount_percentage`> & {
  readonly carry_discount_percentage: string | null
  readonly management_fee_discount_percentage: string | null
  readonly profile: string
  readonly private_tags: string[]
}

const READ = statement<EntryRow>(
  'directory.read',
  `select title, sort_order, public_on_syndicate_profile, carry_percentage_override, carry_discount_percentage,
          management_fee_discount_percentage, profile, private_tags
     from memberships where id = $1`,
)

/** Of a membership that the caller has locked. */
export async function readEntry(tx: Tx, id: Id<'membership'>): Promise<DirectoryEntry> {
  const row = await tx.one(READ, [id])
  return {
    ...row,
    carry_discount_percentage: percent(row.carry_discount_percentage),
    management_fee_discount_percentage: percent(row.management_fee_discount_percentage),
    profile: JSON.parse(row.profile) as MemberProfile,
  }
}

/** The size is what the database counts, so the database is asked: a refusal here is no failed transaction. */
const UPDATE = statement(
  'directory.update',
  `update memberships
      set title = $2, sort_order = $3, public_on_syndicate_profile = $4, carry_percentage_override = $5,
          carry_discount_percentage = $6, management_fee_discount_percentage = $7, profile = $8::jsonb,
          private_tags = $9, updated_at = greatest(updated_at, $10::timestamptz)
    where id = $1 and octet_length($8::jsonb::text) <= 20000`,
)

/** False when the profile is too large. */
export async function updateEntry(
  tx: Tx,
  { id, entry, at }: { id: Id<'membership'>; entry: DirectoryEntry; at: WorldTime },
): Promise<boolean> {
  const written = await tx.run(UPDATE, [
    id,
    entry.title,
    entry.sort_order,
    entry.public_on_syndicate_profile,
    entry.carry_percentage_override,
    entry.carry_discount_percentage,
    entry.management_fee_discount_percentage,
    JSON.stringify(entry.profile),
    entry.private_tags,
    at,
  ])
  return written === 1
}

const SET_HIDDEN = statement(
  'directory.set_hidden',
  `update memberships set directory_hidden = $2, updated_at = greatest(updated_at, $3::timestamptz)
    where id = $1 and directory_hidden <> $2`,
)

/** False when it was so already. */
export async function setHidden(
  tx: Tx,
  { id, hidden, at }: { id: Id<'membership'>; hidden: boolean; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(SET_HIDDEN, [id, hidden, at])) === 1
}

/** numeric arrives as text; two decimals of at most a hundred are exact enough as a number. */
export function percent(text: string | null): number | null {
  return text === null ? null : Number(text)
}
