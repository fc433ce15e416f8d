import { enterGate, type Presented } from '#modules/apps/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'

type Issued = { readonly createdAt: number }

/**
 * The whole of a client-credentials grant in one statement, which commits by itself. A change of the app under way is
 * waited for at its gate; `for share` then takes the row as it has become and compares again: another revision means
 * that what was looked at no longer holds, and no row is written. Not on the shared connection, which a wait would stop for everybody.
 */
const ISSUE_CLIENT = statement<Issued>(
  'tokens.issue_client',
  `insert into access_tokens (hash, kind, key_id, app_id, scopes, by_default, generation, expires_at)
   select $1, 'client', $2, a.id, $3, $4, $5, clock_timestamp() + c.ahead + make_interval(secs => $6)
     from (select ${enterGate('$7')} offset 0) entered cross join platform.apps a cross join world_clock c
    where a.id = $7 and a.revision = $8 and a.state = 'active'
      for share of a
   returning floor(extract(epoch from created_at))::float8 as "createdAt"`,
)

export type ClientTokenRow = { readonly hash: Buffer; readonly scopes: readonly string[]; readonly byDefault: boolean }

/** Null when the app has changed since the client was looked up. */
export async function issueUnchanged(
  db: WorldDatabase,
  client: Presented,
  row: ClientTokenRow,
): Promise<Issued | null> {
  const { keyId, appId, generation, revision } = client
  const { hash, scopes, byDefault } = row
  return db.reads.maybeOne(ISSUE_CLIENT, [
    ...[hash, keyId, scopes, byDefault, generation],
    ...[LIFETIME_SECONDS.client, appId, revision],
  ])
}

export type TokenRow = {
  readonly hash: Buffer
  readonly kind: 'user' | 'installation'
  readonly keyId: string
  readonly appId: string
  readonly userId: string | null
  readonly installationId: string
  readonly familyId: string | null
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
  /** Null: never. */
  readonly lifetimeSeconds: number | null
}

type Inserted = Issued & { readonly expiresAt: string | null }

const INSERT = statement<Inserted>(
  'tokens.insert',
  `insert into access_tokens
     (hash, kind, key_id, app_id, user_id, installation_id, family_id, scopes, by_default, generation, expires_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + c.ahead + make_interval(secs => $11)
     from world_clock c
   returning floor(extract(epoch from created_at))::float8 as "createdAt", expires_at as "expiresAt"`,
)

/** Inside a grant that has locked the app. */
export async function insertToken(tx: Tx, row: TokenRow): Promise<Inserted> {
  const { hash, kind, keyId, appId, userId, installationId, familyId, scopes, byDefault, generation } = row
  return tx.one(INSERT, [
    ...[hash, kind, keyId, appId, userId, installationId, familyId],
    ...[scopes, byDefault, generation, row.lifetimeSeconds],
  ])
}

const SECONDS_LEFT = statement<{ seconds: number }>(
  'tokens.seconds_left',
  `select greatest(0, floor(extract(epoch from $1::timestamptz - clock_timestamp() - ahead)))::int as seconds
     from world_clock`,
)

export async function secondsLeft(tx: Tx, expiresAt: string): Promise<number> {
  return (await tx.one(SECONDS_LEFT, [expiresAt])).seconds
}
