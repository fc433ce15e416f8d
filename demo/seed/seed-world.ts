import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { worldNow } from '@portico/server/system/postgres/world-clock.ts'
import {
  countSeeded,
  insertCompanies,
  insertEvents,
  insertInvestments,
  insertUsers,
  type Part,
  partsBetween,
  sumUp,
} from './seed-store.ts'

export const SEEDED_MAX = 1_000_000

export type Seed = {
  readonly db: WorldDatabase
  /** The total number to reach, including the investments seeded before. */
  readonly investments: number
  /** Also records the event investment.created of each investment that this call seeds. */
  readonly events: boolean
  readonly onProgress: (done: number) => void
  readonly signal?: AbortSignal
}

export type Seeded = { readonly before: number; readonly after: number }

/** Fills a world for measurements. After a stop at any moment, the same call continues from there. */
export async function seedWorld({ db, investments, events, onProgress, signal }: Seed): Promise<Seeded> {
  const before = await countSeeded(db.reads)
  const until = await worldNow(db.reads)
  let after = before
  for (const part of partsBetween(before, investments)) {
    if (signal?.aborted) break
    await seedPart(db, part, { events, until })
    after = part.investments.to
    onProgress(after)
  }
  return { before, after }
}

async function seedPart(
  db: WorldDatabase,
  { investments, users, companies, offerings }: Part,
  { events, until }: { readonly events: boolean; readonly until: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await insertUsers(tx, users)
    await insertCompanies(tx, companies, offerings)
    await insertInvestments(tx, investments, until)
    await sumUp(tx, offerings)
    if (events) await insertEvents(tx, investments, offerings)
  })
}
