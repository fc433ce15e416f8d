import { isDeepStrictEqual } from 'node:util'
import { lockActiveUser } from '#access/people/index.ts'
import { recordInvestmentChange } from '#events/changes/index.ts'
import { appendEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { illegalTransition, transition } from '#kernel/state-machine.ts'
import { requireCompany } from '#market/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Offering, type OfferingTerms, rejectContradictions } from './offering.ts'
import { OFFERING_MACHINE, type OfferingMove } from './offering-states.ts'
import { ensureRaise, insertInvitation, insertOffering, lockOffering, setStatus, writeTerms } from './store.ts'

const NOTHING_GIVEN: Omit<OfferingTerms, 'exemption' | 'accredited_only'> = {
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
    /** The raise of the offering. An unknown id creates a raise; without an id the offering gets its own raise. */
    readonly raise?: Id<'raise'>
  }

/** A new offering is upcoming: people can invest once it opens. */
export async function createOffering(
  tx: Tx,
  { id, company, currency, raise = newId('raise'), ...given }: NewOffering,
  { occurredAt }: Occasion,
): Promise<{ readonly id: Id<'offering'>; readonly raise: Id<'raise'> }> {
  const terms = { ...NOTHING_GIVEN, accredited_only: given.exemption === 'reg_d_506c', ...given }
  rejectContradictions(terms)
  const { to: status } = transition(OFFERING_MACHINE, { from: 'none', move: 'create' })
  await requireCompany(tx, 'company', company)
  const existing = await ensureRaise(tx, { id: raise, company, currency }, occurredAt)
  // Totals are summed over a raise, so all its offerings have one company and one currency.
  if (existing.company_id !== company) {
    throw validationError([{ field: 'raise', code: 'other_company', message: 'is a raise of another company' }])
  }
  if (existing.currency !== currency) {
    throw validationError([
      { field: 'currency', code: 'not_the_raises', message: `is not the raise’s, which is ${existing.currency}` },
    ])
  }
  await insertOffering(tx, { id, company, raise, currency, status, ...terms }, occurredAt)
  return { id, raise }
}

export type OfferingChanges = Partial<OfferingTerms> & { readonly id: Id<'offering'> }

/**
 * People relied on these fields when they committed. Changing `testing_the_waters` would silently turn reservations into
 * investments or back, which needs a conversion.
 */
const FIXED_ONCE_OPENED = ['exemption', 'testing_the_waters', 'opens_at'] as const

/** The fields of the offering that published investment records contain, besides its id. */
const SHOWN_IN_RECORDS = ['exemption', 'testing_the_waters', 'security', 'intended_security'] as const

/** Changes only the given fields. */
export async function updateOffering(tx: Tx, changes: OfferingChanges, { occurredAt }: Occasion): Promise<void> {
  const before = await lockOffering(tx, changes.id)
  if (before === null) throw new UnknownReference('id', changes.id)
  const after: Offering = { ...before, ...changes }
  const changed = (field: keyof OfferingTerms) => !isDeepStrictEqual(before[field], after[field])
  const fixed = before.status === 'upcoming' ? [] : FIXED_ONCE_OPENED.filter(changed)
  if (fixed.length > 0) {
    const message = 'cannot change once the offering has opened'
    throw validationError(fixed.map((field) => ({ field, code: 'fixed_once_opened', message })))
  }
  rejectContradictions(after)
  await writeTerms(tx, after, occurredAt)
  if (SHOWN_IN_RECORDS.some(changed)) await recordInvestmentChange(tx, { kind: 'offering', id: before.id })
}

type Which = { readonly id: Id<'offering'> }

/** "Accepting investments (reservations for testing-the-waters)." The offering opens now, even if opens_at was a later time. */
export async function openOffering(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  const offering = await lock(tx, id)
  const { closes_at } = offering
  if (offering.status === 'upcoming' && closes_at !== null && closes_at <= occasion.occurredAt) {
    const why = `It would close at ${closes_at}, before it opens: change closes_at first.`
    throw illegalTransition(OFFERING_MACHINE, { from: offering.status, move: 'open' }, why)
  }
  await move(tx, { offering, by: 'open' }, occasion)
}

/** "Stopped accepting investments; funds awaiting disbursement." */
export async function startClosing(
  tx: Tx,
  { id, expected_disbursement_at }: Which & { readonly expected_disbursement_at?: WorldTime },
  occasion: Occasion,
): Promise<void> {
  const extra = expected_disbursement_at === undefined ? {} : { expected_disbursement_at }
  await move(tx, { offering: await lock(tx, id), by: 'closing', extra }, occasion)
}

/** "Funds disbursed; raise complete." */
export async function closeOffering(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  await move(tx, { offering: await lock(tx, id), by: 'close' }, occasion)
}

/**
 * The offering's part of a cancellation. Only the module `investments` may call this function, because that module also cancels
 * the investments, in the same transaction.
 */
export async function cancelOfferingAlone(tx: Tx, { id }: Which, occasion: Occasion): Promise<Offering> {
  const offering = await lock(tx, id)
  await move(tx, { offering, by: 'cancel' }, occasion)
  return offering
}

type LockedOffering = Offering & { readonly shown_company: { readonly name: string; readonly url: string } }

async function lock(tx: Tx, id: Id<'offering'>): Promise<LockedOffering> {
  const offering = await lockOffering(tx, id)
  if (offering === null) throw new UnknownReference('id', id)
  return offering
}

type Step = {
  readonly offering: LockedOffering
  readonly by: Exclude<OfferingMove, 'create'>
  /** Fields that only some of the offering events have. */
  readonly extra?: { readonly expected_disbursement_at?: WorldTime }
}

async function move(tx: Tx, { offering, by, extra = {} }: Step, occasion: Occasion): Promise<void> {
  const { id, company } = offering
  const { to, events } = transition(OFFERING_MACHINE, { from: offering.status, move: by })
  await setStatus(tx, id, { status: to, at: occasion.occurredAt })
  for (const name of events) {
    const data = { offering: id, status: to, company: offering.shown_company, ...extra }
    const subject = { companyId: company, offeringId: id }
    await appendEvent(tx, { name, subject, occurredAt: occasion.occurredAt, data }, occasion)
  }
}

export type Invitation = { readonly id: Id<'offering'>; readonly user: Id<'user'> }

/** Lets a person see a private round. Inviting a person again changes nothing. */
export async function inviteUser(tx: Tx, { id, user }: Invitation, { occurredAt }: Occasion): Promise<void> {
  await lockActiveUser(tx, 'user', user)
  if (!(await insertInvitation(tx, { id, user }, occurredAt))) throw new UnknownReference('id', id)
}
