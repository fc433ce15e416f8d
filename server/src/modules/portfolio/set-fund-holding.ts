import { validationError } from '#kernel/errors.ts'
import { requireCompany } from '#modules/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type FundHolding, upsertHolding } from './store.ts'

/** Says that a fund holds a company, or how that went on. */
export async function setFundHolding(tx: Tx, holding: FundHolding): Promise<void> {
  const { kind } = await requireCompany(tx, 'fund', holding.fund)
  await requireCompany(tx, 'company', holding.company)
  if (kind !== 'fund') throw validationError([{ field: 'fund', code: 'not_a_fund', message: 'is no fund' }])
  if (holding.fund === holding.company) {
    throw validationError([{ field: 'company', code: 'itself', message: 'is the fund itself' }])
  }
  await upsertHolding(tx, holding)
}
