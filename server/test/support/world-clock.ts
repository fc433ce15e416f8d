import type { TestDatabase } from './database.ts'

/**
 * From now on the test world's clock stands still and moves only when a test moves it (`world_clock.ahead`). Then nothing
 * becomes due because the machine was slow: a first retry is five seconds away, and stalls may take longer.
 */
export async function standStill({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const [now] = await sql<{ at: string }>('select clock_timestamp()::text as at')
  await sql(
    `create or replace function test.world_now() returns timestamptz language sql stable
       return (select timestamptz '${now?.at}' + ahead from test.world_clock)`,
  )
}
