import { appendEvent, type Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { illegalTransition } from '#kernel/state-machine.ts'
import { OFFERING_MACHINE, type OfferingMove, type OfferingState } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type InvestorAndOffering, insertInvestment, lockInvestorAndOffering, userExists } from './creation-store.ts'
import { type CheckState, rejectBrokenUnits } from './investment.ts'
import { investmentEvent } from './investment-event.ts'
import { createInvestment } from './investment-states.ts'

export type NewInvestment = Partial<FirstChecks> & {
  readonly id: Id<'investment'>
  readonly offering: Id<'offering'>
  readonly investor: Id<'user'>
  readonly amount_cents: Cents
  /** The currency must be the offering's, which is also the default. */
  readonly currency?: string
  readonly entity_name?: string | null
  readonly message?: string | null
  readonly external_username?: string | null
}

/**
 * Records a commitment: an investment, or a reservation if the offering tests the waters. A fact has already happened, so only
 * contradictions are rejected: an offering that is not open, another currency than the offering's, a deactivated investor. The
 * offering's minimum and maximum are not checked, because hosted sessions may set amounts outside these limits, and the host
 * platform has already accepted the money.
 */
export async function recordInvestment(tx: Tx, input: NewInvestment, occasion: Occasion): Promise<Id<'investment'>> {
  rejectBrokenUnits('amount_cents', input.amount_cents)
  const locked = await lockForInvestment(tx, input)
  const { to: status, events } = createInvestment({ testingTheWaters: locked.testing_the_waters })
  const { id, offering, investor, amount_cents, entity_name = null, message = null, external_username = null } = input
  const { company, raise, currency, name, email } = locked
  const details = { entity_name, message, external_username }
  const row = { id, company, offering, raise, currency, investor, status, amount_cents, ...details }
  const totals = await insertInvestment(tx, { ...row, ...firstChecks(locked, input) }, occasion.occurredAt)
  if (totals === null) {
    throw validationError([{ field: 'id', code: 'already_exists', message: 'is already an investment' }])
  }
  for (const event of events) {
    await appendEvent(tx, investmentEvent({ name: event, investment: row, totals, person: { name, email } }), occasion)
  }
  return id
}

async function lockForInvestment(
  tx: Tx,
  { offering, investor, currency }: NewInvestment,
): Promise<InvestorAndOffering> {
  const locked = await lockInvestorAndOffering(tx, investor, offering)
  if (locked === null) {
    throw (await userExists(tx, investor))
      ? new UnknownReference('offering', offering)
      : new UnknownReference('investor', investor)
  }
  if (locked.name === null) {
    throw validationError([{ field: 'investor', code: 'deactivated', message: 'was deactivated, which is final' }])
  }
  if (locked.offering_status !== 'open') throw notOpen(locked.offering_status)
  if (currency !== undefined && currency !== locked.currency) {
    const message = `is not the offering’s, which is ${locked.currency}`
    throw validationError([{ field: 'currency', code: 'not_the_offerings', message }])
  }
  return locked
}

/** The offering's state is the reason for the rejection, so the error lists the moves of the offering, not of an investment. */
function notOpen(from: OfferingState) {
  const why = 'Only an open offering accepts investments and reservations.'
  return illegalTransition<OfferingState, OfferingMove | 'invest'>(OFFERING_MACHINE, { from, move: 'invest' }, why)
}

type FirstChecks = {
  readonly identity: CheckState
  readonly accreditation: CheckState
  readonly signature: CheckState
  readonly review: CheckState
}

type ChecksInput = {
  readonly testing_the_waters: boolean
  readonly accredited_only: boolean
  readonly accreditation: string
}

/**
 * The states of the checks of a new investment, unless the host platform reports other states. A reservation is not
 * binding, so nothing is signed or checked before it becomes an investment. An investor whose accreditation was
 * verified needs no new check.
 */
function firstChecks(locked: ChecksInput, reported: Partial<FirstChecks>): FirstChecks {
  const needed = locked.testing_the_waters ? 'not_required' : 'required'
  return {
    identity: reported.identity ?? needed,
    accreditation: reported.accreditation ?? (locked.accredited_only ? accreditation(locked) : 'not_required'),
    signature: reported.signature ?? needed,
    review: reported.review ?? 'not_required',
  }
}

function accreditation({ testing_the_waters, accreditation }: ChecksInput): CheckState {
  if (testing_the_waters) return 'not_required'
  return accreditation === 'verified' ? 'passed' : 'required'
}
