import { Type } from 'typebox'
import type { Route } from '#http/route.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { cancelOffering } from '#modules/investments/index.ts'
import { closeOffering, OFFERING_STATES, openOffering, readOffering, startClosing } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { IdOf, OneOf, OrNull, Resource, Time } from './fields.ts'
import { moves, step } from './moves.ts'

const Offering = Resource(
  { kind: 'offering', type: 'offering', title: 'SandboxOffering' },
  {
    company: IdOf('company'),
    status: OneOf(OFFERING_STATES),
    testing_the_waters: Type.Boolean(),
    currency: Type.String(),
    opens_at: OrNull(Time),
    closes_at: OrNull(Time),
    closed_at: OrNull(Time),
    canceled_at: OrNull(Time),
  },
)

export const offeringRoutes: readonly Route[] = moves(
  { of: 'offering', plural: 'offerings', record: Offering, show: showOffering },
  {
    open: step(
      {
        summary: 'Open an offering',
        description: 'Opens an offering. It accepts investments, or reservations while it tests the waters.',
      },
      openOffering,
    ),
    closing: step(
      { summary: 'Start closing an offering', description: 'The offering stops accepting investments.' },
      startClosing,
    ),
    close: step(
      { summary: 'Close an offering', description: 'Closes an offering. Its funds are disbursed.' },
      closeOffering,
    ),
    cancel: step(
      { summary: 'Cancel an offering', description: 'Cancels an offering and every investment in it.' },
      cancelOffering,
    ),
  },
)

async function showOffering(tx: Tx, id: Id<'offering'>) {
  const offering = await readOffering(tx, id)
  if (offering === null) throw new UnknownReference('id', id)
  const { company, status, testing_the_waters, currency, opens_at, closes_at, closed_at, canceled_at } = offering
  const dates = { opens_at, closes_at, closed_at, canceled_at }
  return { id, type: 'offering' as const, attributes: { company, status, testing_the_waters, currency, ...dates } }
}
