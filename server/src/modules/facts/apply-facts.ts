import { pace } from '#system/pace.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { applyFact, type FactOutcome, type FactRules } from './apply-fact.ts'
import { flush } from './store.ts'

/**
 * In the order given, one after the other. The commits do not wait for the disk; the answer does, once for all of
 * them: what was acknowledged survives a crash, and what a crash took was never acknowledged and is sent again.
 */
export async function applyFacts(
  db: WorldDatabase,
  rules: FactRules,
  facts: Iterable<unknown>,
): Promise<readonly FactOutcome[]> {
  const turn = pace()
  const outcomes: FactOutcome[] = []
  for (const sent of facts) {
    outcomes.push(await applyFact(db, rules, sent))
    await turn()
  }
  // Also for repeats: whoever applied them first may not have come to its own flush yet.
  if (outcomes.some(({ status }) => status !== 'refused')) await flush(db)
  return outcomes
}
