import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Those that failed before come last, or one that never works would keep the others waiting. */
const APPROVED = statement<{ id: Id<'intent'> }>(
  'intents.approved',
  `select id from intents where state = 'approved' order by attempts, decided_at, id limit $1`,
)

export async function approvedIds(queries: WorldQueries, limit: number): Promise<Id<'intent'>[]> {
  return (await queries.many(APPROVED, [limit])).map(({ id }) => id)
}

const NOTE = statement<{ attempts: number }>(
  'intents.note_attempt',
  'update intents set attempts = attempts + 1 where id = $1 returning attempts',
)

export async function noteAttempt(tx: Tx, id: Id<'intent'>): Promise<number> {
  return (await tx.one(NOTE, [id])).attempts
}
