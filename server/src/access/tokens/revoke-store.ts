import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'
import { REPEAT_SECONDS } from './issued-token.ts'
import { codesText, familiesText, tokensText } from './store.ts'

type Ids = readonly Id<'installation'>[]

const OF_INSTALLATIONS = 'x.installation_id = any($1)'
const MINTED = `${OF_INSTALLATIONS} and x.kind = 'installation'`

const IN_WORLD = {
  codes: statement('tokens.revoke_codes_of', codesText('', OF_INSTALLATIONS)),
  families: statement('tokens.revoke_families_of', familiesText('', OF_INSTALLATIONS)),
  tokens: statement('tokens.revoke_tokens_of', tokensText('', OF_INSTALLATIONS)),
  minted: statement('tokens.revoke_minted_of', tokensText('', MINTED)),
}

const onPlatform = (world: World) => ({
  codes: platformStatement(`tokens.revoke_codes_of_${world}`, codesText(`${world}.`, OF_INSTALLATIONS)),
  families: platformStatement(`tokens.revoke_families_of_${world}`, familiesText(`${world}.`, OF_INSTALLATIONS)),
  tokens: platformStatement(`tokens.revoke_tokens_of_${world}`, tokensText(`${world}.`, OF_INSTALLATIONS)),
  minted: platformStatement(`tokens.revoke_minted_of_${world}`, tokensText(`${world}.`, MINTED)),
})

const ON_PLATFORM = { test: onPlatform('test'), live: onPlatform('live') }

/** Revokes the rows of one kind with one statement, and returns their number. Callers revoke the kinds in lock order. */
export type RevokeOf = (kind: keyof typeof IN_WORLD, installations: Ids) => Promise<number>

export function revokingIn(tx: Tx): RevokeOf {
  return (kind, installations) => tx.run(IN_WORLD[kind], [installations])
}

export function revokingOnPlatform(tx: PlatformTx, world: World): RevokeOf {
  return (kind, installations) => tx.run(ON_PLATFORM[world][kind], [installations])
}

const FAMILY = statement(
  'tokens.revoke_family',
  'update refresh_families set revoked_at = clock_timestamp(), answer = null where id = $1 and revoked_at is null',
)

const TOKENS_OF_FAMILY = statement('tokens.revoke_tokens_of_family', tokensText('', 'x.family_id = $1'))

/** Revokes the family, then its access tokens, including those of a concurrent rotation. Returns the number of rows. */
export async function revokeFamily(tx: Tx, id: string): Promise<number> {
  const family = await tx.run(FAMILY, [id])
  return family + (await tx.run(TOKENS_OF_FAMILY, [id]))
}

const OWN_TOKEN = statement(
  'tokens.revoke_own_token',
  'update access_tokens set revoked_at = clock_timestamp() where hash = $1 and key_id = $2 and revoked_at is null',
)

export async function revokeOwnToken(tx: Tx, hash: Buffer, keyId: ClientId): Promise<void> {
  await tx.run(OWN_TOKEN, [hash, keyId])
}

const OWN_FAMILY = statement<{ id: string }>(
  'tokens.own_family',
  'select id::text from refresh_families where name_hash = $1 and key_id = $2',
)

export async function findOwnFamily(tx: Tx, nameHash: Buffer, keyId: ClientId): Promise<string | null> {
  return (await tx.maybeOne(OWN_FAMILY, [nameHash, keyId]))?.id ?? null
}

const DELETE_SANDBOX_TOKENS = platformStatement(
  'tokens.delete_sandbox_tokens',
  "delete from test.access_tokens where app_id = any($1) and kind = 'client'",
)

export async function deleteSandboxTokens(tx: PlatformTx, apps: readonly Id<'app'>[]): Promise<void> {
  await tx.run(DELETE_SANDBOX_TOKENS, [apps])
}

/** `skip locked` leaves rows that a request has locked to the next round, so the purge never waits for a request. */
const EXPIRED_TOKENS = statement(
  'tokens.purge_expired',
  `delete from access_tokens where hash in (
     select hash from access_tokens
      where expires_at <= ${worldTime('')}
      order by expires_at limit $1 for update skip locked)`,
)

/** Only tokens that never expire, because the purge deletes all other tokens at their expiry. */
const REVOKED_TOKENS = statement(
  'tokens.purge_revoked',
  `delete from access_tokens where hash in (
     select hash from access_tokens
      where expires_at is null and revoked_at < clock_timestamp() - interval '1 day'
      order by revoked_at limit $1 for update skip locked)`,
)

/** A family is deleted together with its code, because a second use of the code must be recognized while the family exists. */
const withCodesText = (which: string) => `
  with gone as (select id from refresh_families where ${which} limit $1 for update skip locked),
       codes as (delete from authorization_codes where family_id in (select id from gone))
  delete from refresh_families where id in (select id from gone)`

const EXPIRED_FAMILIES = statement(
  'tokens.purge_expired_families',
  withCodesText(`expires_at <= ${worldTime('')} order by expires_at`),
)

const REVOKED_FAMILIES = statement(
  'tokens.purge_revoked_families',
  withCodesText(`revoked_at < clock_timestamp() - interval '1 day' order by revoked_at`),
)

/** Codes without a refresh family are deleted a day after expiry, so that a late client gets `expired` instead of `unknown`. */
const UNUSED_CODES = statement(
  'tokens.purge_unused_codes',
  `delete from authorization_codes where hash in (
     select hash from authorization_codes
      where family_id is null and expires_at <= (select clock_timestamp() + ahead - interval '1 day' from world_clock)
      order by expires_at limit $1 for update skip locked)`,
)

const ANSWERS = statement(
  'tokens.purge_answers',
  `update refresh_families set answer = null where id in (
     select id from refresh_families
      where answer is not null and rotated_at < clock_timestamp() - interval '${REPEAT_SECONDS} seconds'
      order by rotated_at limit $1 for update skip locked)`,
)

/** The purge statements, each for at most `limit` rows. */
export const PURGES: readonly ((tx: Tx, limit: number) => Promise<number>)[] = [
  ANSWERS,
  UNUSED_CODES,
  EXPIRED_TOKENS,
  REVOKED_TOKENS,
  EXPIRED_FAMILIES,
  REVOKED_FAMILIES,
].map((purge) => (tx, limit) => tx.run(purge, [limit]))
