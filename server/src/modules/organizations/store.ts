import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export const ORGANIZATION_STATES = ['active', 'ended'] as const
export type OrganizationState = (typeof ORGANIZATION_STATES)[number]

/** Times are real time, as text. */
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

/** `for share`: it is not ended while somebody joins it. */
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
 * Held by whoever changes an organization or its team, so that of two owners who remove each other one stays; and by
 * whoever makes an app for it. Lock first, then look in a new statement.
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

/** The row alone: whoever ends an organization also stops its apps. */
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
