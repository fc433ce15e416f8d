import { validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import { requireCompany } from '#modules/companies/index.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseContradictions } from './contradictions.ts'
import type { OfferingTerms } from './offering.ts'
import { OFFERING_MACHINE } from './offering-states.ts'
import { ensureRaise, insertOffering } from './store.ts'

const NOTHING_SAID: Omit<OfferingTerms, 'exemption' | 'accredited_only'> = {
  name: null,
  description: null,
  testing_the_waters: false,
  security: null,
  intended_security: null,
  funding_target_cents: null,
  min_investment_cents: null,
  max_investment_cents: null,
  opens_at: null,
  closes_at: null,
  listed: false,
}

export type NewOffering = Partial<OfferingTerms> &
  Pick<OfferingTerms, 'exemption'> & {
    readonly id: Id<'offering'>
    readonly company: Id<'company'>
    readonly currency: string
    /** The raise it is a leg of. Named for the first time it begins one; not named, it has a raise of its own. */
    readonly raise?: Id<'raise'>
  }

/** A new offering is upcoming: nobody can invest until it opens. */
export async function createOffering(
  tx: Tx,
  { id, company, currency, raise = newId('raise'), ...said }: NewOffering,
  { occurredAt }: Occasion,
): Promise<{ readonly id: Id<'offering'>; readonly raise: Id<'raise'> }> {
  const terms = { ...NOTHING_SAID, accredited_only: said.exemption === 'reg_d_506c', ...said }
  refuseContradictions(terms)
  const { to: status } = transition(OFFERING_MACHINE, { from: 'none', move: 'create' })
  await requireCompany(tx, 'company', company)
  const existing = await ensureRaise(tx, { id: raise, company, currency }, occurredAt)
  // Totals are summed over a raise, so all of it is one company's and one currency's.
  if (existing.company_id !== company) {
    throw validationError([{ field: 'raise', code: 'other_company', message: 'is a raise of another company' }])
  }
  if (existing.currency !== currency) {
    throw validationError([
      { field: 'currency', code: 'not_the_raises', message: `its raise is in ${existing.currency}` },
    ])
  }
  await insertOffering(tx, { id, company, raise, currency, status, ...terms }, occurredAt)
  return { id, raise }
}
