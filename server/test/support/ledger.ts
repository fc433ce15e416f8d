import { DERIVATION } from '#ledger/derive/record.ts'
import { publishChanges, republish } from '#ledger/publish/rounds.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'

const LIMIT = 250

/** Publishes all changes, batch by batch, like the worker. */
export async function publishAll(
  db: WorldDatabase,
  { derivation = DERIVATION, limit = LIMIT }: Partial<Parameters<typeof publishChanges>[1]> = {},
): Promise<void> {
  let count: number | null
  do {
    count = await db.transaction((tx) => publishChanges(tx, { derivation, limit, beside: db.beside }))
  } while (count !== null && count > 0)
}

/** Publishes again all investments that another derivation published. */
export async function republishAll(
  db: WorldDatabase,
  { derivation = DERIVATION, limit = LIMIT }: Partial<Parameters<typeof republish>[1]> = {},
): Promise<void> {
  while (await db.transaction((tx) => republish(tx, { derivation, limit })));
}
