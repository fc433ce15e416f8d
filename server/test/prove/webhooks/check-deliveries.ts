import { recordedEvents } from './caused-events.ts'
import { checkDelivery } from './check-delivery.ts'
import { checkReceipt } from './check-receipt.ts'
import { checkCompleteness } from './completeness.ts'
import type { Delivery } from './delivery.ts'
import { count, type Stage } from './stage.ts'
import { takeoversSoFar } from './takeovers.ts'

/** Compares the receipts and the history with what should have happened. */
export async function checkDeliveries(stage: Stage): Promise<void> {
  const happened = await recordedEvents(stage)
  const deliveries = await history(stage)
  const receipts = Map.groupBy(
    stage.participants.receivers.flatMap((receiver) => receiver.receipts),
    ({ headers }) => String(headers['webhook-id']),
  )
  const takeovers = Map.groupBy(await takeoversSoFar(stage), ({ endpoint_id }) => endpoint_id)
  const events = new Map(happened.map(({ event }) => [event.id, event]))
  const byId = new Map(deliveries.map((each) => [each.id, each]))
  for (const [id, copies] of receipts) {
    const delivery = byId.get(id)
    const event = events.get(delivery?.event_id ?? '')
    if (delivery === undefined || event === undefined)
      stage.findings.add('history', `${id} was received and is in no history`)
    else for (const receipt of copies) checkReceipt(stage, { receipt, delivery, event })
  }
  for (const delivery of deliveries) {
    const copies = receipts.get(delivery.id) ?? []
    count(stage, delivery.reason ?? delivery.state)
    if (copies.length > 1) count(stage, 'sent_again')
    checkDelivery(stage, {
      delivery,
      receipts: copies.toSorted((a, b) => a.at - b.at),
      takenOver: (takeovers.get(delivery.endpoint_id) ?? []).map(({ at }) => at),
    })
  }
  checkCompleteness(stage, happened, deliveries)
}

async function history({ sql, happenings }: Stage): Promise<Delivery[]> {
  return sql<Delivery>(
    `select d.id::text as id, d.endpoint_id, d.installation_id, d.event_id, d.state, d.reason, d.attempts
       from test.delivery_history d join test.events e on e.id = d.event_id where e.fact_id = any($1)`,
    [[...happenings.keys()]],
  )
}
