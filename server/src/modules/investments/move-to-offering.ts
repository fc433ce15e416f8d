import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdInvestment } from './hold.ts'
import type { HeldInvestment, Which } from './investment.ts'
import { remains } from './lifecycle.ts'
import { type Destination, lockDestination, lockForRelocation, writeRelocation } from './relocation-store.ts'

/**
 * "An investment's investor and an offering's company never change; only the offering may, within one company." No
 * move of the state machine and no event: the published record changes, and the ledger says so.
 */
export async function moveToOffering(
  tx: Tx,
  { id, offering }: Which & { readonly offering: Id<'offering'> },
  { occurredAt }: Occasion,
): Promise<void> {
  const destination = await lockDestination(tx, offering)
  if (destination === null) throw new UnknownReference('offering', offering)
  const locked = await lockForRelocation(tx, { id, to: destination.raise, at: occurredAt })
  if (!locked) throw new UnknownReference('id', id)
  const held = await holdInvestment(tx, id)
  refuseDestination(held, destination)
  await writeRelocation(tx, held, destination)
}

type Rule = {
  readonly code: string
  readonly message: string
  readonly broken: (held: HeldInvestment, to: Destination) => boolean
}

const RULES: readonly Rule[] = [
  {
    code: 'unchanged',
    message: 'is where it is already',
    broken: (held, to) => held.offering === to.id,
  },
  {
    code: 'other_company',
    message: 'is another company’s: a move beyond one company is a conversion',
    broken: (held, to) => held.company !== to.company,
  },
  {
    code: 'other_currency',
    message: 'is in another currency',
    broken: (held, to) => held.currency !== to.currency,
  },
  {
    code: 'canceled',
    message: 'is canceled, and so would be what it holds',
    broken: (held, to) => to.status === 'canceled' && remains(held.status),
  },
  {
    code: 'needs_conversion',
    message: 'holds reservations where this is an investment, or the other way round: that is a conversion',
    // What was converted is neither any more.
    broken: ({ status, status_before_cancel: was }, to) =>
      status !== 'converted' && ((was ?? status) === 'reserved') !== to.testing_the_waters,
  },
]

function refuseDestination(held: HeldInvestment, to: Destination): void {
  const rule = RULES.find(({ broken }) => broken(held, to))
  if (rule !== undefined) {
    throw validationError([{ field: 'offering', code: rule.code, message: rule.message }])
  }
}
