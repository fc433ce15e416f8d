import { randomBytes } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { TestDatabase } from '#test/database.ts'
import type { Installation } from '../installation.ts'

type Given = { readonly world?: World; readonly kind?: 'user' | 'installation' }

/** Inserts a code, a family of refresh tokens and an access token of an installation: the rows that a revocation must end. */
export async function giveTokens(
  db: Pick<TestDatabase, 'sql'>,
  { id, appId, target, scopes }: Installation,
  { world = 'test', kind = 'user' }: Given = {},
): Promise<void> {
  const hash = () => randomBytes(32)
  const later = `${world}.world_now() + interval '1 hour'`
  const common = [`pk_${world}_${'0'.repeat(24)}`, appId, target.id, id, scopes]
  await db.sql(
    `insert into ${world}.authorization_codes
       (hash, key_id, app_id, user_id, installation_id, scopes, redirect_uri, code_challenge, generation, expires_at)
     values ($6, $1, $2, $3, $4, $5, 'https://app.example/back', repeat('a', 43), 1, ${later})`,
    [...common, hash()],
  )
  await db.sql(
    `insert into ${world}.refresh_families
       (name_hash, head_hash, key_id, app_id, user_id, installation_id, scopes, generation, expires_at)
     values ($6, $7, $1, $2, $3, $4, $5, 1, ${later})`,
    [...common, hash(), hash()],
  )
  await db.sql(
    `insert into ${world}.access_tokens
       (hash, kind, key_id, app_id, user_id, installation_id, scopes, generation, expires_at)
     values ($6, $7, $1, $2, $3, $4, $5, 1, ${later})`,
    [...common, hash(), kind],
  )
}

type Standing = 'in force' | 'revoked'
export type TokenStandings = { readonly access: Standing; readonly refresh: Standing; readonly code: Standing }

export async function tokensOf(
  db: Pick<TestDatabase, 'sql'>,
  id: Id<'installation'>,
  world: World = 'test',
): Promise<TokenStandings> {
  const standingIn = async (table: string) =>
    standing(
      await db.sql<{ revoked: boolean }>(
        `select revoked_at is not null as revoked from ${world}.${table} where installation_id = $1`,
        [id],
      ),
    )
  return {
    access: await standingIn('access_tokens'),
    refresh: await standingIn('refresh_families'),
    code: await standingIn('authorization_codes'),
  }
}

function standing(rows: readonly { revoked: boolean }[]): Standing {
  if (rows.length === 0) throw new Error('there is no such token')
  return rows.every(({ revoked }) => revoked) ? 'revoked' : 'in force'
}
