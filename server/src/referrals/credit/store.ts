import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withLookups } from '#system/postgres/statement.ts'
import type { CreditModel } from '../settings.ts'
import type { TimeToInvest } from './tiers.ts'

export type Invested = {
  readonly id: Id<'investment'>
  readonly investor: Id<'user'>
  readonly company: Id<'company'>
  readonly status: InvestmentState
  readonly amount_cents: Cents
  readonly applied_at: WorldTime
}

export type Click = { readonly code: Id<'referralCode'>; readonly clicked_at: WorldTime }

type Row = Omit<Invested, 'amount_cents'> & { readonly amount_cents: string } & {
  readonly [K in keyof Click]: Click[K] | null
}

/**
 * Reads the investment and the click with one statement. Nearly every investment has no click and needs no further
 * statement.
 */
const clicked = (order: 'asc' | 'desc', { first, from, id, days, at }: CallerParts) => `
  ${first} select ${at} i.id, i.investor_id as investor, i.company_id as company, i.status, i.last_amount_cents as amount_cents,
         i.applied_at, v.code_id as code, v.clicked_at
    from ${from} investments i
    left join lateral (
      select v.code_id, v.clicked_at from referral_visits v
       where v.user_id = i.investor_id and v.company_id = i.company_id and v.clicked_at <= i.applied_at
         and v.clicked_at >= i.applied_at - make_interval(days => ${days})
       order by v.clicked_at ${order} limit 1) as v on true
   where i.id = ${id}`

type CallerParts = Readonly<Record<'first' | 'from' | 'id' | 'days' | 'at', string>>
const BY_ONE: CallerParts = { first: '', from: '', id: '$1', days: '$2::int', at: '' }
const BY_MANY: CallerParts = {
  first: withLookups('id text', 'days int'),
  from: 'caller cross join',
  id: 'caller.id',
  days: 'caller.days',
  at: 'caller.at::int,',
}

const clickStatement = (name: string, order: 'asc' | 'desc') =>
  gatheredStatement<Row>(name, clicked(order, BY_ONE), clicked(order, BY_MANY))

const FIND: Readonly<Record<CreditModel, ReturnType<typeof clickStatement>>> = {
  last_click: clickStatement('referrals.last_click', 'desc'),
  first_click: clickStatement('referrals.first_click', 'asc'),
}

export type Crediting = { readonly invested: Invested; readonly click: Click | null }

/**
 * An investment that this transaction created, and the click that the credit model chooses. `click` is null if no click is
 * within the window.
 */
export async function findClick(
  tx: Tx,
  id: Id<'investment'>,
  { model, windowDays }: { readonly model: CreditModel; readonly windowDays: number },
): Promise<Crediting> {
  const { code, clicked_at, ...row } = await tx.one(FIND[model], [id, windowDays])
  const click = code === null || clicked_at === null ? null : { code, clicked_at }
  return { invested: { ...row, amount_cents: Number(row.amount_cents) as Cents }, click }
}

export type CreditedCode = { readonly id: Id<'referralCode'>; readonly app: Id<'app'> }

/**
 * Locks the code for share: either a transaction that pauses the code waits for this transaction, or this transaction waits
 * and then finds the code paused.
 */
const LOCK = statement<{ id: string }>(
  'referrals.lock_credited',
  'select id from referral_codes where id = $1 for share',
)

const FIND_ACTIVE = statement<CreditedCode>(
  'referrals.find_credited',
  `select c.id, c.app_id as app from referral_codes c join platform.apps a on a.id = c.app_id
          join platform.organizations o on o.id = a.organization_id
    where c.id = $1 and c.state = 'active' and a.state = 'active' and o.state = 'active'`,
)

/** Null for a code that cannot be credited now: it is paused, or its app or the app's organization is not active. */
export async function lockActiveCode(tx: Tx, id: Id<'referralCode'>): Promise<CreditedCode | null> {
  await tx.maybeOne(LOCK, [id])
  return tx.maybeOne(FIND_ACTIVE, [id])
}

const INSERT = statement(
  'referrals.insert_credit',
  `insert into referral_credits (investment_id, code_id, app_id, company_id, investor_id, clicked_at, applied_at,
                                 time_to_invest)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export type Credit = {
  readonly invested: Invested
  readonly code: CreditedCode
  readonly clickedAt: WorldTime
  readonly timeToInvest: TimeToInvest
}

export async function insertCredit(tx: Tx, { invested, code, clickedAt, timeToInvest }: Credit): Promise<void> {
  const { id, company, investor, applied_at } = invested
  await tx.run(INSERT, [id, code.id, code.app, company, investor, clickedAt, applied_at, timeToInvest])
}

const CARRY = statement(
  'referrals.carry_credit',
  `update referral_credits c set standing_id = s.id
     from investments s
    where s.id = $2 and s.company_id = c.company_id
      and (c.investment_id = $1 and c.standing_id is null or c.standing_id = $1)`,
)

type Carried = { readonly from: Id<'investment'>; readonly to: Id<'investment'> }

/**
 * After a move to another offering, the credit stays with the first investment, and the credit's rows show the state of the
 * successor. No second investment.referred is sent. If the successor belongs to another company, the rows show `converted`,
 * because the code led to the first company only.
 */
export async function carryCredit(tx: Tx, { from, to }: Carried): Promise<void> {
  await tx.run(CARRY, [from, to])
}
