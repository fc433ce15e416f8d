import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Person } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { type OpenStream, openStream } from '#test/event-source.ts'
import type { EndpointStage } from './endpoint-stage.ts'

export const ATTEMPT = {
  ...{ at: '2025-03-01T10:00:00.000000Z', response_code: 500, error: null, duration_ms: 12, response: 'no' },
}

export type Made = {
  readonly state?: 'pending' | 'delivered' | 'exhausted' | 'canceled'
  readonly at?: string
  readonly of: Id<'webhookEndpoint'>
  readonly event?: Id<'event'>
  readonly name?: string
  readonly company?: Id<'company'>
  readonly installation?: Id<'installation'>
  readonly redeliveryOf?: string
  readonly world?: World
}

let count = 0

/** Inserts a delivery as fan-out and the engine would leave it, created at this (real) time. */
export async function makeDelivery(
  { db }: EndpointStage,
  { state = 'delivered', at = '2025-03-01T10:00:00Z', world = 'test', ...made }: Made,
) {
  count += 1
  const id = newId('delivery', Date.parse(at) + count)
  const event = made.event ?? newId('event', Date.parse(at))
  await db.sql(
    `insert into ${world}.events (id, name, occurred_at, company_id, data) values ($1, $2, now(), $3, '{}')
     on conflict do nothing`,
    [event, made.name ?? 'offering.opened', made.company ?? null],
  )
  const same = [
    ...[id, made.of, event, at, JSON.stringify([ATTEMPT])],
    ...[made.redeliveryOf ?? null, made.installation ?? null],
  ]
  const columns = 'id, endpoint_id, event_id, created_at, attempts, redelivery_of, installation_id, api_version'
  const values = `$1, $2, $3, $4, $5, $6, $7, '2026-11-01'`
  if (state === 'pending') {
    const due = `now() + interval '5 hours'`
    await db.sql(`insert into ${world}.delivery_queue (${columns}, due_at) values (${values}, ${due})`, same)
  } else {
    const reason = state === 'canceled' ? 'app_inactive' : null
    await db.sql(`insert into ${world}.delivery_history (${columns}, state, reason) values (${values}, $8, $9)`, [
      ...[...same, state, reason],
    ])
  }
  return { id, event }
}

/** Opens a server-sent stream with a session of this person, until the test ends. */
export async function streamAs(
  { db, url }: EndpointStage,
  person: Person,
  path: string,
  lastId = '',
): Promise<OpenStream> {
  const token = `portico_cli_${randomBytes(32).toString('base64url')}`
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at, kind, device)
     values ($1, $2, now() + interval '1 hour', 'command_line', 'laptop')`,
    [digestOf(token), person.account],
  )
  const headers = { authorization: `Bearer ${token}`, ...(lastId === '' ? {} : { 'last-event-id': lastId }) }
  const opened = await openStream(url + path, { headers })
  onTestFinished(() => opened.close())
  return opened
}
