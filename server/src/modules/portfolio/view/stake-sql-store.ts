import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Decimal } from '../store.ts'
import type { ExitReason, ExitStatus } from '../vocabulary.ts'
import type { Aftermath, Stake } from '../worth/stake.ts'

/** A stake with what has become of its offering, as the statements of this folder give it. */
export type StakeRow = {
  readonly offering_id: Id<'offering'>
  readonly currency: string
  /** bigint arrives as text. */
  readonly amount_cents: string
  readonly invested_at: WorldTime
  readonly shares: Decimal | null
  readonly average_share_price: Decimal | null
  readonly sold_at: WorldTime | null
  readonly sale_multiple: Decimal | null
  readonly valued_at: WorldTime | null
  readonly valued_share_price: Decimal | null
  readonly valued_multiple: Decimal | null
  readonly exit_status: ExitStatus | null
  readonly exit_reason: ExitReason | null
  readonly exited_at: WorldTime | null
  readonly exit_multiple: Decimal | null
  readonly as_of: WorldTime
}

/** Of an investment `s`. */
export const STAKE_COLUMNS = `
  s.offering_id, s.currency, s.amount_cents, s.applied_at as invested_at, s.shares, s.average_share_price,
  sale.sold_at, sale.multiple as sale_multiple, v.valued_at, v.share_price as valued_share_price,
  v.multiple as valued_multiple, x.status as exit_status, x.reason as exit_reason, x.exited_at,
  x.multiple as exit_multiple, world_now() as as_of`

/**
 * What belongs to an investment `s`, by its keys: `offset 0` and `limit` keep the planner from reading a table as a
 * whole, because it cannot know how few stakes there are.
 */
export const STAKE_TABLES = `
  left join lateral (select sold_at, multiple from secondary_sales where investment_id = s.id offset 0) sale on true
  left join lateral (select valued_at, share_price, multiple from valuations where offering_id = s.offering_id
                      order by valued_at desc limit 1) v on true
  left join lateral (select status, reason, exited_at, multiple from exits where offering_id = s.offering_id
                     offset 0) x on true`

export function stakeOf(row: StakeRow): Stake {
  const { shares, average_share_price: price, sold_at: soldAt, sale_multiple: multiple } = row
  return {
    cost: BigInt(row.amount_cents),
    investedAt: row.invested_at,
    shares: shares === null || price === null ? null : { count: shares, price },
    sale: soldAt === null || multiple === null ? null : { soldAt, multiple },
  }
}

/** The same for every stake of an offering. */
export function aftermathOf(row: StakeRow): Aftermath {
  return { valuation: valuationOf(row), exit: exitOf(row) }
}

function valuationOf(row: StakeRow): Aftermath['valuation'] {
  const { valued_at: valuedAt, valued_share_price: sharePrice, valued_multiple: multiple } = row
  if (valuedAt === null) return null
  if (sharePrice !== null) return { valuedAt, sharePrice, multiple: null }
  return multiple === null ? null : { valuedAt, sharePrice: null, multiple }
}

function exitOf(row: StakeRow): Aftermath['exit'] {
  const { exit_status: status, exit_reason: reason, exited_at: exitedAt, exit_multiple: multiple } = row
  return status === null || exitedAt === null || multiple === null ? null : { status, reason, exitedAt, multiple }
}
