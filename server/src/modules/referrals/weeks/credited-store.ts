import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { AmountTier } from '../credit/amount-tier.ts'
import type { TimeToInvest } from '../credit/time-to-invest.ts'
import type { Said } from './said.ts'
import type { Week } from './week.ts'

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
 * A credited investment, and what has been said of it: in the rows, and in the ranges. `known`: its investor was credited to
 * the app at this company, by whichever of its codes, before the app ceased to see rows there.
 */
export type Credited = Omit<Row, 'amount_cents' | 'seen_status' | 'seen_tier' | 'told_status' | 'told_tier'> & {
  readonly cents: Cents
  readonly seen: Said | null
  readonly told: Said | null
}

/** These, as they are now. */
export async function findCredited(
  tx: Tx,
  { week, begins_at }: Week,
  investments: readonly string[],
): Promise<Credited[]> {
  const rows = await tx.many(FIND, [investments, begins_at, week])
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
