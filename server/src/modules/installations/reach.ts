import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type AuditEntry, recordAudits, recordAuditsIn } from '#modules/audit/index.ts'
import { appendEvent, appendEventsInto, type NewEvent } from '#modules/events/index.ts'
import { type Revocation, type RevokedTokens, revokeTokensIn, revokeTokensOf } from '#modules/tokens/index.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import type { Installation } from './installation.ts'
import { endRowsIn, findInstallationsIn, findSupersededIn } from './platform-store.ts'
import { endRows, findInstallations, findSuperseded } from './store.ts'

type Ids = readonly Id<'installation'>[]

/**
 * What ending installations takes, in whichever of the two kinds of transaction it happens: the rules of ending are
 * written once, above this.
 */
export type Reach = {
  readonly world: World
  readonly end: (ids: Ids, how: { readonly role: string; readonly superseded: boolean }) => Promise<void>
  readonly find: (ids: Ids) => Promise<Installation[]>
  /** The connections that these replaced: earlier ones of the same users with the same apps. */
  readonly superseded: (ids: Ids) => Promise<Ids>
  readonly stopTokens: (ids: Ids, which: Revocation['which']) => Promise<RevokedTokens>
  readonly append: (events: readonly NewEvent[], because: Because) => Promise<void>
  readonly record: (entries: readonly AuditEntry[]) => Promise<void>
  readonly tell: (because: Because, ids: Ids) => Promise<void>
}

export function inWorld(tx: Tx): Reach {
  return {
    world: tx.world,
    end: (ids, how) => endRows(tx, ids, how),
    find: (ids) => findInstallations(tx, ids),
    superseded: (ids) => findSuperseded(tx, ids),
    stopTokens: (installations, which) => revokeTokensOf(tx, { installations, which }),
    append: async (events, because) => {
      for (const event of events) await appendEvent(tx, event, { ...because, occurredAt: event.occurredAt })
    },
    record: (entries) => recordAuditsIn(tx, entries),
    tell: async ({ onRevoked }, ids) => {
      for (const hook of onRevoked) await hook.inWorld(tx, ids)
    },
  }
}

export function onPlatform(tx: PlatformTx, world: World): Reach {
  return {
    world,
    end: (ids, { role }) => endRowsIn(tx, world, { ids, role }),
    find: (ids) => findInstallationsIn(tx, world, ids),
    superseded: (ids) => findSupersededIn(tx, world, ids),
    stopTokens: (installations, which) => revokeTokensIn(tx, world, { installations, which }),
    append: (events, because) => appendEventsInto(tx, { world, events }, because),
    record: (entries) => recordAudits(tx, entries),
    tell: async ({ onRevoked }, ids) => {
      for (const hook of onRevoked) await hook.onPlatform(tx, world, ids)
    },
  }
}
