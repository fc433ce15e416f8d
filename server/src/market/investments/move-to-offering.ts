import { appendEvents, type Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  type Destination,
  insertSuccessor,
  lockDestination,
  lockForRelocation,
  lockInvestorOf,
} from './conversion-store.ts'
import { type LockedInvestment, lifecycleAfter, type Which } from './investment.ts'
import { investmentEvent } from './investment-event.ts'
import { lockInvestmentAndTotals, rejectTooEarly } from './investment-moves.ts'
import { createInvestment, moveInvestment } from './investment-states.ts'
import { writeMove } from './store.ts'

export type Relocating = Which & {
  readonly offering: Id<'offering'>
  /** The id of the new investment; generated unless the platform sends it. */
  readonly successor?: Id<'investment'> | undefined
}

/**
 * "Moving to another offering or vehicle is a conversion, in one transaction: a successor keeps status, payments and
 * attribution; investment.created for it, then investment.converted for the old one with converted_to; totals as after
 * both." Returns the successor. Lock order of this module: investor, offering, investment, totals.
 */
export async function moveToOffering(tx: Tx, wanted: Relocating, occasion: Occasion): Promise<Id<'investment'>> {
  const { id, offering, successor = newId('investment') } = wanted
  if ((await lockInvestorOf(tx, id)) === null) throw new UnknownReference('id', id)
  const to = await lockDestination(tx, offering)
  if (to === null) throw new UnknownReference('offering', offering)
  await lockForRelocation(tx, { id, to: to.raise, at: occasion.occurredAt })
  const before = await lockInvestmentAndTotals(tx, id)
  const convert = moveInvestment(before.status, 'convert')
  rejectDestination(before, to)
  rejectTooEarly(before, occasion)
  const added = await insertSuccessor(tx, before, { id: successor, to, at: occasion.occurredAt })
  if (added === null) {
    throw validationError([{ field: 'successor', code: 'already_exists', message: 'is already an investment' }])
  }
  const after = lifecycleAfter(before, convert, { at: occasion.occurredAt, successor })
  const { name, email, ...totalsLeft } = await writeMove(tx, before, after, added.next_at)
  const successorRow = { ...before, id: successor, company: to.company, offering: to.id }
  // Within one raise, both events show the totals after both changes; otherwise each raise has its own totals.
  const totals = before.raise === to.raise ? { ...totalsLeft, occurred_at: added.occurred_at } : added
  const create = createInvestment({ testingTheWaters: to.testing_the_waters })
  const person = { name, email }
  const extra = { converted_to: successor }
  await appendEvents(
    tx,
    [
      ...create.events.map((event) => investmentEvent({ name: event, investment: successorRow, totals, person })),
      ...convert.events.map((event) =>
        investmentEvent({ name: event, investment: { ...before, ...after }, totals: totalsLeft, person, extra }),
      ),
    ],
    occasion,
  )
  return successor
}

type Rule = {
  readonly code: string
  readonly message: string
  readonly broken: (investment: LockedInvestment, to: Destination) => boolean
}

/** The destination may belong to another company, because a vehicle is a company of its own. */
const RULES: readonly Rule[] = [
  {
    code: 'unchanged',
    message: 'is already the offering of this investment',
    broken: (investment, to) => investment.offering === to.id,
  },
  {
    code: 'other_currency',
    message: 'is in another currency',
    broken: (investment, to) => investment.currency !== to.currency,
  },
  {
    code: 'canceled',
    message: 'is canceled',
    broken: (_, to) => to.status === 'canceled',
  },
  {
    code: 'needs_conversion',
    message:
      'takes only reservations and this is an investment, or the reverse: first send investment.created for the successor, ' +
      'then investment.converted',
    broken: ({ status }, to) => (status === 'reserved') !== to.testing_the_waters,
  },
]

function rejectDestination(investment: LockedInvestment, to: Destination): void {
  const rule = RULES.find(({ broken }) => broken(investment, to))
  if (rule !== undefined) {
    throw validationError([{ field: 'offering', code: rule.code, message: rule.message }])
  }
}
