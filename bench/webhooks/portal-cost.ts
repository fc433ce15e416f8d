import type { Client } from 'pg'
import type { Bench } from '../service.ts'
import { median, printTable, whole } from '../table.ts'
import type { Partner } from './partners.ts'
import { deliverRound, type Round } from './throughput.ts'

/** The indexes and counts of migrations 0070 and 0071. The portal and the console read them; sending a delivery does not. */
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

/** Measures what the portal's indexes and counts cost a delivery: rounds with them and without them, in turns. */
export async function measurePortalCost(bench: Bench, { partners, rounds, count }: Measured): Promise<void> {
  const sides = { with: WITH, without: WITHOUT }
  const measured: Record<keyof typeof sides, Round[]> = { with: [], without: [] }
  const play = async (side: keyof typeof sides) => {
    await prepare(bench.client, sides[side])
    return deliverRound(bench, partners, count)
  }
  for (const side of ['without', 'with'] as const) await play(side)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const side of order) measured[side].push(await play(side))
  }
  await prepare(bench.client, WITH)
  const row = (name: string, of: (round: Round) => number) => {
    const [paid, free] = [measured.with.map(of), measured.without.map(of)]
    // Each ratio is within one round, so a slow minute of the machine affects both sides.
    const ratios = paid.map((value, at) => value / (free[at] ?? value))
    return [name, whole(median(paid)), whole(median(free)), median(ratios).toFixed(3)] as const
  }
  printTable(`Deliveries with and without the portal’s indexes and counts, ${rounds} rounds of ${whole(count)}`, [
    ['', 'with', 'without', 'with : without'],
    row('deliveries/s', ({ perSecond }) => perSecond),
    row('  server, µs of processor time per delivery', ({ serverUs }) => serverUs),
    row('  PostgreSQL, µs of processor time per delivery', ({ postgresUs }) => postgresUs),
    row('  server and PostgreSQL together', ({ serverUs, postgresUs }) => serverUs + postgresUs),
  ])
}

/** Switches the indexes and counts on or off before the round, so that this work does not count in the round. */
async function prepare(client: Client, statements: string): Promise<void> {
  await client.query(statements)
  await client.query('checkpoint')
}
