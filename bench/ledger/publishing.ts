import { setTimeout as wait } from 'node:timers/promises'
import { onDatabase } from '../database.ts'

const POLL_MS = 50
/** The rate is measured after this many changes are published. Before that, workers wake up and PostgreSQL plans the statements. */
const RUN_UP = 2_000

export type Published = { readonly changes: number; readonly perSecond: number }

/** Waits until nothing is left to publish and returns the rate. */
export async function publishedBy(url: string): Promise<Published> {
  return onDatabase(url, async (client) => {
    const progress = async () => {
      const { rows } = await client.query<{ position: string; waiting: boolean }>(
        'select position, exists (select from test.investment_changes) as waiting from test.ledger',
      )
      return { position: Number(rows[0]?.position), waiting: rows[0]?.waiting ?? false, at: performance.now() }
    }
    const first = await progress()
    let [begun, last] = [first, first]
    while (last.waiting) {
      await wait(POLL_MS)
      last = await progress()
      if (last.position - first.position < RUN_UP) begun = last
    }
    const changes = last.position - begun.position
    return { changes: last.position - first.position, perSecond: (changes * 1_000) / Math.max(1, last.at - begun.at) }
  })
}
