import type { TestDatabase } from './database.ts'

/**
 * Stops the clock of the test world. From then on only a test moves it (`world_clock.ahead`). So nothing becomes due
 * because the machine was slow: the first retry is due after five seconds, and a stall may take longer.
 */
export async function standStill({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const [now] = await sql<{ at: string }>('select clock_timestamp()::text as at')
  await sql(
    `create or replace function test.world_now() returns timestamptz language sql stable
       return (select timestamptz '${now?.at}' + ahead from test.world_clock)`,
  )
}
