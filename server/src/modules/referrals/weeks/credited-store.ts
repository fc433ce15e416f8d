import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { AmountTier } from '../credit/amount-tier.ts'
import type { TimeToInvest } from '../credit/time-to-invest.ts'
import type { Week } from './week.ts'

/**
 * What a week may have to say something of: credited before it was over, and not told yet, or told and another since. By
 * the amount and not by its tier, which is a rule of ours and not the database's.
 */
const TO_TELL = `
  from referral_credits c
  join investments i on i.id = c.investment_id
  left join referral_tellings t on t.investment_id = c.investment_id
 where c.applied_at < $1::timestamptz
   and (t.investment_id is null or t.seen_status <> i.status or t.seen_amount_cents <> i.last_amount_cents
        or t.told_status is null or t.told_status <> t.seen_status or t.told_tier <> t.seen_tier)`

export type CodeToTell = {
  readonly code: Id<'referralCode'>
  readonly app: Id<'app'>
  readonly count: number
}

const FIND_CODES = statement<CodeToTell>(
  'referrals.codes_to_tell',
  `select c.code_id as code, c.app_id as app, count(c.investment_id)::int as count ${TO_TELL}
    group by c.code_id, c.app_id order by c.code_id`,
)

export async function findCodesToTell(tx: Tx, { ends_at }: Week): Promise<CodeToTell[]> {
  return tx.many(FIND_CODES, [ends_at])
}

const ALONG_INDEXES = statement<{ set: string }>(
  'referrals.look_along_indexes',
  `select pg_catalog.set_config('enable_seqscan', 'off', true)
          || pg_catalog.set_config('enable_hashjoin', 'off', true)
          || pg_catalog.set_config('enable_mergejoin', 'off', true) as set`,
)

/**
 * For the rest of the transaction. A few codes at a time are looked up among all credits, beside what this transaction itself
 * has just written of the others, of which the planner knows nothing yet: it would read all of that again each time.
 */
export async function lookAlongIndexes(tx: Tx): Promise<void> {
  await tx.one(ALONG_INDEXES)
}

type Row = {
  readonly code: Id<'referralCode'>
  readonly app: Id<'app'>
  readonly company: Id<'company'>
  readonly investment: Id<'investment'>
  readonly investor: Id<'user'>
  readonly week: string
  readonly time: TimeToInvest
  readonly status: InvestmentState
  readonly amount_cents: string
  readonly seen_status: InvestmentState | null
  readonly seen_tier: AmountTier | null
  readonly told_status: InvestmentState | null
  readonly told_tier: AmountTier | null
}

const FIND = statement<Row>(
  'referrals.credited_to_tell',
  `select c.code_id as code, c.app_id as app, c.company_id as company, c.investment_id as investment,
          c.investor_id as investor, case when c.applied_at >= $3 then $4 else to_char(c.applied_at at time zone 'UTC', 'IYYY-"W"IW') end as week,
          c.time_to_invest as time, i.status, i.last_amount_cents as amount_cents, t.seen_status, t.seen_tier,
          t.told_status, t.told_tier
          ${TO_TELL} and c.code_id = any($2)
    order by c.code_id, c.company_id`,
)

type Said = { readonly status: InvestmentState; readonly tier: AmountTier }

/** A credited investment, and what has been said of it: in the rows, and in the ranges. */
export type Credited = Omit<Row, 'amount_cents' | 'seen_status' | 'seen_tier' | 'told_status' | 'told_tier'> & {
  readonly cents: Cents
  readonly seen: Said | null
  readonly told: Said | null
}

/** In the order of code and company. */
export async function findCredited(
  tx: Tx,
  { week, begins_at, ends_at }: Week,
  codes: readonly string[],
): Promise<Credited[]> {
  const rows = await tx.many(FIND, [ends_at, codes, begins_at, week])
  return rows.map(({ amount_cents, seen_status, seen_tier, told_status, told_tier, ...row }) => ({
    ...row,
    cents: Number(amount_cents) as Cents,
    seen: saidOf(seen_status, seen_tier),
    told: saidOf(told_status, told_tier),
  }))
}

function saidOf(status: InvestmentState | null, tier: AmountTier | null): Said | null {
  return status === null || tier === null ? null : { status, tier }
}

const WRITE = statement(
  'referrals.write_tellings',
  `insert into referral_tellings as before
     (investment_id, seen_status, seen_amount_cents, seen_tier, told_status, told_tier)
   select id, status, cents, tier, nullif(told_status, ''), nullif(told_tier, '')
     from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
       as now (id, status, cents, tier, told_status, told_tier)
   on conflict (investment_id) do update
     set seen_status = excluded.seen_status, seen_amount_cents = excluded.seen_amount_cents,
         seen_tier = excluded.seen_tier, told_status = excluded.told_status, told_tier = excluded.told_tier
     where (before.seen_status, before.seen_amount_cents, before.told_status, before.told_tier)
           is distinct from
           (excluded.seen_status, excluded.seen_amount_cents, excluded.told_status, excluded.told_tier)`,
)

export type Told = Said & { readonly investment: Id<'investment'>; readonly cents: Cents; readonly told: Said | null }

/** What is so from now on. Whoever goes on waiting for more people is not written again. */
export async function writeTellings(tx: Tx, all: readonly Told[]): Promise<void> {
  await tx.run(WRITE, [
    all.map(({ investment }) => investment),
    all.map(({ status }) => status),
    all.map(({ cents }) => cents),
    all.map(({ tier }) => tier),
    all.map(({ told }) => told?.status ?? ''),
    all.map(({ told }) => told?.tier ?? ''),
  ])
}
