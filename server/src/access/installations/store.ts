import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { PiiBy } from './grant-rules.ts'
import type { Installation, InstallationState, Target, Tier } from './installation.ts'

/**
 * Statements that end installations run on a world's connection, with bare table names, and on the platform's connection,
 * with schema names. The texts here serve both connections.
 */
type Schema = '' | `${World}.`

export type InstallationRow = {
  readonly id: Id<'installation'>
  readonly app_id: Id<'app'>
  readonly target_type: Target['type']
  readonly target_id: string
  readonly target_name: string | null
  readonly tier: Tier
  readonly scopes: readonly string[]
  readonly taken_scopes: readonly string[]
  readonly by_default: boolean
  readonly state: InstallationState
  readonly installed_at: WorldTime
  readonly installed_by_role: string
  readonly revoked_at: WorldTime | null
  readonly revoked_by_role: string | null
}

export const findText = (schema: Schema) => `
  select i.id, i.app_id, i.target_type, coalesce(i.company_id, i.syndicate_id, i.user_id) as target_id,
         coalesce(c.name, s.name) as target_name, i.tier, i.scopes, i.taken_scopes, i.by_default, i.state,
         i.installed_at, i.installed_by_role, i.revoked_at, i.revoked_by_role
    from ${schema}installations i
    left join ${schema}companies c on c.id = i.company_id left join ${schema}syndicates s on s.id = i.syndicate_id
   where i.id = any($1) order by i.id`

export function installationOf(row: InstallationRow): Installation {
  return {
    id: row.id,
    appId: row.app_id,
    // A constraint of the table guarantees that the id fits the type, and that companies and syndicates have a name.
    target: { type: row.target_type, id: row.target_id, name: row.target_name } as Target,
    tier: row.tier,
    scopes: row.scopes,
    takenScopes: row.taken_scopes,
    byDefault: row.by_default,
    state: row.state,
    installedAt: row.installed_at,
    installedByRole: row.installed_by_role,
    revokedAt: row.revoked_at,
    revokedByRole: row.revoked_by_role,
  }
}

/** The time is read after the lock was taken, so it is later than the changes for which the lock waited. */
export const endText = (schema: Schema) => `
  update ${schema}installations
     set state = 'revoked', revoked_at = ${schema}world_now(), revoked_by_role = $2, superseded = $3
   where id = any($1)`

export const supersededText = (schema: Schema) => `
  select distinct earlier.id
    from ${schema}installations ended
    join ${schema}installations earlier on earlier.user_id = ended.user_id and earlier.app_id = ended.app_id
   where ended.id = any($1) and earlier.superseded`

const FIND = statement<InstallationRow>('installations.find', findText(''))

/** Sorted by id, which is the order of creation. */
export async function findInstallations(
  queries: WorldQueries,
  ids: readonly Id<'installation'>[],
): Promise<Installation[]> {
  return (await queries.many(FIND, [ids])).map(installationOf)
}

/** `for no key update` waits for a transaction that issues a token on the installation, which locks it `for share`. */
const LOCK_CONNECTION = statement<{ id: Id<'installation'> }>(
  'installations.lock_connection',
  `select id from installations where app_id = $1 and user_id = $2 and state = 'active' for no key update`,
)

/** The active connection of a user with an app. The caller has locked the user's row, so no second connection can appear. */
export async function lockConnection(tx: Tx, app: Id<'app'>, user: Id<'user'>): Promise<Installation | null> {
  const locked = await tx.maybeOne(LOCK_CONNECTION, [app, user])
  return locked === null ? null : ((await findInstallations(tx, [locked.id]))[0] ?? null)
}

const LOCK_CONNECTIONS = statement<{ id: Id<'installation'> }>(
  'installations.lock_connections',
  `select id from installations where user_id = $1 and state = 'active' order by id for no key update`,
)

export async function lockConnections(tx: Tx, user: Id<'user'>): Promise<Installation[]> {
  const locked = await tx.many(LOCK_CONNECTIONS, [user])
  return findInstallations(
    tx,
    locked.map(({ id }) => id),
  )
}

const LOCK = statement<{ id: Id<'installation'> }>(
  'installations.lock',
  'select id from installations where id = $1 for no key update',
)

export async function lockInstallation(tx: Tx, id: Id<'installation'>): Promise<Installation | null> {
  const locked = await tx.maybeOne(LOCK, [id])
  return locked === null ? null : ((await findInstallations(tx, [id]))[0] ?? null)
}

/** A unique index makes the second of two concurrent inserts wait here and then write no row. */
const INSERT = statement(
  'installations.insert',
  `insert into installations (id, app_id, target_type, company_id, syndicate_id, user_id, tier, scopes, by_default, pii_by,
                              state, installed_by_role, installed_by_user_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   on conflict do nothing`,
)

export type NewInstallation = Pick<
  Installation,
  'id' | 'appId' | 'tier' | 'scopes' | 'byDefault' | 'state' | 'installedByRole'
> & {
  readonly target: Pick<Target, 'type' | 'id'>
  readonly piiBy: PiiBy | null
  readonly installedByUserId: Id<'user'>
}

/** False if the app already has an active installation on the target. */
export async function insertInstallation(tx: Tx, made: NewInstallation): Promise<boolean> {
  const { type, id } = made.target
  const written = await tx.run(INSERT, [
    made.id,
    made.appId,
    type,
    type === 'company' ? id : null,
    type === 'syndicate' ? id : null,
    type === 'user' ? id : null,
    made.tier,
    made.scopes,
    made.byDefault,
    made.piiBy,
    made.state,
    made.installedByRole,
    made.installedByUserId,
  ])
  return written === 1
}

const SET_GROUNDS = statement(
  'installations.set_grounds',
  `update installations set by_default = $2, pii_by = $3
    where id = $1 and (by_default, pii_by) is distinct from ($2, $3)`,
)

/** What the grant is based on: the default or the request, and for investor PII the team or the approval. */
export type Grounds = { readonly byDefault: boolean; readonly piiBy: PiiBy | null }

export async function setGrounds(tx: Tx, id: Id<'installation'>, { byDefault, piiBy }: Grounds): Promise<void> {
  await tx.run(SET_GROUNDS, [id, byDefault, piiBy])
}

const END = statement('installations.end', endText(''))

export async function endRows(
  tx: Tx,
  ids: readonly Id<'installation'>[],
  { role, superseded }: { readonly role: string; readonly superseded: boolean },
): Promise<void> {
  await tx.run(END, [ids, role, superseded])
}

const SUPERSEDED = statement<{ id: Id<'installation'> }>('installations.superseded', supersededText(''))

/** The superseded earlier connections of the same users with the same apps. */
export async function findSuperseded(
  tx: Tx,
  ids: readonly Id<'installation'>[],
): Promise<readonly Id<'installation'>[]> {
  return (await tx.many(SUPERSEDED, [ids])).map(({ id }) => id)
}

export type Connection = Pick<Installation, 'id' | 'appId' | 'scopes' | 'installedAt'>

const CONNECTION = 'id, app_id as "appId", scopes, installed_at as "installedAt"'

const CONNECTIONS = statement<Connection>(
  'installations.connections',
  `select ${CONNECTION} from installations where user_id = $1 and state = 'active' order by id desc`,
)

/** The apps that a user has connected, newest first. */
export async function connectionsOf(queries: WorldQueries, user: Id<'user'>): Promise<Connection[]> {
  return queries.many(CONNECTIONS, [user])
}

const CONNECTION_WITH = statement<Connection>(
  'installations.connection_with',
  `select ${CONNECTION} from installations where user_id = $1 and app_id = $2 and state = 'active'`,
)

export async function findConnection(
  queries: WorldQueries,
  user: Id<'user'>,
  app: Id<'app'>,
): Promise<Connection | null> {
  return queries.maybeOne(CONNECTION_WITH, [user, app])
}

const EVER_CONNECTED = statement<Pick<Installation, 'appId'>>(
  'installations.ever_connected',
  'select app_id as "appId" from installations where user_id = $1 and id = $2',
)

/** The app of a present or past connection of this user; null for other installations. */
export async function findAppOfConnection(
  queries: WorldQueries,
  user: Id<'user'>,
  id: Id<'installation'>,
): Promise<Id<'app'> | null> {
  return (await queries.maybeOne(EVER_CONNECTED, [user, id]))?.appId ?? null
}

/** The user of a signed-in account in a world. */
export type UserOfAccount = { readonly userId: Id<'user'>; readonly deactivated: boolean }

/** Reads tables of other modules. */
const PERSON_FIND = statement<UserOfAccount>(
  'installations.user_of_account',
  `select u.id as "userId", u.deactivated_at is not null as deactivated
     from platform.account_users a join users u on u.id = a.user_id
    where a.account_id = $1 and a.world = $2`,
)

/** Null if the account has no user in this world. */
export async function findUserOfAccount(queries: WorldQueries, account: Id<'account'>): Promise<UserOfAccount | null> {
  return queries.maybeOne(PERSON_FIND, [account, queries.world])
}
