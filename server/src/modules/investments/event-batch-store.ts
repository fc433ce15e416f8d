import { newId } from '#kernel/ids.ts'
import type { NewEvent, Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Many events in one statement, for one cause that moves many investments. The same rows that appendEvent makes. */
const INSERT_EVENTS = statement(
  'investments.insert_events',
  `with caused as (
     insert into events (id, name, occurred_at, company_id, user_id, offering_id, investment_id, fact_id, data, identity)
     select id, name, occurred_at, company_id, user_id, offering_id, investment_id, $2, data, identity
     from jsonb_to_recordset($1::jsonb) as event (id text, name text, occurred_at timestamptz, company_id text,
       user_id text, offering_id text, investment_id text, data jsonb, identity jsonb)
     returning id)
   insert into event_queue (event_id) select id from caused order by id`,
)

export async function appendEvents(tx: Tx, events: readonly NewEvent[], occasion: Occasion): Promise<void> {
  const named = events.map((event) => ({ id: newId('event'), ...event }))
  const rows = named.map(({ id, name, occurredAt, subject, data, identity }) => ({
    id,
    name,
    occurred_at: occurredAt,
    company_id: subject.companyId,
    user_id: subject.userId,
    offering_id: subject.offeringId,
    investment_id: subject.investmentId,
    data,
    identity,
  }))
  await tx.run(INSERT_EVENTS, [JSON.stringify(rows), occasion.cause])
  for (const { id, name, occurredAt } of named) occasion.caused.push({ id, name, occurredAt })
}
