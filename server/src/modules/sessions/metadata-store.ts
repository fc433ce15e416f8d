import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Measured as it would be kept, which is not how it was sent: 1e300 is six characters there and 301 here. */
const MEASURE = statement<{ bytes: number }>(
  'sessions.measure_metadata',
  'select octet_length($1::jsonb::text) as bytes',
)

export async function measureMetadata(tx: Tx, json: string): Promise<number> {
  return (await tx.one(MEASURE, [json])).bytes
}
