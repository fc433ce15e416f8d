import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { NewEvent } from './new-event.ts'

const insertInto = (world: World) =>
  platformStatement(
    `events.insert_into_${world}`,
    `insert into ${world}.events (id, name, occurred_at, company_id, syndicate_id, user_id, installation_id, fact_id, data)
     select id, name, occurred_at, company_id, syndicate_id, user_id, installation_id, cause, data
     from pg_catalog.jsonb_to_recordset($1::jsonb) as event (id text, name text, occurred_at timestamptz,
       company_id text, syndicate_id text, user_id text, installation_id text, cause text, data jsonb)`,
  )

const queueIn = (world: World) =>
  platformStatement(`events.queue_in_${world}`, `insert into ${world}.event_queue (event_id) select unnest($1::text[])`)

const INSERT = { test: insertInto('test'), live: insertInto('live') }
const QUEUE = { test: queueIn('test'), live: queueIn('live') }

type Recorded = NewEvent & { readonly id: Id<'event'>; readonly cause: string }

/**
 * For what the platform decides about many things of a world at once: events about installations, without identity.
 * Events and their places in the fan-out queue are one transaction: there is never one without the other.
 */
export async function insertEventsInto(tx: PlatformTx, world: World, events: readonly Recorded[]): Promise<void> {
  const rows = events.map(({ id, name, occurredAt, subject, cause, data }) => ({
    id,
    name,
    occurred_at: occurredAt,
    company_id: subject.companyId,
    syndicate_id: subject.syndicateId,
    user_id: subject.userId,
    installation_id: subject.installationId,
    cause,
    data,
  }))
  await tx.run(INSERT[world], [JSON.stringify(rows)])
  await tx.run(QUEUE[world], [events.map(({ id }) => id)])
}
