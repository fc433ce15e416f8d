import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { World } from '#kernel/world.ts'
import type { AuditEntry } from '#modules/audit/index.ts'
import type { RevokedTokens } from '#modules/tokens/index.ts'
import type { Because } from './because.ts'
import type { Installation } from './installation.ts'
import { installationEvent } from './installation-event.ts'
import { INSTALLATION_MACHINE, type InstallationAlso } from './installation-states.ts'
import type { Reach } from './reach.ts'
import { dataDue, removalDue } from './removal-duty.ts'

export type Ending = {
  /** Locked by whoever calls, and looked at after that. */
  readonly installations: readonly Installation[]
  readonly move: 'revoke' | 'supersede'
  readonly role: string
  /** What the app is granted instead, where one is superseded. */
  readonly kept?: readonly string[]
}

/**
 * Carries out a row of the table for each: the new state and its time, what stops with it, its event, and what the app has
 * to delete now. Whoever revokes, and however, comes by here.
 */
export async function endInstallations(reach: Reach, ending: Ending, because: Because): Promise<RevokedTokens> {
  const { installations, move, role, kept = [] } = ending
  if (installations.length === 0) return { accessTokens: 0, refreshTokens: 0 }
  const from = installations.every(({ state }) => state === 'active') ? 'active' : 'revoked'
  const { events, also } = transition(INSTALLATION_MACHINE, { from, move })
  const ids = installations.map(({ id }) => id)
  await reach.end(ids, { role, superseded: move === 'supersede' })
  const stopped = await stopTokens(reach, ids, also)
  if (also.includes('cancel_queued_deliveries')) await reach.tell(because, ids)
  const ended = await reach.find(ids)
  for (const name of events) {
    const told = ended.map((installation) => installationEvent(name, installation))
    await reach.append(told, because)
  }
  await reach.record(removalsDue(reach.world, ended, kept))
  return stopped
}

function removalsDue(world: World, ended: readonly Installation[], kept: readonly string[]): readonly AuditEntry[] {
  return ended.flatMap((installation) => {
    const data = dataDue(installation, kept)
    return data.length === 0 ? [] : [removalDue(world, installation, data)]
  })
}

/**
 * "Superseding stops the old one's refresh tokens … but lets its access tokens run out; every other revocation kills
 * all at once, those of superseded connections of the same user and app included." What runs out is what the earlier
 * consent gave the user's app to act with; "a token whose installation is revoked returns 401", which one that was minted
 * on it would otherwise never do.
 */
async function stopTokens(
  reach: Reach,
  ids: readonly Id<'installation'>[],
  also: readonly InstallationAlso[],
): Promise<RevokedTokens> {
  if (!also.includes('stop_access_tokens')) return reach.stopTokens(ids, 'all_but_user_access')
  return reach.stopTokens([...ids, ...(await reach.superseded(ids))], 'all')
}
