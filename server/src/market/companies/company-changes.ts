import { isDeepStrictEqual } from 'node:util'
import type { Moment } from '#access/people/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type Company, type CompanyKind, type CompanyPage, type PastRound, pastRoundErrors } from './company.ts'
import { findKind, insertCompany, lockCompany, replacePastRounds, updateCompanyRow } from './store.ts'

const NOTHING_KNOWN: Omit<Company, 'id' | 'name' | 'page_url'> = {
  kind: 'company',
  slug: null,
  tagline: null,
  logo_url: null,
  card_image_url: null,
  city: null,
  state: null,
  country: null,
  industries: [],
  business_models: [],
  promotion_opt_in: true,
  questions_closed: false,
}

export type NewCompany = Partial<Company> & Pick<Company, 'id' | 'name' | 'page_url'>

export async function createCompany(tx: Tx, company: NewCompany, { occurredAt }: Moment): Promise<void> {
  await insertCompany(tx, { ...NOTHING_KNOWN, ...company }, occurredAt)
}

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

export type PastRounds = { readonly company: Id<'company'>; readonly rounds: readonly PastRound[] }

/** The list as a whole, in its order: a founder corrects a report by reporting again. */
export async function reportPastRounds(tx: Tx, { company, rounds }: PastRounds, { occurredAt }: Moment): Promise<void> {
  const errors = rounds.flatMap((round, at) => pastRoundErrors(round, `rounds[${at}]`, occurredAt))
  if (errors.length > 0) throw validationError(errors)
  if ((await lockCompany(tx, company)) === null) throw new UnknownReference('company', company)
  await replacePastRounds(tx, company, rounds)
}

/** No lock: a company is never deleted and never changes its kind. `field` is where the caller named it. */
export async function requireCompany(
  queries: WorldQueries,
  field: string,
  id: Id<'company'>,
): Promise<{ readonly kind: CompanyKind }> {
  const kind = await findKind(queries, id)
  if (kind === null) throw new UnknownReference(field, id)
  return { kind }
}
