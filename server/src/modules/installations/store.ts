import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Installation, Target } from './installation.ts'
import { endText, findText, type InstallationRow, installationOf, supersededText } from './installation-sql-store.ts'
import type { PiiBy } from './pii-grant.ts'

const FIND = statement<InstallationRow>('installations.find', findText(''))

/** In the order of their ids, which is that of their making. */
export async function findInstallations(
  queries: WorldQueries,
  ids: readonly Id<'installation'>[],
): Promise<Installation[]> {
  return (await queries.many(FIND, [ids])).map(installationOf)
}

/** What `for no key update` waits for: a token being issued on the installation, which holds it `for share`. */
const LOCK_CONNECTION = statement<{ id: Id<'installation'> }>(
  'installations.lock_connection',
  `select id from installations where app_id = $1 and user_id = $2 and state = 'active' for no key update`,
)

/** The one connection a user has with an app. Whoever asks holds the user's row, so that no other one can appear. */
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

/** The unique indexes decide: of two at once the second waits here, and writes nothing once the first has committed. */
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

/** False where the app has an active installation on the target. */
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

export type Grounds = { readonly byDefault: boolean; readonly piiBy: PiiBy | null }

/** What the grant rests on. */
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

/** What these replaced: earlier connections of the same users with the same apps. */
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

/** The apps a user has connected, the newest first. */
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

/** Which app a connection of this user is or was with; null for what is not theirs. */
export async function findAppOfConnection(
  queries: WorldQueries,
  user: Id<'user'>,
  id: Id<'installation'>,
): Promise<Id<'app'> | null> {
  return (await queries.maybeOne(EVER_CONNECTED, [user, id]))?.appId ?? null
}
