import type { Client } from 'pg'
import type { Bench } from '../service.ts'
import { median, printTable, whole } from '../table.ts'
import type { Partner } from './partners.ts'
import { deliverRound, type Round } from './throughput.ts'

/** As migrations 0070 and 0071 make them: only the portal reads these indexes and the counts of attempts. */
const WITH = `
  create index if not exists delivery_history_event on test.delivery_history (event_id);
  create index if not exists delivery_history_failed on test.delivery_history (endpoint_id, state, id) where state <> 'delivered';
  drop trigger if exists bench_no_counts on platform.delivery_counts`
const WITHOUT = `
  drop index if exists test.delivery_history_event, test.delivery_history_failed;
  create or replace function platform.bench_no_counts() returns trigger language plpgsql as 'begin return null; end';
  create or replace trigger bench_no_counts before insert on platform.delivery_counts
    for each row execute function platform.bench_no_counts()`

type Measured = { readonly partners: readonly Partner[]; readonly rounds: number; readonly count: number }

/** What a delivery pays for what only the portal reads: rounds with it and without it, in turns. */
export async function measurePortalCost(bench: Bench, { partners, rounds, count }: Measured): Promise<void> {
  const sides = { with: WITH, without: WITHOUT }
  const found: Record<keyof typeof sides, Round[]> = { with: [], without: [] }
  const play = async (side: keyof typeof sides) => {
    await prepare(bench.client, sides[side])
    return deliverRound(bench, partners, count)
  }
  for (const side of ['without', 'with'] as const) await play(side)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const side of order) found[side].push(await play(side))
  }
  await prepare(bench.client, WITH)
  const row = (name: string, of: (round: Round) => number) => {
    const [paid, free] = [found.with.map(of), found.without.map(of)]
    // Ratios within one round, so that a slow minute of the machine affects both.
    const ratios = paid.map((value, at) => value / (free[at] ?? value))
    return [name, whole(median(paid)), whole(median(free)), median(ratios).toFixed(3)] as const
  }
  printTable(`Deliveries with and without the portal’s indexes and counts, ${rounds} rounds of ${whole(count)}`, [
    ['', 'with', 'without', 'with : without'],
    row('deliveries/s', ({ perSecond }) => perSecond),
    row('  server, µs of processor each', ({ serverUs }) => serverUs),
    row('  PostgreSQL, µs of processor each', ({ postgresUs }) => postgresUs),
    row('  both', ({ serverUs, postgresUs }) => serverUs + postgresUs),
  ])
}

/** An index is created again over all rows; this work must not count in the round. */
async function prepare(client: Client, statements: string): Promise<void> {
  await client.query(statements)
  await client.query('checkpoint')
}
