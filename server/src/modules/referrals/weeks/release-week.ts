import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { announceWeek } from './announce-week.ts'
import { holdDueWeek, insertWeek } from './calendar-store.ts'
import { type CodeToTell, findCodesToTell, lookAlongIndexes } from './credited-store.ts'
import { releaseCodes } from './release-codes.ts'
import type { ReleaseSettings } from './release-settings.ts'

/** So many credited investments at a time, or those of one code if it has more: deliveries wait for them in the same thread. */
const AT_A_TIME = 2_000

/**
 * "Weeks are published once, on Monday UTC, immutable afterwards." Releases the oldest week that is over, all of it in one
 * transaction: readers see it whole or not at all, and whoever dies on the way has done nothing. False where there is none,
 * or where somebody else is at it.
 */
export async function releaseWeek(tx: Tx, { peopleMin, tokenKeys }: ReleaseSettings): Promise<boolean> {
  const due = await holdDueWeek(tx)
  if (due === null) return false
  await insertWeek(tx, due, peopleMin)
  const toTell = await findCodesToTell(tx, due)
  await lookAlongIndexes(tx)
  for (const codes of batches(toTell)) {
    await releaseCodes(tx, { week: due, codes, peopleMin, tokenKeys })
  }
  await announceWeek(tx, due)
  return true
}

function batches(all: readonly CodeToTell[]): Id<'referralCode'>[][] {
  const made: Id<'referralCode'>[][] = []
  let room = 0
  for (const { code, count } of all) {
    const last = made.at(-1)
    if (last === undefined || count > room) {
      made.push([code])
      room = AT_A_TIME - count
    } else {
      last.push(code)
      room -= count
    }
  }
  return made
}
