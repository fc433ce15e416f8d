import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export const ORGANIZATION_STATES = ['active', 'ended'] as const
export type OrganizationState = (typeof ORGANIZATION_STATES)[number]

/** Times are wall time, as text. */
export type Organization = {
  readonly id: Id<'organization'>
  readonly name: string
  readonly state: OrganizationState
  readonly created_at: string
  readonly ended_at: string | null
}

const ORGANIZATION = 'o.id, o.name, o.state, o.created_at, o.ended_at'

const INSERT = platformStatement(
  'organizations.insert',
  'insert into platform.organizations (id, name) values ($1, $2)',
)

export async function insertOrganization(
  tx: PlatformTx,
  { id, name }: Pick<Organization, 'id' | 'name'>,
): Promise<void> {
  await tx.run(INSERT, [id, name])
}

/** `for share`, so that the organization is not ended before the new member is committed. */
const STATE = platformStatement<Pick<Organization, 'state'>>(
  'organizations.state',
  'select state from platform.organizations where id = $1 for share',
)

export async function findState(tx: PlatformTx, id: Id<'organization'>): Promise<Pick<Organization, 'state'> | null> {
  return tx.maybeOne(STATE, [id])
}

const FIND = platformStatement<Organization>(
  'organizations.find',
  `select ${ORGANIZATION} from platform.organizations o where o.id = $1`,
)

export async function findOrganization(queries: PlatformQueries, id: Id<'organization'>): Promise<Organization | null> {
  return queries.maybeOne(FIND, [id])
}

const LOCK = platformStatement<{ id: Id<'organization'> }>(
  'organizations.lock',
  'select id from platform.organizations where id = $1 for no key update',
)

/**
 * Every change of an organization or its team by a member takes this lock, so that one of two owners who remove each other stays. Creating
 * an app takes the lock, too. A second statement reads the row, because it sees the changes of a transaction for which the lock waited.
 */
export async function lockOrganization(tx: PlatformTx, id: Id<'organization'>): Promise<Organization | null> {
  return (await tx.maybeOne(LOCK, [id])) === null ? null : findOrganization(tx, id)
}

const RENAME = platformStatement('organizations.rename', 'update platform.organizations set name = $2 where id = $1')

export async function renameRow(tx: PlatformTx, id: Id<'organization'>, name: string): Promise<void> {
  await tx.run(RENAME, [id, name])
}

const MARK_ENDED = platformStatement(
  'organizations.mark_ended',
  "update platform.organizations set state = 'ended', ended_at = clock_timestamp() where id = $1",
)

/** Changes only the organization's row; the caller also ends its apps. */
export async function markEnded(tx: PlatformTx, id: Id<'organization'>): Promise<void> {
  await tx.run(MARK_ENDED, [id])
}

const LIST = platformStatement<Organization>(
  'organizations.list',
  `select ${ORGANIZATION} from platform.organizations o where o.id > $1 order by o.id limit $2`,
)

export type OrganizationsPage = { readonly after: string; readonly limit: number }

export async function listOrganizations(queries: PlatformQueries, { after, limit }: OrganizationsPage) {
  return queries.many(LIST, [after, limit])
}

export const ORGANIZATION_ROLES = ['owner', 'admin', 'developer'] as const
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number]

const ACCOUNT_EXISTS = platformStatement<{ id: Id<'account'> }>(
  'organizations.account_exists',
  'select id from platform.accounts where id = $1 and deleted_at is null',
)

export async function accountExists(tx: PlatformTx, id: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(ACCOUNT_EXISTS, [id])) !== null
}

export type Member = {
  readonly organization: Id<'organization'>
  readonly account: Id<'account'>
  readonly role: OrganizationRole
}

/** `for share` waits for a transaction that is deleting the account. If that transaction commits, no row is inserted. */
const INSERT_MEMBER = platformStatement<{ account_id: Id<'account'> }>(
  'organizations.insert_member',
  `insert into platform.organization_members (organization_id, account_id, role)
   select $1, id, $3 from platform.accounts where id = $2 and deleted_at is null for share
   returning account_id`,
)

export async function insertMember(tx: PlatformTx, { organization, account, role }: Member): Promise<void> {
  if ((await tx.maybeOne(INSERT_MEMBER, [organization, account, role])) === null) {
    throw new UnknownReference('account', account)
  }
}

const ROLE = platformStatement<{ role: OrganizationRole }>(
  'organizations.role',
  'select role from platform.organization_members where organization_id = $1 and account_id = $2',
)

/** Null for a person outside the team. */
export async function findRole(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  account: Id<'account'>,
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(ROLE, [organization, account]))?.role ?? null
}

const SET_ROLE = platformStatement(
  'organizations.set_role',
  'update platform.organization_members set role = $3 where organization_id = $1 and account_id = $2',
)

export async function updateRole(tx: PlatformTx, { organization, account, role }: Member): Promise<void> {
  await tx.run(SET_ROLE, [organization, account, role])
}

const DELETE = platformStatement(
  'organizations.delete_member',
  'delete from platform.organization_members where organization_id = $1 and account_id = $2',
)

export async function deleteMember(tx: PlatformTx, organization: Id<'organization'>, account: Id<'account'>) {
  await tx.run(DELETE, [organization, account])
}

/** A team member with the data that the others on the team see. */
export type TeamMember = {
  readonly account_id: Id<'account'>
  readonly name: string
  readonly email: string
  readonly role: OrganizationRole
  readonly created_at: string
}

const TEAM = platformStatement<TeamMember>(
  'organizations.team',
  `select m.account_id, a.name, a.email, m.role, m.created_at
     from platform.organization_members m join platform.accounts a on a.id = m.account_id
    where m.organization_id = $1 order by m.created_at, m.account_id`,
)

export async function listTeam(queries: PlatformQueries, organization: Id<'organization'>): Promise<TeamMember[]> {
  return queries.many(TEAM, [organization])
}

type TeamAddress = { readonly account_id: Id<'account'>; readonly email: string }

const TEAM_ADDRESSES = platformStatement<TeamAddress>(
  'organizations.team_addresses',
  `select m.account_id, a.email
     from platform.organization_members m join platform.accounts a on a.id = m.account_id and a.disabled_at is null
    where m.organization_id = $1 order by m.account_id`,
)

/** The addresses to which members get mail, without those of disabled accounts. */
export async function listTeamAddresses(
  queries: PlatformQueries,
  organization: Id<'organization'>,
): Promise<TeamAddress[]> {
  return queries.many(TEAM_ADDRESSES, [organization])
}

/** The parameter gets the column's collation, so that `lower` changes the same (ASCII) letters on both sides of `=`. */
const MEMBER_AT = platformStatement<{ account_id: Id<'account'> }>(
  'organizations.member_at',
  `select m.account_id from platform.organization_members m join platform.accounts a on a.id = m.account_id
    where m.organization_id = $1 and lower(a.email) = lower($2 collate "C")`,
)

export async function isAddressOfMember(tx: PlatformTx, organization: Id<'organization'>, email: string) {
  return (await tx.maybeOne(MEMBER_AT, [organization, email])) !== null
}

export type Membership = Organization & { readonly role: OrganizationRole }

const OF_ACCOUNT = platformStatement<Membership>(
  'organizations.of_account',
  `select o.id, o.name, o.state, o.created_at, o.ended_at, m.role
     from platform.organization_members m join platform.organizations o on o.id = m.organization_id
    where m.account_id = $1 order by o.id`,
)

export async function organizationsOf(queries: PlatformQueries, account: Id<'account'>): Promise<Membership[]> {
  return queries.many(OF_ACCOUNT, [account])
}

const LOCK_ACCOUNT = platformStatement<{ id: Id<'account'> }>(
  'organizations.lock_account',
  'select id from platform.accounts where id = $1 for no key update',
)

/** Locks the account, so that two concurrent requests of one person count their organizations one after the other. */
export async function lockMemberships(tx: PlatformTx, account: Id<'account'>): Promise<void> {
  await tx.maybeOne(LOCK_ACCOUNT, [account])
}
