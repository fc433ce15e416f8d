import { isDeepStrictEqual } from 'node:util'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { CompanyPage } from './company.ts'
import { lockCompany, updateCompanyRow } from './store.ts'

export type CompanyChanges = Partial<CompanyPage> & { readonly id: Id<'company'> }

/**
 * Changes the fields given and no others. The ledger need not know: a published investment names its company by id
 * alone, and nothing else of a company is in the record.
 */
export async function updateCompany(tx: Tx, changes: CompanyChanges, { occurredAt }: Moment): Promise<void> {
  const before = await lockCompany(tx, changes.id)
  if (before === null) throw new UnknownReference('id', changes.id)
  const after = { ...before, ...changes }
  if (!isDeepStrictEqual(before, after)) await updateCompanyRow(tx, after, occurredAt)
}
