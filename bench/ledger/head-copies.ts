import { onDatabase } from '../database.ts'

/** The rows in a transaction: as many as the largest batch of the publisher. */
const BATCH = 4_000

/** The records to copy are found before the measurement, because the published records have no index of positions alone. */
const TABLES = `
  drop table if exists test.bench_heads, test.bench_newest;
  create table test.bench_heads (like test.ledger_heads including all);
  create table test.bench_newest as
    select * from test.ledger_heads order by position desc limit `

const COPY = `
  insert into test.bench_heads
  select * from test.bench_newest where position > $1 and position <= $2`

/**
 * Copies the newest published records into an empty table with the same columns and indexes, and returns the rows a
 * second. PostgreSQL needs at least this time to write what publishing writes: nothing is derived or compared, and no
 * event is written.
 */
export async function copyNewestHeads(url: string, count: number): Promise<number> {
  return onDatabase(url, async (client) => {
    await client.query(`${TABLES}${count}`)
    const { rows } = await client.query<{ first: string; last: string }>(
      'select min(position) as first, max(position) as last from test.bench_newest',
    )
    const [first, last] = [Number(rows[0]?.first), Number(rows[0]?.last)]
    const startedAt = performance.now()
    let copied = 0
    for (let after = first - 1; after < last; after += BATCH) {
      const { rowCount } = await client.query(COPY, [after, after + BATCH])
      copied += rowCount ?? 0
    }
    const perSecond = (copied * 1_000) / (performance.now() - startedAt)
    await client.query('drop table test.bench_heads, test.bench_newest')
    return perSecond
  })
}
