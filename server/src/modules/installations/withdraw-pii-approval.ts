import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { lockAppForChange, withdrawPii } from '#modules/apps/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import { lockRestingOnApproval } from './platform-store.ts'
import { onPlatform } from './reach.ts'

export type Withdrawal = {
  readonly app: Id<'app'>
  /** Who decided, for the audit. */
  readonly actor: string
  /** The platform's own name: "for example when investor-PII approval is withdrawn". */
  readonly role: string
}

/** How many installations ended with it, in each world. */
export type Withdrawn = Readonly<Record<World, number>>

/**
 * Takes an app's approval for investor PII away, and with it every installation that shows who investors are on no
 * other ground. What somebody of the app's own team installed never needed the approval and stays; so do installations
 * on syndicates, which the rule does not concern. Both worlds, one transaction. Saying it again changes nothing.
 */
export async function withdrawPiiApproval(
  tx: PlatformTx,
  { app: id, actor, role }: Withdrawal,
  because: Because,
): Promise<Withdrawn> {
  const app = await lockAppForChange(tx, id)
  if (app.pii_approved_at === null) return { test: 0, live: 0 }
  await withdrawPii(tx, id, actor)
  const ended = { test: 0, live: 0 }
  for (const world of WORLDS) ended[world] = await endResting(tx, { world, app: id, role }, because)
  return ended
}

type InWorld = { readonly world: World; readonly app: Id<'app'>; readonly role: string }

async function endResting(tx: PlatformTx, { world, app, role }: InWorld, because: Because): Promise<number> {
  const reach = onPlatform(tx, world)
  const { active, replaced } = await lockRestingOnApproval(tx, world, app)
  await endInstallations(reach, { installations: active, move: 'revoke', role }, because)
  // Replaced by a connection that shows less, one that showed more may still have tokens that are running out.
  await reach.stopTokens(replaced, 'all')
  return active.length
}
