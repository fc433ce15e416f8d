import type { Tx, WorldQueries } from '@portico/server/system/postgres/database.ts'
import { statement } from '@portico/server/system/postgres/statement.ts'

/**
 * Each insert statement below inserts many rows, with every constraint enabled. An id is a prefix, `0Seed` and a
 * number. So it is well-formed, easy to recognize, and sorted before all later ids. A Lehmer generator with the number
 * as its seed returns the random values, so the same number results in the same row, except for its times.
 */
const id = (prefix: string, number: string) => `'${prefix}0Seed' || lpad((${number})::text, 19, '0')`
const random = (number: string) => `mod((${number})::bigint * 48271, 2147483647)`
const oneOf = (words: readonly string[], number: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${number}) % ${words.length}]`

const GIVEN = ['Ada', 'Kofi', 'Mei', 'Lars', 'Noor', 'Iris', 'Tomás', 'Anika', 'Sean', 'Yuki', 'Leila']
const FAMILY = [
  'Okafor',
  'Nguyen',
  'Silva',
  'Novak',
  'Haddad',
  'Berg',
  'Reyes',
  'Kim',
  'Patel',
  'Moretti',
  'Walsh',
  'Sato',
  'Cohen',
]

const DONE = statement<{ done: number }>(
  'seed.done',
  `select coalesce(max(substr(id, 10))::bigint, 0)::int as done from investments
    where id >= 'inv_0Seed0' and id < 'inv_0Seed:'`,
)

/** Returns how many investments were seeded already. */
export async function countSeeded(queries: WorldQueries): Promise<number> {
  return (await queries.one(DONE)).done
}

const USERS = statement(
  'seed.users',
  `insert into users (id, name, email, username, country, accreditation, created_at)
   select ${id('usr_', 'k')}, ${oneOf(GIVEN, 'k')} || ' ' || ${oneOf(FAMILY, 'k')}, 'seed.' || k || '@example.com', 'seed.' || k,
          'US', ${oneOf(['none', 'none', 'self_attested', 'verified'], 'k')}, world_now() - interval '400 days'
     from generate_series($1::bigint, $2::bigint) k
   on conflict (id) do nothing`,
)

const COMPANIES = statement(
  'seed.companies',
  `insert into companies (id, name, slug, tagline, page_url, country, industries, business_models, created_at, updated_at)
   select ${id('co_', 'k')}, 'Seeded Company ' || k, 'seeded-' || k, 'One of many, made for measuring',
          case current_schema() when 'test' then '/sandbox' else '' end || '/c/seeded-' || k,
          'US', array[${oneOf(['energy', 'healthcare', 'food_tech', 'devtools', 'robotics'], 'k')}], array['b2b'],
          world_now() - interval '300 days', world_now() - interval '300 days'
     from generate_series($1::bigint, $2::bigint) k
   on conflict (id) do nothing`,
)

/** The founder of company k is the user with the number 100 * k. */
const FOUNDERS = statement(
  'seed.founders',
  `insert into company_people (company_id, user_id, role, started_at)
   select ${id('co_', 'k')}, ${id('usr_', 'k * 100')}, 'founder', world_now() - interval '300 days'
     from generate_series($1::bigint, $2::bigint) k
   on conflict (company_id, user_id, role) do nothing`,
)

const currency = (company: string) => `case when (${company}) % 8 = 7 then 'eur' else 'usd' end`

const RAISES = statement(
  'seed.raises',
  `insert into raises (id, company_id, currency, created_at)
   select ${id('rse_', 'k')}, ${id('co_', 'k')}, ${currency('k')}, world_now() - interval '200 days'
     from generate_series($1::bigint, $2::bigint) k
   on conflict (id) do nothing`,
)

/** Each company has two offerings: one with an even number that sells a SAFE, and one with an odd number that tests the waters. */
const OFFERINGS = statement(
  'seed.offerings',
  `insert into offerings (id, company_id, raise_id, currency, name, status, exemption, testing_the_waters, security_type,
                          security_terms, intended_security_type, funding_target_cents, min_investment_cents, opens_at,
                          listed, created_at, updated_at)
   select ${id('ofr_', 'k')}, ${id('co_', 'k / 2')}, ${id('rse_', 'k / 2')}, ${currency('k / 2')}, 'Seeded round ' || k, 'open',
          case when ${currency('k / 2')} = 'eur' then 'ecsp' else 'reg_cf' end, k % 2 = 1,
          case when k % 2 = 0 then 'safe' end,
          case when k % 2 = 0 then '{"valuation_cap": "10000000", "discount_percent": "20", "most_favored_nation": false,
                                     "pro_rata": false, "uncapped": false}'::jsonb end,
          case when k % 2 = 1 then 'safe' end, 100000000, 5000, world_now() - interval '130 days', true,
          world_now() - interval '140 days', world_now() - interval '130 days'
     from generate_series($1::bigint, $2::bigint) k
   on conflict (id) do nothing`,
)

/**
 * Every fiftieth row is a reservation that was converted into the next row. `drawn` is equal in both rows, so that
 * both have the same investor and company. `converted_to` is null if the next row is in another block or another
 * transaction. No time is after $3.
 */
const INVESTMENTS = statement(
  'seed.investments',
  `with numbered as (
     select n, ${random('n')} as r,
            ${random('case when n % 50 = 1 and n % 20000 <> 1 then n - 1 else n end')} as drawn,
            $3::timestamptz - interval '120 days' * (1 - ((n - 1) % 20000) / 20000.0) as applied_at
       from generate_series($1::bigint, $2::bigint) n),
   placed as (
     select n, r, applied_at, (n - 1) / 20000 * 1000 + drawn / 7 % 1000 as investor,
            (n - 1) / 20000 * 10 + case when drawn % 10 < 4 then 0 else 1 + drawn / 10 % 9 end as company,
            case when n % 50 = 0 then 'converted' when n % 50 = 1 then 'active'
                 when r % 100 < 54 then 'active' when r % 100 < 64 then 'reserved' when r % 100 < 86 then 'executed'
                 when r % 100 < 98 then 'canceled' else 'active' end as status,
            (1 + r / 100 % 80) * 5000 as cents
       from numbered),
   told as (
     select n, r, applied_at, investor, company, status, cents,
            status in ('reserved', 'converted') or status = 'canceled' and r % 7 = 0 as reservation
       from placed)
   insert into investments (id, company_id, offering_id, currency, investor_id, status, amount_cents, last_amount_cents,
                            applied_at, confirmed_at, executed_at, canceled_at, status_before_cancel, converted_at,
                            converted_to, payment_state, in_escrow_cents, identity_state, signature_state, hidden)
   select ${id('inv_', 'n')}, ${id('co_', 'company')}, ${id('ofr_', 'company * 2 + reservation::int')}, ${currency('company')},
          ${id('usr_', 'investor')}, status, case when status = 'canceled' and r % 11 = 0 then null else cents end, cents,
          applied_at,
          case when status = 'executed' or status = 'active' and r % 3 > 0
               then least(applied_at + interval '2 days', $3::timestamptz) end,
          case when status = 'executed' then least(applied_at + interval '9 days', $3::timestamptz) end,
          case when status = 'canceled' then least(applied_at + interval '3 days', $3::timestamptz) end,
          case when status = 'canceled' then case when reservation then 'reserved' else 'active' end end,
          case when status = 'converted' then least(applied_at + interval '4 days', $3::timestamptz) end,
          case when n % 50 = 0 and n % 20000 <> 0 and n < $2::bigint then ${id('inv_', 'n + 1')} end,
          case when reservation then 'none' when status = 'executed' or status = 'active' and r % 3 > 0 then 'received'
               when status = 'active' and r % 5 = 0 then 'pending' else 'none' end,
          case when not reservation and (status = 'executed' or status = 'active' and r % 3 > 0) then cents else 0 end,
          case when reservation then 'not_required' when r % 9 = 0 then 'required' else 'passed' end,
          case when reservation then 'not_required' when r % 13 = 0 then 'required' else 'passed' end, r % 997 = 0
     from told`,
)

const CHANGES = statement(
  'seed.changes',
  `insert into investment_changes (kind, id)
   select 'investment', ${id('inv_', 'n')} from generate_series($1::bigint, $2::bigint) n`,
)

const REMAINS = `i.status in ('active', 'reserved', 'executed')`

/** Computes the totals of all investments of the block, so that they are correct even if the block is seeded in two parts. */
const TOTALS = statement(
  'seed.totals',
  `insert into investor_totals (raise_id, investor_id, active_count, total_cents, latest_applied_at, last_occurred_at)
   select o.raise_id, i.investor_id, count(*) filter (where ${REMAINS}),
          coalesce(sum(i.amount_cents) filter (where ${REMAINS}), 0), max(i.applied_at) filter (where ${REMAINS}),
          max(greatest(i.applied_at, i.executed_at, i.canceled_at, i.converted_at))
     from investments i join offerings o on o.id = i.offering_id
    where i.offering_id between ${id('ofr_', '$1::bigint')} and ${id('ofr_', '$2::bigint')}
    group by o.raise_id, i.investor_id
   on conflict (raise_id, investor_id) do update
   set active_count = excluded.active_count, total_cents = excluded.total_cents,
       latest_applied_at = excluded.latest_applied_at, last_occurred_at = excluded.last_occurred_at`,
)

/**
 * Records the event investment.created of each investment, with the investor's total in the raise at that time, and queues it
 * for fan-out.
 */
const EVENTS = statement(
  'seed.events',
  `with told as (
     select i.id, i.company_id, i.offering_id, i.investor_id, i.applied_at, i.last_amount_cents / 100 as committed,
            i.status in ('reserved', 'converted') or i.status_before_cancel = 'reserved' as reservation,
            count(*) over sofar as n, (sum(i.last_amount_cents) over sofar / 100)::bigint as total, u.name, u.email
       from investments i join users u on u.id = i.investor_id
      where i.offering_id between ${id('ofr_', '$3::bigint')} and ${id('ofr_', '$4::bigint')}
     window sofar as (partition by i.company_id, i.investor_id order by i.id)),
   new as (
     insert into events (id, name, occurred_at, company_id, user_id, offering_id, investment_id, data, identity)
     select replace(id, 'inv_', 'evt_'), 'investment.created', applied_at, company_id, investor_id, offering_id, id,
            jsonb_build_object('id', id, 'status', case when reservation then 'reserved' else 'active' end,
              'offering', offering_id, 'amounts', jsonb_build_object('committed', committed),
              'investor', jsonb_build_object('id', investor_id),
              'investor_totals', jsonb_build_object('active_investment_count', n, 'total_committed', total,
                'latest_applied_at', to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                'investor_status', 'active')),
            jsonb_build_object('investor', jsonb_build_object('name', name, 'email', email))
       from told where id between ${id('inv_', '$1::bigint')} and ${id('inv_', '$2::bigint')}
     returning id)
   insert into event_queue (event_id) select id from new`,
)

const bounds = ({ from, to }: Range) => [from, to]

export async function insertUsers(tx: Tx, users: Range): Promise<void> {
  await tx.run(USERS, bounds(users))
}

export async function insertCompanies(tx: Tx, companies: Range, offerings: Range): Promise<void> {
  for (const each of [COMPANIES, FOUNDERS, RAISES]) await tx.run(each, bounds(companies))
  await tx.run(OFFERINGS, bounds(offerings))
}

/** Inserts investments and queues them for the ledger. None of their times is after `until`. */
export async function insertInvestments(tx: Tx, investments: Range, until: string): Promise<void> {
  await tx.run(INVESTMENTS, [...bounds(investments), until])
  await tx.run(CHANGES, bounds(investments))
}

export async function writeTotals(tx: Tx, offerings: Range): Promise<void> {
  await tx.run(TOTALS, bounds(offerings))
}

export async function insertEvents(tx: Tx, investments: Range, offerings: Range): Promise<void> {
  await tx.run(EVENTS, [...bounds(investments), ...bounds(offerings)])
}

/**
 * Seeded data consists of independent blocks. A block has 20,000 investments of 1,000 people in 10 companies, with 40 % of the
 * investments in the first company. A transaction seeds at most one block, so that a killed seed continues where it stopped.
 * Totals are sums within a block.
 */
const BLOCK = { investments: 20_000, users: 1_000, companies: 10, offerings: 20 } as const

export type Range = { readonly from: number; readonly to: number }

/**
 * The rows that one transaction seeds: a range of investments of one block, and all users, companies and offerings of that block.
 * Both ends of a range are included.
 */
export type Part = {
  readonly investments: Range
  readonly users: Range
  readonly companies: Range
  readonly offerings: Range
}

/** Yields the parts that are missing if `done` of `total` investments exist. */
export function* partsBetween(done: number, total: number): Generator<Part> {
  let from = done + 1
  while (from <= total) {
    const block = Math.floor((from - 1) / BLOCK.investments)
    const to = Math.min(total, (block + 1) * BLOCK.investments)
    yield {
      investments: { from, to },
      users: rangeOfBlock(block, BLOCK.users),
      companies: rangeOfBlock(block, BLOCK.companies),
      offerings: rangeOfBlock(block, BLOCK.offerings),
    }
    from = to + 1
  }
}

function rangeOfBlock(block: number, size: number): Range {
  return { from: block * size, to: (block + 1) * size - 1 }
}
