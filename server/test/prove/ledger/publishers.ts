import { DERIVATION, type Derivation } from '#ledger/derive/record.ts'
import { publishChanges, republish } from '#ledger/publish/rounds.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import type { Random } from '../random.ts'
import { derivedWord } from './reference-model.ts'

/** Returns the derivation of this version. A later version adds one word to every second record. */
function derivationOf(version: number): Derivation {
  if (version <= DERIVATION.version) return DERIVATION
  return {
    version,
    derive: (facts) => {
      const record = DERIVATION.derive(facts)
      const { status, ...rest } = record.open
      const word = derivedWord(record.id, version)
      return { ...record, open: { status, ...(word === null ? {} : { derivation: word }), ...rest } }
    },
  }
}

const BATCH_MAX = 20

/**
 * Publishes a small batch of changes, or of records that a new derivation changes. Batches are small, so that there are
 * many commits.
 */
export async function publishOnce(db: WorldDatabase, random: Random, version: number): Promise<void> {
  const batch = { derivation: derivationOf(version), limit: 1 + random.below(BATCH_MAX) }
  if (random.oneIn(3)) await db.transaction((tx) => republish(tx, batch))
  else await db.transaction((tx) => publishChanges(tx, { ...batch, beside: db.beside }))
}

/** Whether an error can happen to a publisher that was killed, lost its connection or took too long. */
export function isMishap(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof Error && error.message.includes('took too long'))
}

/** Publishes until no change is left. */
export async function publishEverything(db: WorldDatabase, version: number): Promise<void> {
  const batch = { derivation: derivationOf(version), limit: 250 }
  const published = () => db.transaction((tx) => publishChanges(tx, { ...batch, beside: db.beside }))
  for (let taken = await published(); taken !== 0; taken = await published());
  while (await db.transaction((tx) => republish(tx, batch)));
}
