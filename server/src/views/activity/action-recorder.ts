import type { Action, ActionPort } from '#http/ports.ts'
import { describeError } from '#http/render-error.ts'
import { callerIdentity } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { NewEntry, Outcome } from './entry.ts'
import { recordAction, recordActionInto } from './store.ts'

export type ActionRecorder = ActionPort & {
  /** Resolves when all entries in the queue are written or dropped. The shutdown waits for it. */
  settled(): Promise<void>
}

type Around = { readonly clock: WallClock; readonly log: Pick<Log, 'warn'> }

/** Implements the edge's port that records what apps do for users. */
export function actionRecorder(
  databases: Readonly<Record<World, WorldDatabase>>,
  { clock, log }: Around,
): ActionRecorder {
  const writers = { test: backgroundWriter(databases.test, log), live: backgroundWriter(databases.live, log) }
  const worthRecording = rejectionsWorthRecording(clock)
  return {
    within: (tx, action) => recordAction(tx, entryOf(action, { status: 'success' })),
    onPlatform: (ptx, action) => recordActionInto(ptx, action.caller.world, entryOf(action, { status: 'success' })),
    after: (action) => {
      if (action.status === 'success' || worthRecording(action)) {
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

/** How many different rejections are recorded in an hour for one app and user. */
export const REFUSALS_AN_HOUR = 20

const SAME = { name: 'same', max: 1, periodSeconds: 3_600 }
const DIFFERENT = { name: 'different', max: REFUSALS_AN_HOUR, periodSeconds: 3_600 }

type Refusal = Pick<Action, 'caller' | 'name' | 'resourceId'> & { readonly errorType: string }

/**
 * Limits how many rejections of an app are recorded, because they could fill the user's list and our disk: the same rejection once an
 * hour, and at most twenty different ones an hour. This process counts them before it writes anything.
 */
function rejectionsWorthRecording(clock: WallClock): (refusal: Refusal) => boolean {
  const counter = localCounter(clock)
  return ({ caller, name, resourceId, errorType }) => {
    const who = `${caller.world}/${callerIdentity(caller)}`
    const same = [who, name, resourceId ?? '', errorType].join(' ')
    const count = counter.count([
      { limit: SAME, key: same },
      { limit: DIFFERENT, key: who },
    ])
    return count.refused === null
  }
}

type BackgroundWriter = {
  /** Queues the entry. Does not wait until it is written, and never throws. */
  write(entry: NewEntry): void
  /** Resolves when all queued entries are written or dropped. */
  settled(): Promise<void>
}

/** If the queue is longer, the database is overloaded. Further entries are dropped, so that requests do not have to wait for them. */
const WAITING_MAX = 1_000
const BATCH = 100

/** Writes in one transaction at a time, so that it takes at most one database connection from the requests. */
function backgroundWriter(db: WorldDatabase, log: Pick<Log, 'warn'>): BackgroundWriter {
  const waiting: NewEntry[] = []
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    while (waiting.length > 0) await writeAll(waiting.splice(0, BATCH))
    working = null
  }

  async function writeAll(entries: readonly NewEntry[]): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        for (const entry of entries) await recordAction(tx, entry)
      })
    } catch (error) {
      log.warn({ entries: entries.length, error: describeError(error) }, 'actions of apps were not recorded')
    }
  }

  return {
    write(entry) {
      if (waiting.length >= WAITING_MAX) return
      waiting.push(entry)
      working ??= work()
    },
    settled: async () => {
      while (working !== null) await working
    },
  }
}
