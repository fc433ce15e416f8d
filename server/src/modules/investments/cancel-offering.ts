import type { Id } from '#kernel/ids.ts'
import { appendEvents, type Occasion } from '#modules/events/index.ts'
import { cancelOfferingAlone } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Canceled, cancelBatch, lockInvestmentsOf } from './cancellation-store.ts'
import { investmentEvent } from './investment-event.ts'
import { type InvestmentTransition, moveInvestment } from './investment-states.ts'

/** So many at a time are in our memory; an offering may have a hundred thousand. */
const BATCH_SIZE = 1_000

/** The row of the table that every one of them goes by; it is the same for active and reserved. */
const CANCEL = moveInvestment('active', 'cancel')

/**
 * "Canceled; investments refunded": the offering, its event, then each of its active and reserved investments with its
 * own investment.canceled. Two statements for every thousand of them, all in this transaction.
 */
export async function cancelOffering(
  tx: Tx,
  { id, batchSize = BATCH_SIZE }: { readonly id: Id<'offering'>; readonly batchSize?: number },
  occasion: Occasion,
): Promise<void> {
  const offering = await cancelOfferingAlone(tx, { id }, occasion)
  await lockInvestmentsOf(tx, offering)
  let canceled: readonly Canceled[]
  let after = ''
  do {
    canceled = await cancelBatch(tx, offering, { after, size: batchSize, to: CANCEL.to, at: occasion.occurredAt })
    if (canceled.length > 0)
      await appendEvents(
        tx,
        canceled.flatMap((each) => eventsOf(each, occasion)),
        occasion,
      )
    after = canceled.at(-1)?.id ?? after
  } while (canceled.length === batchSize)
}

function eventsOf(canceled: Canceled, { occurredAt }: Occasion) {
  const investment = { ...canceled, status: CANCEL.to }
  const parts = { investment, totals: canceled, person: canceled, extra: { canceled_at: occurredAt } }
  return CANCEL.events.map((name: InvestmentTransition['events'][number]) => investmentEvent({ name, ...parts }))
}
