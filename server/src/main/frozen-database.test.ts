import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@portico/embedded-postgres'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { open, user } from '#http/access.ts'
import { StreamedText } from '#http/response-bodies.ts'
import { route } from '#http/route.ts'
import { callerOf } from '#http/testing/callers.ts'
import { readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { Ok, probe } from '#http/testing/probe-route.ts'
import type { Databases } from '#system/postgres/database.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { sharedLookup } from '#system/postgres/shared-lookup.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

const SHORT = shortStatement<{ one: number }>('t.frozen_short', 'select 1 as one')
const LONG = statement<{ one: number }>('t.frozen_long', 'select 1 as one')
const PLATFORM = platformStatement<{ one: number }>('t.frozen_platform', 'select 1 as one')

/** A separate PostgreSQL whose processes can all be stopped without closing a connection. */
async function freezable() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portico-frozen-'))
  await chmod(dataDirectory, 0o755)
  const server = await startEmbeddedPostgres({ dataDirectory, database: 'portico', durable: false, log: () => {} })
  const postmaster = Number(readFileSync(join(dataDirectory, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const children = () =>
    readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name)) return false
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster
      } catch {
        // The process ended between the listing and the read.
        return false
      }
    })
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of [postmaster, ...children().map(Number)]) signalIfThere(pid, name)
  }
  onTestFinished(async () => {
    signal('SIGCONT')
    await server.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  return { url: server.url, freeze: () => signal('SIGSTOP'), thaw: () => signal('SIGCONT') }
}

/** A backend may end between the listing and the signal. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** One route for each way to read the database. */
function routesOn(databases: Databases) {
  const common = { ...probe, method: 'GET', alias: false } as const
  const json = { ...common, schema: { response: { 200: Ok } } } as const
  const ok = { status: 200 as const, body: { ok: true } }
  const [anybody, person] = [open('a probe'), user('read:profile')]
  return [
    route({ ...json, operation: 'alive', path: '/alive', access: anybody, handler: async () => ok }),
    route({ ...json, operation: 'lookup', path: '/lookup', access: person, handler: async () => ok }),
    route({
      ...json,
      operation: 'short',
      path: '/short',
      access: anybody,
      handler: async () => {
        await databases.live.short(SHORT)
        return ok
      },
    }),
    route({
      ...json,
      operation: 'pooled',
      path: '/pooled',
      access: anybody,
      handler: async () => {
        await databases.live.transaction((tx) => tx.one(LONG))
        return ok
      },
    }),
    route({
      ...common,
      operation: 'streamed',
      path: '/streamed',
      access: anybody,
      contentType: 'text/csv; charset=utf-8',
      schema: { response: { 200: Type.Unknown() } },
      handler: async () => ({
        status: 200,
        body: new StreamedText((write) =>
          databases.live.snapshot(async (tx) => {
            await write(String((await tx.one(LONG)).one))
          }),
        ),
      }),
    }),
    route({
      ...common,
      operation: 'page',
      path: '/page',
      access: anybody,
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async () => ({ status: 200, body: String((await databases.platform.reads.one(PLATFORM)).one) }),
    }),
  ]
}

test('while PostgreSQL hangs, every kind of read gives 503, and each works again when PostgreSQL continues', async () => {
  const postgres = await freezable()
  const times = { connectMs: 1_000, statementMs: 1_000, shortMs: 1_000 }
  const databases = await openDatabases({ url: postgres.url, poolSize: 4, times, onError: () => {} })
  onTestFinished(() => databases.close())
  // As in the service, one statement looks up all tokens that arrive together.
  const holderOf = sharedLookup<string>(async (db, digests) => {
    await db.short(SHORT)
    return digests
  })
  const edge = await serveProbes(routesOn(databases), {
    ports: {
      databases,
      platform: databases.platform,
      authenticate: async (bearer) => callerOf(await holderOf(databases.live, bearer)),
    },
  })
  onTestFinished(() => edge.close())
  const headers = { authorization: 'Bearer at_test_user' }
  const read = (path: string) => fetch(edge.url + path, { headers })
  const KINDS = ['/lookup', '/short', '/pooled', '/streamed', '/page']
  const statuses = async () => Promise.all(KINDS.map(async (path) => (await read(path)).status))

  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  postgres.freeze()
  // The second round uses new connections.
  for (let round = 0; round < 2; round++) {
    const responses = await Promise.all(KINDS.map(read))
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    for (const [at, result] of responses.entries()) {
      if (KINDS[at] === '/page') expect(await result.text()).toContain('<!doctype html>')
      else expect((await readError(result)).type).toBe('unavailable')
    }
    expect((await read('/alive')).status).toBe(200)
  }
  postgres.thaw()
  await expect.poll(statuses).toEqual([200, 200, 200, 200, 200])
})
