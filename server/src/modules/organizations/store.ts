import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export const ORGANIZATION_ROLES = ['owner', 'admin', 'developer'] as const
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number]

export type Organization = { readonly id: Id<'organization'>; readonly name: string }

const INSERT = platformStatement(
  'organizations.insert',
  'insert into platform.organizations (id, name) values ($1, $2)',
)

export async function insertOrganization(tx: PlatformTx, { id, name }: Organization): Promise<void> {
  await tx.run(INSERT, [id, name])
}

type OrganizationState = { readonly state: 'active' | 'ended' }

/** `for share`: it is not ended while somebody joins it. */
const STATE = platformStatement<OrganizationState>(
  'organizations.state',
  'select state from platform.organizations where id = $1 for share',
)

export async function findState(tx: PlatformTx, id: Id<'organization'>): Promise<OrganizationState | null> {
  return tx.maybeOne(STATE, [id])
}

/** Accounts are never deleted, so looking needs no lock. */
const ACCOUNT_EXISTS = platformStatement<{ id: Id<'account'> }>(
  'organizations.account_exists',
  'select id from platform.accounts where id = $1',
)

export async function accountExists(tx: PlatformTx, id: Id<'account'>): Promise<boolean> {
  return (await tx.maybeOne(ACCOUNT_EXISTS, [id])) !== null
}

export type Member = {
  readonly organization: Id<'organization'>
  readonly account: Id<'account'>
  readonly role: OrganizationRole
}

const INSERT_MEMBER = platformStatement(
  'organizations.insert_member',
  'insert into platform.organization_members (organization_id, account_id, role) values ($1, $2, $3)',
)

export async function insertMember(tx: PlatformTx, { organization, account, role }: Member): Promise<void> {
  await tx.run(INSERT_MEMBER, [organization, account, role])
}

const ROLE = platformStatement<{ role: OrganizationRole }>(
  'organizations.role',
  'select role from platform.organization_members where organization_id = $1 and account_id = $2',
)

/** Null for who is not on the team. */
export async function findRole(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  account: Id<'account'>,
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(ROLE, [organization, account]))?.role ?? null
}
