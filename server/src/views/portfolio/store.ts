import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A decimal as text, because a price must not become a floating-point number. */
export type Decimal = string

const OFFERING = statement<{ id: Id<'offering'> }>('portfolio.offering', 'select id from offerings where id = $1')

/** Offerings are never deleted, so no lock is needed. */
export async function offeringExists(tx: Tx, id: Id<'offering'>): Promise<boolean> {
  return (await tx.maybeOne(OFFERING, [id])) !== null
}

const INVESTMENT = statement<{ status: string }>('portfolio.investment', 'select status from investments where id = $1')

export async function findInvestmentStatus(tx: Tx, id: Id<'investment'>): Promise<string | null> {
  return (await tx.maybeOne(INVESTMENT, [id]))?.status ?? null
}

export type Valuation = {
  readonly offering: Id<'offering'>
  readonly valued_at: WorldTime
  readonly share_price: Decimal | null
  readonly multiple: Decimal | null
}

const INSERT_VALUATION = statement(
  'portfolio.insert_valuation',
  'insert into valuations (offering_id, valued_at, share_price, multiple) values ($1, $2, $3, $4)',
)

export async function insertValuation(
  tx: Tx,
  { offering, valued_at, share_price, multiple }: Valuation,
): Promise<void> {
  await tx.run(INSERT_VALUATION, [offering, valued_at, share_price, multiple])
}

export type Exit = {
  readonly offering: Id<'offering'>
  readonly status: ExitStatus
  readonly reason: ExitReason | null
  readonly exited_at: WorldTime
  readonly multiple: Decimal
}

const INSERT_EXIT = statement(
  'portfolio.insert_exit',
  'insert into exits (offering_id, status, reason, exited_at, multiple) values ($1, $2, $3, $4, $5)',
)

export async function insertExit(tx: Tx, { offering, status, reason, exited_at, multiple }: Exit): Promise<void> {
  await tx.run(INSERT_EXIT, [offering, status, reason, exited_at, multiple])
}

export type Sale = {
  readonly investment: Id<'investment'>
  readonly sold_at: WorldTime
  readonly multiple: Decimal
}

const INSERT_SALE = statement(
  'portfolio.insert_sale',
  'insert into secondary_sales (investment_id, sold_at, multiple) values ($1, $2, $3)',
)

export async function insertSale(tx: Tx, { investment, sold_at, multiple }: Sale): Promise<void> {
  await tx.run(INSERT_SALE, [investment, sold_at, multiple])
}

export type FundHolding = {
  readonly fund: Id<'company'>
  readonly company: Id<'company'>
  readonly status: HoldingStatus
}

const SET_HOLDING = statement(
  'portfolio.set_holding',
  `insert into fund_holdings (fund_id, company_id, status) values ($1, $2, $3)
   on conflict (fund_id, company_id) do update set status = excluded.status`,
)

export async function upsertHolding(tx: Tx, { fund, company, status }: FundHolding): Promise<void> {
  await tx.run(SET_HOLDING, [fund, company, status])
}

/** These values are also in database constraints; a test compares the two. */

export const EXIT_STATUSES = ['exited', 'failed'] as const
export type ExitStatus = (typeof EXIT_STATUSES)[number]

export const EXIT_REASONS = ['ipo', 'acquisition', 'buyback', 'failed', 'winding_down'] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

export const HOLDING_STATUSES = ['active', 'failed', 'exited'] as const
export type HoldingStatus = (typeof HOLDING_STATUSES)[number]
