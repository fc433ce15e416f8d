import type { Id } from '#kernel/ids.ts'
import { requireCompany } from '#modules/companies/index.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { SETTINGS_AT_FIRST, type SyndicateSettings } from './syndicate.ts'
import { insertSyndicate } from './syndicate-store.ts'

export type NewSyndicate = {
  readonly id: Id<'syndicate'>
  readonly createdBy?: Id<'user'> | null
  readonly settings: Pick<SyndicateSettings, 'name' | 'slug'> & Partial<SyndicateSettings>
}

/** Its creator runs nothing yet and is no member: both are said for themselves. */
export async function createSyndicate(tx: Tx, input: NewSyndicate, occasion: Occasion): Promise<void> {
  const createdBy = input.createdBy ?? null
  if (createdBy !== null) await lockActiveUser(tx, 'created_by', createdBy)
  const settings = { ...SETTINGS_AT_FIRST, ...input.settings }
  await requireFund(tx, settings)
  await insertSyndicate(tx, { id: input.id, settings, createdBy, at: occasion.occurredAt })
}

export async function requireFund(tx: Tx, { primary_fund_company: fund }: Partial<SyndicateSettings>): Promise<void> {
  if (fund !== null && fund !== undefined) await requireCompany(tx, 'primary_fund_company', fund)
}
