import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import type pg from 'pg'
import { newClientId, newId } from '../server/src/kernel/ids.ts'
import { digestOf, newSecret } from '../server/src/system/crypto/secret.ts'
import { readOptions } from './arguments.ts'
import { onDatabase } from './database.ts'
import { residentMib } from './processes.ts'
import { type Service, withDataDirectory, withService } from './service.ts'
import { printTable, whole } from './table.ts'

const OPTIONS = { streams: { usual: 200, most: 1_000 }, seconds: { usual: 5, most: 60 } } as const

/** An app has this many open streams at most. */
const PER_APP = 50
const WANTED_KIB = 60
const KIB = 1_024

type Side = { readonly kib: number; readonly transactions: number }

/**
 * What open event streams cost while nothing happens: memory of the service, and transactions in PostgreSQL. The control has as many
 * connections that asked once and stay open.
 */
export async function measureStream(argv: readonly string[]): Promise<void> {
  const { streams, seconds } = readOptions(argv, OPTIONS, []).numbers
  await withDataDirectory((dataDirectory) =>
    withService(dataDirectory, async (service) => {
      const url = await connectionUrlOfRunning({ dataDirectory: join(dataDirectory, 'postgres'), database: 'portico' })
      if (url === undefined) throw new Error('the service’s PostgreSQL is not running')
      await onDatabase(url, async (client) => {
        const keys: string[] = []
        for (let at = 0; at < streams; at += PER_APP) keys.push(await makeKey(client))
        const keyOf = (at: number) => keys[Math.floor(at / PER_APP)] ?? ''
        const streaming = (at: number) =>
          `GET /events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${keyOf(at)}\r\n\r\n`
        const measuring = { service, client, seconds }
        // Once before: what the first of them loads is not a stream's own.
        await measure({ ...measuring, seconds: 1 }, streams, streaming)
        const control = await measure(measuring, streams, () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
        const one = await measure(measuring, 1, streaming)
        const all = await measure(measuring, streams, streaming)
        printTable(`${streams} open event streams while nothing happens, ${seconds} s each`, [
          ['', 'connections', '1 stream', `${streams} streams`, 'wanted'],
          ['memory each, KiB', whole(control.kib, 1), '', whole(all.kib, 1), `under ${WANTED_KIB}`],
          ['transactions a second', ...[control, one, all].map((side) => whole(side.transactions, 1)), 'as for 1'],
        ])
      })
    }),
  )
}

type Measuring = { readonly service: Service; readonly client: pg.Client; readonly seconds: number }

async function measure(
  { service, client, seconds }: Measuring,
  count: number,
  requestOf: (at: number) => string,
): Promise<Side> {
  const before = await restingMib(service)
  const sockets = await Promise.all(Array.from({ length: count }, (_, at) => opened(service, requestOf(at))))
  await wait(1_000)
  const from = await transactions(client)
  await wait(seconds * 1_000)
  const made = (await transactions(client)) - from
  const kib = (((await restingMib(service)) - before) * KIB) / count
  for (const socket of sockets) socket.destroy()
  return { kib, transactions: made / seconds }
}

/** The least of a few looks: what a collection is about to free is not held. */
async function restingMib({ pid }: Service): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look++) {
    await wait(200)
    least = Math.min(least, residentMib(pid))
  }
  return least
}

/** Open, with the first words of its answer. */
async function opened({ address }: Service, request: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  socket.once('data', (piece) => {
    if (piece.toString().startsWith('HTTP/1.1 200')) resolve()
    else reject(new Error(piece.toString()))
  })
  socket.on('data', () => {})
  socket.write(request)
  await promise
  return socket
}

async function transactions(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}

/** Of an app that may read events, as the header of HTTP Basic. */
async function makeKey(client: pg.Client): Promise<string> {
  const [organization, account, app] = [newId('organization'), newId('account'), newId('app')]
  await client.query(`insert into platform.organizations (id, name) values ($1, 'Bench')`, [organization])
  await client.query(`insert into platform.accounts (id, email, name) values ($1, $2, 'Bench')`, [
    account,
    `${account}@example.com`,
  ])
  await client.query(
    `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
     values ($1, $2, 'Bench', '2026-11-01', '{read:webhooks}', '2026-01-01', $3)`,
    [app, organization, account],
  )
  const [id, secret] = [newClientId('test'), newSecret('sk', 'test')]
  await client.query(
    `insert into platform.app_keys (id, app_id, world, name, client_type, redirect_uris, scopes, api_version, state)
     select $1, id, 'test', 'Bench', 'confidential', '{}', scopes, api_version, state from platform.apps where id = $2`,
    [id, app],
  )
  await client.query('insert into platform.app_secrets (key_id, hash) values ($1, $2)', [id, digestOf(secret)])
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}
