import type { Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { requireCompany } from '#market/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  type Decimal,
  type ExitReason,
  type ExitStatus,
  type FundHolding,
  findInvestmentStatus,
  insertExit,
  insertSale,
  insertValuation,
  offeringExists,
  upsertHolding,
} from './store.ts'

export type NewValuation = {
  readonly offering: Id<'offering'>
  /** The price of one share, if there are shares. */
  readonly share_price?: Decimal
  /** A multiple of the price paid, if there are no shares. */
  readonly multiple?: Decimal
  readonly valued_at?: WorldTime
}

/** Records the value, from `valued_at` on, of all stakes in an offering. */
export async function valueOffering(tx: Tx, valuation: NewValuation, occasion: Occasion): Promise<void> {
  const { offering, share_price = null, multiple = null } = valuation
  if ((share_price === null) === (multiple === null)) {
    const message = 'exactly one of share_price and multiple is needed'
    throw validationError([{ field: 'multiple', code: 'one_of', message }])
  }
  const valued_at = pastTime('valued_at', valuation.valued_at, occasion)
  if (!(await offeringExists(tx, offering))) throw new UnknownReference('offering', offering)
  await insertValuation(tx, { offering, valued_at, share_price, multiple })
}

export type NewExit = {
  readonly offering: Id<'offering'>
  readonly status: ExitStatus
  readonly reason?: ExitReason | null
  /** The proceeds as a multiple of the price paid; zero by default. */
  readonly multiple?: Decimal
  readonly exited_at?: WorldTime
}

/** Ends the stakes in an offering that were not sold before, for all holders. An exit is final, and an offering has only one. */
export async function exitOffering(tx: Tx, exit: NewExit, occasion: Occasion): Promise<void> {
  const { offering, status, reason = null, multiple = '0' } = exit
  const exited_at = pastTime('exited_at', exit.exited_at, occasion)
  if (!(await offeringExists(tx, offering))) throw new UnknownReference('offering', offering)
  await insertExit(tx, { offering, status, reason, exited_at, multiple })
}

export type NewSale = {
  readonly investment: Id<'investment'>
  /** The sale price as a multiple of the price paid. */
  readonly multiple: Decimal
  readonly sold_at?: WorldTime
}

/** Records that an investor sold an executed investment. Executed is a final state, so reading it needs no lock. */
export async function sellInvestment(
  tx: Tx,
  { investment, multiple, sold_at }: NewSale,
  occasion: Occasion,
): Promise<void> {
  const at = pastTime('sold_at', sold_at, occasion)
  const status = await findInvestmentStatus(tx, investment)
  if (status === null) throw new UnknownReference('investment', investment)
  if (status !== 'executed') {
    const message = `is ${status}, and only an executed investment can be sold`
    throw validationError([{ field: 'investment', code: 'not_executed', message }])
  }
  await insertSale(tx, { investment, multiple, sold_at: at })
}

/** Records that a fund holds a company, or the new state of that holding. */
export async function setFundHolding(tx: Tx, holding: FundHolding): Promise<void> {
  const { kind } = await requireCompany(tx, 'fund', holding.fund)
  await requireCompany(tx, 'company', holding.company)
  if (kind !== 'fund') throw validationError([{ field: 'fund', code: 'not_a_fund', message: 'is not a fund' }])
  if (holding.fund === holding.company) {
    throw validationError([{ field: 'company', code: 'itself', message: 'is the fund itself' }])
  }
  await upsertHolding(tx, holding)
}

/** A time in a fact must not be after occurred_at, because a fact reports what has already happened. The default is occurred_at. */
function pastTime(field: string, given: WorldTime | undefined, { occurredAt }: Occasion): WorldTime {
  if (given === undefined) return occurredAt
  if (given <= occurredAt) return given
  const message = 'is after occurred_at'
  throw validationError([{ field, code: 'in_the_future', message }])
}
