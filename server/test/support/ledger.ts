import { DERIVATION } from '#ledger/derive/record.ts'
import { publishChanges, republish } from '#ledger/publish/rounds.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'

const LIMIT = 250

/** Publishes everything, a batch at a time, like the worker. */
export async function publishAll(
  db: WorldDatabase,
  { derivation = DERIVATION, limit = LIMIT }: Partial<Parameters<typeof publishChanges>[1]> = {},
): Promise<void> {
  let taken: number | null
  do {
    taken = await db.transaction((tx) => publishChanges(tx, { derivation, limit, beside: db.beside }))
  } while (taken !== null && taken > 0)
}

/** Publishes again everything that another derivation published. */
export async function republishAll(
  db: WorldDatabase,
  { derivation = DERIVATION, limit = LIMIT }: Partial<Parameters<typeof republish>[1]> = {},
): Promise<void> {
  while (await db.transaction((tx) => republish(tx, { derivation, limit })));
}
