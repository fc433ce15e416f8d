import type { Action, ActionPort } from '#http/ports.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { backgroundWriter } from './background-writer.ts'
import type { NewEntry, Outcome } from './entry.ts'
import { refusalsWorthTelling } from './repeated-refusals.ts'
import { recordAction, recordActionInto } from './store.ts'

export type ActionRecorder = ActionPort & {
  /** When everything told after the fact is written or given up: for stopping. */
  settled(): Promise<void>
}

type Around = { readonly clock: WallClock; readonly log: Pick<Log, 'warn'> }

/** Fills the edge's port for what apps do for users. */
export function actionRecorder(
  databases: Readonly<Record<World, WorldDatabase>>,
  { clock, log }: Around,
): ActionRecorder {
  const writers = { test: backgroundWriter(databases.test, log), live: backgroundWriter(databases.live, log) }
  const worthTelling = refusalsWorthTelling(clock)
  return {
    within: (tx, action) => recordAction(tx, entryOf(action, { status: 'success' })),
    onPlatform: (ptx, action) => recordActionInto(ptx, action.caller.world, entryOf(action, { status: 'success' })),
    after: (action) => {
      if (action.status === 'success' || worthTelling(action)) {
        writers[action.caller.world].write(entryOf(action, action))
      }
    },
    settled: async () => {
      await Promise.all([writers.test.settled(), writers.live.settled()])
    },
  }
}

function entryOf({ caller, name, resourceId, changedFields, requestId }: Action, outcome: Outcome): NewEntry {
  const owner = caller.kind === 'user' ? { userId: caller.userId } : { installationId: caller.installationId }
  return { owner, appId: caller.appId, action: name, resourceId, changedFields, outcome, requestId }
}
