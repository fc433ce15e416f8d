import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'

type Ids = readonly Id<'installation'>[]

/**
 * Who else has something to do when installations are revoked, in the same transaction and after their rows are written:
 * what is queued for them is canceled. Modules to the right of this one; main hands them in. A world's own transaction
 * comes to the one, what the platform does over both worlds to the other.
 */
export type OnRevoked = {
  readonly inWorld: (tx: Tx, ids: Ids) => Promise<void>
  readonly onPlatform: (tx: PlatformTx, world: World, ids: Ids) => Promise<void>
}

/**
 * Why something happens to an installation, and who hears of it. When it happened is not said: that is the world's time
 * once the locks are held, or what ended could end before it began.
 */
export type Because = Pick<Occasion, 'cause' | 'caused'> & { readonly onRevoked: readonly OnRevoked[] }

/** What a request does: it is the cause of every event that follows from it. */
export function becauseOf(requestId: string, { onRevoked }: Pick<Because, 'onRevoked'>): Because {
  return { cause: requestId, caused: [], onRevoked }
}
