import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { recordUses } from './use-store.ts'

/** People read "last used 3 hours ago"; a finer time would cost a write on every request. */
const NOTED_EVERY_MS = 3_600_000
/** About 10 MB at most. Beyond it the oldest entries are dropped, and their next use is written once more than needed. */
const NOTED_MAX = 50_000

/**
 * Records when an installation's tokens were last used, at most once an hour for each. The request does not wait for it and
 * does not fail with it: it only looks into a map. All writes of one event-loop turn are one statement, and each world runs one
 * such statement at a time.
 */
export function installationUses(nowMs: () => number = Date.now): (db: WorldDatabase, id: Id<'installation'>) => void {
  const noted = new Map<string, number>()
  const due: Record<World, Set<Id<'installation'>>> = { test: new Set(), live: new Set() }
  const busy: Record<World, boolean> = { test: false, live: false }

  async function write(db: WorldDatabase): Promise<void> {
    const { world } = db
    if (busy[world]) return
    busy[world] = true
    try {
      while (due[world].size > 0) {
        const ids = [...due[world]]
        due[world].clear()
        await recordUses(db, ids)
      }
    } catch {
      // The next use after the hour is recorded again.
    } finally {
      busy[world] = false
    }
  }

  return (db, id) => {
    const now = nowMs()
    const before = noted.get(id)
    if (before !== undefined && now - before < NOTED_EVERY_MS) return
    noted.delete(id)
    noted.set(id, now)
    if (noted.size > NOTED_MAX) forgetOldest(noted)
    const isFirst = due[db.world].size === 0
    due[db.world].add(id)
    if (isFirst) setImmediate(() => void write(db))
  }
}

/** A map iterates in the order of insertion. */
function forgetOldest(noted: Map<string, number>): void {
  const [oldest] = noted.keys()
  if (oldest !== undefined) noted.delete(oldest)
}
