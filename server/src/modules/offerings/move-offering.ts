import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { illegalTransition, transition } from '#kernel/state-machine.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Offering } from './offering.ts'
import { OFFERING_MACHINE, type OfferingMove } from './offering-states.ts'
import { lockOffering, setStatus } from './store.ts'

type Which = { readonly id: Id<'offering'> }

/** "Accepting investments (reservations for testing-the-waters)." It opens now, whatever was planned. */
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
  const says = expected_disbursement_at === undefined ? {} : { expected_disbursement_at }
  await move(tx, { offering: await lock(tx, id), by: 'closing', says }, occasion)
}

/** "Funds disbursed; raise complete." */
export async function closeOffering(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  await move(tx, { offering: await lock(tx, id), by: 'close' }, occasion)
}

/**
 * The offering's part of a cancellation, for the module investments, which cancels the commitments in the same
 * transaction. Nobody else calls this: the table says what must be done beside it, and here is nobody to do it.
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
  /** What the event says beside what every offering event does. */
  readonly says?: { readonly expected_disbursement_at?: WorldTime }
}

async function move(tx: Tx, { offering, by, says = {} }: Step, occasion: Occasion): Promise<void> {
  const { id, company } = offering
  const { to, events } = transition(OFFERING_MACHINE, { from: offering.status, move: by })
  await setStatus(tx, id, { status: to, at: occasion.occurredAt })
  for (const name of events) {
    const data = { offering: id, status: to, company: offering.shown_company, ...says }
    const subject = { companyId: company, offeringId: id }
    await appendEvent(tx, { name, subject, occurredAt: occasion.occurredAt, data }, occasion)
  }
}
