import { overlapped } from '#kernel/overlapped.ts'
import type { Tx } from '#system/postgres/database.ts'
import { announceWeek } from './announce-week.ts'
import { holdDueWeek, insertWeek } from './calendar-store.ts'
import { findPairsToTell, lookAlongIndexes, type PairToTell } from './changes-store.ts'
import { lookAtPairs, makeRows, tellPairs } from './release-pairs.ts'
import { RELEASE_RULES, type ReleaseRules } from './release-rules.ts'
import type { ReleaseSettings } from './release-settings.ts'
import { holdRowsShown } from './rows-shown-store.ts'
import { markTold, type PairCohort, sayRanges } from './say-ranges.ts'

/** So many credited investments at a time: deliveries wait for them in the same thread. */
const AT_A_TIME = 1_000

/**
 * "Weeks are published once, on Monday UTC, immutable afterwards." Releases the oldest week that is over, all of it in one
 * transaction: readers see it whole or not at all, and whoever dies on the way has done nothing. False where there is none,
 * or where somebody else is at it.
 */
export async function releaseWeek(
  tx: Tx,
  settings: ReleaseSettings,
  rules: ReleaseRules = RELEASE_RULES,
): Promise<boolean> {
  const due = await holdDueWeek(tx)
  if (due === null) return false
  await insertWeek(tx, due, settings.peopleMin)
  const toTell = await findPairsToTell(tx, due)
  await lookAlongIndexes(tx)
  const releasing = { ...settings, rules, week: due, limit: AT_A_TIME }
  const besideRows: PairCohort[] = []
  await overlapped(batches(toTell), {
    read: (pairs) => lookAtPairs(tx, pairs, releasing),
    make: (atHand) => makeRows(atHand, releasing),
    write: async (made) => {
      besideRows.push(...(await tellPairs(tx, made, releasing)))
    },
  })
  await announceWeek(tx, due)
  const said = besideRows.filter(await holdRowsShown(tx, besideRows))
  await sayRanges(tx, due.week, said)
  await markTold(tx, said)
  return true
}

/** Several pairs that have no more than that together, or one that has more by itself. */
function batches(all: readonly PairToTell[]): PairToTell[][] {
  const made: PairToTell[][] = []
  let room = 0
  for (const pair of all) {
    const last = made.at(-1)
    if (last === undefined || pair.count > room) {
      made.push([pair])
      room = AT_A_TIME - pair.count
    } else {
      last.push(pair)
      room -= pair.count
    }
  }
  return made
}
