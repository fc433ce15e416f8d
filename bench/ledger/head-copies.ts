import { onDatabase } from '../database.ts'

/** The most rows in one transaction, which is the size of the publisher's largest batch. */
const BATCH = 4_000

/** Selects the newest records before the measurement, because `ledger_heads` has no index that begins with `position`. */
const TABLES = `
  drop table if exists test.bench_heads, test.bench_newest;
  create table test.bench_heads (like test.ledger_heads including all);
  create table test.bench_newest as
    select * from test.ledger_heads order by position desc limit `

const COPY = `
  insert into test.bench_heads
  select * from test.bench_newest where position > $1 and position <= $2`

/**
 * Copies the newest published records into an empty table with the same columns and indexes, and returns the rows per
 * second. Publishing cannot be faster than this copy: the copy derives nothing, compares nothing and writes no events.
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
