import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** `set_password` is also asked for where the account has a password: it replaces it. */
export type LinkPurpose = 'sign_in' | 'set_password'

/** A new link replaces the one of the same purpose: at most one of each works at a time. */
const PUT = platformStatement<{ expires_at: string }>(
  'accounts.put_link',
  `insert into platform.account_links (hash, account_id, purpose, expires_at)
   values ($1, $2, $3, clock_timestamp() + make_interval(mins => $4))
   on conflict on constraint account_links_one_of_a_purpose do update
      set hash = excluded.hash, created_at = clock_timestamp(), expires_at = excluded.expires_at
   returning expires_at`,
)

export type NewLink = {
  readonly hash: Buffer
  readonly account: Id<'account'>
  readonly purpose: LinkPurpose
  readonly minutes: number
}

/** When it expires. */
export async function putLink(tx: PlatformTx, { hash, account, purpose, minutes }: NewLink): Promise<string> {
  return (await tx.one(PUT, [hash, account, purpose, minutes])).expires_at
}

export type LinkInForce = {
  readonly account_id: Id<'account'>
  readonly purpose: LinkPurpose
  readonly name: string
  readonly email: string
}

const FIND = platformStatement<LinkInForce>(
  'accounts.find_link',
  `select l.account_id, l.purpose, a.name, a.email
     from platform.account_links l join platform.accounts a on a.id = l.account_id
    where l.hash = $1 and l.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findLink(queries: PlatformQueries, hash: Buffer): Promise<LinkInForce | null> {
  return queries.maybeOne(FIND, [hash])
}

/** Of two requests at once, the second waits for the first and finds no row. */
const USE = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.use_link',
  `delete from platform.account_links where hash = $1 and purpose = $2 and expires_at > clock_timestamp()
   returning account_id`,
)

export async function useLink(tx: PlatformTx, hash: Buffer, purpose: LinkPurpose): Promise<Id<'account'> | null> {
  return (await tx.maybeOne(USE, [hash, purpose]))?.account_id ?? null
}

const DELETE_ALL = platformStatement(
  'accounts.delete_links',
  'delete from platform.account_links where account_id = $1',
)

export async function deleteLinksOf(tx: PlatformTx, account: Id<'account'>): Promise<void> {
  await tx.run(DELETE_ALL, [account])
}

const PURGE = platformStatement(
  'accounts.purge_links',
  `delete from platform.account_links where hash in (
     select hash from platform.account_links
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeLinks(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}
