import { PUBLIC_SCOPE, withoutPublic } from '#modules/scopes/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

type Issued = { readonly createdAt: number }

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
  /** The digest of the client secret that minted it; null where something else did. */
  readonly mintedWith?: Buffer | null
}

const INSERT = statement<Issued>(
  'tokens.insert',
  `insert into access_tokens
     (hash, kind, key_id, app_id, user_id, installation_id, family_id, scopes, by_default, generation, expires_at,
      echo_public, minted_with)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + c.ahead + make_interval(secs => $11), $12, $13
     from world_clock c
   returning floor(extract(epoch from created_at))::float8 as "createdAt"`,
)

/** Inside a grant that has locked the app. */
export async function insertToken(tx: Tx, row: TokenRow): Promise<Issued> {
  const { hash, kind, keyId, appId, userId, installationId, familyId, scopes, byDefault, generation } = row
  return tx.one(INSERT, [
    ...[hash, kind, keyId, appId, userId, installationId, familyId],
    ...[withoutPublic(scopes), byDefault, generation, row.lifetimeSeconds],
    ...[scopes.includes(PUBLIC_SCOPE), row.mintedWith ?? null],
  ])
}

type Remaining = { readonly revoked: boolean; readonly seconds: number }

const REMAINING = statement<Remaining>(
  'tokens.remaining',
  `select t.revoked_at is not null as revoked,
          floor(extract(epoch from t.expires_at - clock_timestamp() - c.ahead))::int as seconds
     from access_tokens t cross join world_clock c
    where t.hash = $1 and t.expires_at is not null`,
)

/** What is left of a token that expires; null where it is so long over that the clean-up took it. */
export async function findRemaining(tx: Tx, hash: Buffer): Promise<Remaining | null> {
  return tx.maybeOne(REMAINING, [hash])
}
