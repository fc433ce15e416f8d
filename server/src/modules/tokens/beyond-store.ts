import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { codesText, familiesText, tokensText } from './revoke-sql-store.ts'

export type Carrying = {
  readonly app: Id<'app'>
  readonly keep: readonly string[]
  /** The same for a default grant. */
  readonly keepByDefault: readonly string[]
  readonly removed: readonly string[]
}

const CARRIES = `x.app_id = $1
  and (x.scopes && $4 or not x.scopes <@ case when x.by_default then $3::text[] else $2::text[] end)`

const statements = (world: World) => ({
  codes: platformStatement(`tokens.revoke_codes_beyond_${world}`, codesText(`${world}.`, CARRIES)),
  families: platformStatement(`tokens.revoke_families_beyond_${world}`, familiesText(`${world}.`, CARRIES)),
  tokens: platformStatement(`tokens.revoke_tokens_beyond_${world}`, tokensText(`${world}.`, CARRIES)),
})

const BEYOND = { test: statements('test'), live: statements('live') }

type Kind = 'codes' | 'families' | 'tokens'

/** How many of this kind carried too much. */
export async function revokeCarrying(
  tx: PlatformTx,
  { world, kind }: { readonly world: World; readonly kind: Kind },
  { app, keep, keepByDefault, removed }: Carrying,
): Promise<number> {
  return tx.run(BEYOND[world][kind], [app, keep, keepByDefault, removed])
}
