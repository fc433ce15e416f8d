import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** Times are real time, as text. */
export type AccountRow = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly has_password: boolean
  readonly issuers: readonly string[]
  readonly test_user: Id<'user'> | null
  readonly live_user: Id<'user'> | null
  readonly created_at: string
  readonly disabled_at: string | null
}

const COLUMNS = `a.id, a.email, a.name, a.password_hash is not null as has_password,
  array(select i.issuer from platform.account_identities i where i.account_id = a.id order by 1) as issuers,
  (select u.test_user_id from platform.account_users u where u.account_id = a.id and u.world = 'test') as test_user,
  (select u.live_user_id from platform.account_users u where u.account_id = a.id and u.world = 'live') as live_user,
  a.created_at, a.disabled_at`

const SHOW = platformStatement<AccountRow>(
  'accounts.show',
  `select ${COLUMNS} from platform.accounts a where a.id = $1`,
)

export async function findAccount(queries: PlatformQueries, id: Id<'account'>): Promise<AccountRow | null> {
  return queries.maybeOne(SHOW, [id])
}

/** Ids begin with the time they were made at, so this is newest first. */
const LIST = platformStatement<AccountRow>(
  'accounts.list',
  `select ${COLUMNS} from platform.accounts a
    where ($1::text is null or a.id < $1::text)
    order by a.id desc limit $2`,
)

/** The start of the address or of the name, each by an index of its own. `like` patterns arrive escaped. */
const SEARCH = platformStatement<AccountRow>(
  'accounts.search',
  `select ${COLUMNS} from platform.accounts a
    where a.id in (
      select id from platform.accounts where lower(email) like lower($3 collate "C")
      union all
      select id from platform.accounts where lower(name) collate "C" like lower($3))
      and ($1::text is null or a.id < $1::text)
    order by a.id desc limit $2`,
)

export type AccountPage = { readonly before: string | null; readonly limit: number; readonly search: string | null }

export async function listAccounts(queries: PlatformQueries, { before, limit, search }: AccountPage) {
  if (search === null) return queries.many(LIST, [before, limit])
  return queries.many(SEARCH, [before, limit, `${search.replace(/[\\%_]/g, '\\$&')}%`])
}

const DISABLE = platformStatement(
  'accounts.disable',
  'update platform.accounts set disabled_at = clock_timestamp() where id = $1 and disabled_at is null',
)
const ENABLE = platformStatement(
  'accounts.enable',
  'update platform.accounts set disabled_at = null where id = $1 and disabled_at is not null',
)

/**
 * A disabled account's user and the user's own connections hold credentials that do not work meanwhile. What the person
 * installed on companies and syndicates is not theirs, and goes on.
 */
const HOLDERS = (world: World) => `
  select u.user_id as holder_id from platform.account_users u where u.account_id = $1 and u.world = '${world}'
  union
  select i.id from ${world}.installations i join platform.account_users u on u.user_id = i.user_id
   where u.account_id = $1 and u.world = '${world}'`

const blockIn = (world: World) =>
  platformStatement(
    `accounts.block_${world}_holders`,
    `insert into ${world}.disabled_holders (holder_id) ${HOLDERS(world)}
     on conflict on constraint disabled_holders_pkey do nothing`,
  )
const unblockIn = (world: World) =>
  platformStatement(
    `accounts.unblock_${world}_holders`,
    `delete from ${world}.disabled_holders where holder_id in (${HOLDERS(world)})`,
  )
const BLOCK = { test: blockIn('test'), live: blockIn('live') }
const UNBLOCK = { test: unblockIn('test'), live: unblockIn('live') }

export async function setHoldersBlocked(tx: PlatformTx, id: Id<'account'>, blocked: boolean): Promise<void> {
  for (const world of WORLDS) await tx.run((blocked ? BLOCK : UNBLOCK)[world], [id])
}

/** False where it was so already, or where there is no such account. */
export async function setDisabled(tx: PlatformTx, id: Id<'account'>, disabled: boolean): Promise<boolean> {
  return (await tx.run(disabled ? DISABLE : ENABLE, [id])) === 1
}
