import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** The row belongs to the installations, and is only held and read. */
type Row = { readonly state: 'active' | 'revoked' }

/** Whoever revokes it updates the row first and looks for its endpoints next: they see ours, or we see theirs. */
const LOCK = inEach((world) =>
  platformStatement<Row>(
    `webhooks.lock_installation_${world}`,
    `select state from ${world}.installations where app_id = $1 and id = $2 for share`,
  ),
)

const STATE = inEach((world) =>
  platformStatement<Row>(
    `webhooks.installation_state_${world}`,
    `select state from ${world}.installations where app_id = $1 and id = $2`,
  ),
)

export type InstallationPlace = {
  readonly app: Id<'app'>
  readonly world: World
  readonly installation: Id<'installation'>
}

/** Null for what is no installation of this app in this world. */
export async function lockInstallationState(
  tx: PlatformTx,
  { app, world, installation }: InstallationPlace,
): Promise<Row['state'] | null> {
  await tx.maybeOne(LOCK[world], [app, installation])
  return (await tx.maybeOne(STATE[world], [app, installation]))?.state ?? null
}
