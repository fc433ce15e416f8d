import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
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

/** One statement for each kind, to be run in the order in which everybody locks them. How many rows it was. */
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

/** The family first, then what hangs on it, in a statement that sees what a rotation just added. How many rows. */
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
