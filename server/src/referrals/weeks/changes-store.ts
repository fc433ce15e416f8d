import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { AmountTier, TimeToInvest } from '../credit/tiers.ts'

/** "ISO weeks, YYYY-Www", from Monday to Monday in UTC by the clock of the world. The names of weeks sort as text. */
export type Week = {
  readonly week: string
  readonly begins_at: WorldTime
  readonly ends_at: WorldTime
}

/** A code and a company. Each week publishes the figures of each pair. */
export type Pair = {
  readonly code: Id<'referralCode'>
  readonly app: Id<'app'>
  readonly company: Id<'company'>
}

export function pairName({ code, company }: Pick<Pair, 'code' | 'company'>): string {
  return `${code} ${company}`
}

/** The state of an investment that rows or ranges last published. */
export type PublishedState = { readonly status: InvestmentState; readonly tier: AmountTier }

export type PairToPublish = Pair & { readonly count: number }

const FIND_PAIRS = statement<PairToPublish>(
  'referrals.pairs_to_tell',
  `with of_k as (select begins_at, people_min from referral_weeks order by begins_at desc limit 2)
   select q.code_id as code, c.app_id as app, q.company_id as company, count(q.investment_id)::int as count
     from (select code_id, company_id, investment_id from referral_changes where applied_at < $1::timestamptz
           union all
           select code_id, company_id, investment_id from referral_tellings
            where waiting and (select people_min from of_k order by begins_at desc limit 1)
                              < (select people_min from of_k order by begins_at desc offset 1)) as q
     join referral_codes c on c.id = q.code_id
    group by q.code_id, c.app_id, q.company_id order by q.code_id, q.company_id`,
)

/**
 * The pairs with a credit or a change before the end of the week. In a week with a smaller k than the week before, all
 * waiting pairs are read too: a group that is now large enough would otherwise appear only when one of its people does
 * something, which would reveal that act. The row of the week must exist already.
 */
export async function findPairsToPublish(tx: Tx, { ends_at }: Week): Promise<PairToPublish[]> {
  return tx.many(FIND_PAIRS, [ends_at])
}

const ALONG_INDEXES = statement<{ set: string }>(
  'referrals.look_along_indexes',
  `select pg_catalog.set_config('enable_seqscan', 'off', true)
          || pg_catalog.set_config('enable_bitmapscan', 'off', true)
          || pg_catalog.set_config('enable_hashjoin', 'off', true)
          || pg_catalog.set_config('enable_mergejoin', 'off', true)
          || pg_catalog.set_config('enable_hashagg', 'off', true) as set`,
)

/**
 * Makes the planner use indexes for the rest of the transaction. The planner has no statistics yet about the rows that
 * this transaction has just written, and would read all these rows again for every few investments.
 */
export async function preferIndexes(tx: Tx): Promise<void> {
  await tx.one(ALONG_INDEXES)
}

/** A pair whose changes up to the investment `after` were taken. */
export type OpenPair = Pair & { readonly after: string }

type Taken = { readonly code: Id<'referralCode'>; readonly company: Id<'company'>; readonly investment: string }

/** The recorded changes and the waiting investments, up to a limit per pair. */
const TAKE = statement<Taken>(
  'referrals.take_changes',
  `with due as materialized (
     select pair.code, pair.company, part.investment_id
       from unnest($1::text[], $2::text[], $3::text[]) as pair (code, company, after)
      cross join lateral (
        select either.investment_id
          from ((select distinct q.investment_id from referral_changes q
                  where q.code_id = pair.code and q.company_id = pair.company
                    and q.investment_id > pair.after collate "C" and q.applied_at < $4::timestamptz
                  order by q.investment_id limit $5::int)
                union
                (select t.investment_id from referral_tellings t
                  where t.code_id = pair.code and t.company_id = pair.company and t.waiting
                    and t.investment_id > pair.after collate "C"
                  order by t.investment_id limit $5::int)) as either
         order by either.investment_id limit $5::int) as part),
   gone as (
     delete from referral_changes q using due
      where q.code_id = due.code and q.company_id = due.company and q.investment_id = due.investment_id)
   select code, company, investment_id as investment from due`,
)

/**
 * The next investments of these pairs. They are removed from the queue first and read in a later statement,
 * so a change in between is queued again, for the next week.
 */
export async function takeChanges(
  tx: Tx,
  pairs: readonly OpenPair[],
  { ends_at, limit }: Pick<Week, 'ends_at'> & { readonly limit: number },
): Promise<Taken[]> {
  return tx.many(TAKE, [
    pairs.map(({ code }) => code),
    pairs.map(({ company }) => company),
    pairs.map(({ after }) => after),
    ends_at,
    limit,
  ])
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
  readonly hidden: boolean
  readonly known: boolean
  readonly amount_cents: string
  readonly seen_status: InvestmentState | null
  readonly seen_tier: AmountTier | null
  readonly told_status: InvestmentState | null
  readonly told_tier: AmountTier | null
}

const FIND = statement<Row>(
  'referrals.credited_to_tell',
  `select c.code_id as code, c.app_id as app, c.company_id as company, c.investment_id as investment,
          c.investor_id as investor,
          case when c.applied_at >= $2 then $3 else to_char(c.applied_at at time zone 'UTC', 'IYYY-"W"IW') end as week,
          c.time_to_invest as time, i.status, i.hidden, i.last_amount_cents as amount_cents, t.seen_status, t.seen_tier,
          t.told_status, t.told_tier,
          s.until is not null and exists (
            select from referral_credits e
             where e.investor_id = c.investor_id and e.app_id = c.app_id and e.company_id = c.company_id
               and e.credited_at <= s.until) as known
     from unnest($1::text[]) as taken (id)
     join referral_credits c on c.investment_id = taken.id
     join investments i on i.id = coalesce(c.standing_id, c.investment_id)
     left join referral_tellings t on t.investment_id = taken.id
     left join referral_rows_shown s on s.app_id = c.app_id and s.company_id = c.company_id`,
)

/**
 * A credited investment, with its published states in rows and in ranges. `known`: its investor was credited to any of the
 * app's codes at this company before the app lost its access to rows there.
 */
export type Credited = Omit<Row, 'amount_cents' | 'seen_status' | 'seen_tier' | 'told_status' | 'told_tier'> & {
  readonly cents: Cents
  readonly seen: PublishedState | null
  readonly published: PublishedState | null
}

/** Reads the current state of these investments. */
export async function findCredited(
  tx: Tx,
  { week, begins_at }: Week,
  investments: readonly string[],
): Promise<Credited[]> {
  const rows = await tx.many(FIND, [investments, begins_at, week])
  return rows.map(({ amount_cents, seen_status, seen_tier, told_status, told_tier, ...row }) => ({
    ...row,
    cents: Number(amount_cents) as Cents,
    seen: publishedState(seen_status, seen_tier),
    published: publishedState(told_status, told_tier),
  }))
}

function publishedState(status: InvestmentState | null, tier: AmountTier | null): PublishedState | null {
  return status === null || tier === null ? null : { status, tier }
}
