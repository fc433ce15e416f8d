import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { operatorOr, visitor } from './access.ts'
import { csrfToken } from './browser/cookies.ts'
import { platformKeys, purgeExpiredOfPlatform } from './idempotency-store.ts'
import { route } from './route.ts'
import { CALLERS } from './testing/callers.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'

const Made = Type.Object({ number: Type.Integer() })
const Wish = Type.Object({ name: Type.String(), fail: Type.Optional(Type.Boolean()) })
const CSRF = keyring('secret')('csrf')

const person = (name: string): AccountCaller => ({
  kind: 'account',
  accountId: newId('account'),
  name,
  email: `${name}@example.com`,
  sessionHash: Buffer.alloc(32),
  provenSecondsAgo: 0,
})
const PEOPLE: Readonly<Record<string, AccountCaller>> = {
  ['a'.repeat(43)]: person('ada'),
  ['b'.repeat(43)]: person('bea'),
}

let database: TestDatabase
let edge: ProbeApp
let made = 0
let gate: Promise<void> | null = null

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  made = 0
  gate = null
  const make = async (fail: boolean | undefined) => {
    made++
    await gate
    if (fail) throw new ApiError('illegal_transition', { public: 'Not now.' })
    return { status: 201 as const, body: { number: made } }
  }
  edge = await serveProbes(
    [
      route({
        ...probe,
        operation: 'make',
        method: 'POST',
        path: '/things',
        access: operatorOr('viewer', ['user'], 'write:things'),
        schema: { body: Wish, response: { 201: Made } },
        platform: async ({ ptx, body, caller, requestId }) => {
          // The work inserts a row, to show that the key and the work share one transaction.
          const owner = { caller: `${caller.kind} work`, operation: body.name, key: requestId }
          await platformKeys(ptx).claim(owner, Buffer.alloc(32), 0 as never)
          return make(body.fail)
        },
      }),
      route({
        ...probe,
        operation: 'makeAsPerson',
        method: 'POST',
        path: '/mine',
        access: visitor('a probe'),
        schema: { body: Wish, response: { 201: Made } },
        platform: async ({ body }) => make(body.fail),
      }),
    ],
    {
      ports: {
        platform: database.databases.platform,
        answers: sealedBox(keyring('secret')('stored-answers')),
        signIns: { find: async (cookie) => PEOPLE[cookie] ?? null },
        csrfKeys: CSRF,
      },
    },
  )
})
afterEach(async () => {
  await edge.close()
  await database.sql('delete from platform.idempotency_keys')
})

function send(path: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const init = { method: 'POST', body: JSON.stringify(body) }
  return fetch(edge.url + path, { ...init, headers: { 'content-type': 'application/json', ...headers } })
}

const asBearer = (bearer: string, key?: string) => ({
  authorization: `Bearer ${bearer}`,
  ...(key === undefined ? {} : { 'idempotency-key': key }),
})
const asBrowser = (cookie: string, key: string) => ({
  cookie: `portico=${cookie.repeat(43)}`,
  'x-portico-csrf': csrfToken(CSRF, cookie.repeat(43)),
  'idempotency-key': key,
})
const replayed = (response: Response) => response.headers.get('idempotent-replayed')
const rows = () => database.sql<{ caller: string; key: string }>('select caller, key from platform.idempotency_keys')

describe('routes on platform tables', () => {
  test('commit before their response is sent, and are rolled back if the request is rejected', async () => {
    expect((await send('/things', { name: 'a' }, asBearer('ok_live_operator'))).status).toBe(201)
    expect((await rows()).map(({ caller }) => caller)).toEqual(['operator work'])
    const rejected = await send('/things', { name: 'b', fail: true }, asBearer('ok_live_operator', 'k1'))
    expect((await readError(rejected)).type).toBe('illegal_transition')
    expect(await rows()).toHaveLength(1)
    expect((await send('/things', { name: 'b' }, asBearer('ok_live_operator', 'k1'))).status).toBe(201)
  })

  test('do the work once for ten simultaneous requests with one key, and all get its response', async () => {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const results = Array.from({ length: 10 }, () => send('/things', { name: 'a' }, asBearer('ok_live_operator', 'k1')))
    await expect.poll(() => made).toBe(1)
    opened.resolve()
    const responses = await Promise.all(results)
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1)
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1)
    expect(made).toBe(1)
  })

  test('give 409 idempotency_conflict for another body under the same key', async () => {
    await send('/things', { name: 'a' }, asBearer('ok_live_operator', 'k1'))
    const response = await send('/things', { name: 'b' }, asBearer('ok_live_operator', 'k1'))
    expect((await readError(response)).type).toBe('idempotency_conflict')
    expect(made).toBe(1)
  })

  test('keys belong to their caller, and to one world of an app', async () => {
    for (const bearer of ['ok_live_operator', 'ok_test_operator', 'at_test_user', 'at_test_other']) {
      expect(replayed(await send('/things', { name: 'a' }, asBearer(bearer, 'k1')))).toBeNull()
    }
    const owners = (await rows()).filter(({ key }) => key === 'k1').map(({ caller }) => caller)
    const { ok_live_operator: live, at_test_user: user } = CALLERS
    expect(owners).toContain(`live/operator/${live.actor}`)
    expect(owners).toContain(`test/${user.appId}/${user.userId}`)
  })
})

describe('a person’s key', () => {
  test('belongs to the person in every browser, and to no other person', async () => {
    await send('/mine', { name: 'a' }, asBrowser('a', 'k1'))
    expect(replayed(await send('/mine', { name: 'a' }, asBrowser('a', 'k1')))).toBe('true')
    expect(replayed(await send('/mine', { name: 'a' }, asBrowser('b', 'k1')))).toBeNull()
    expect((await rows()).map(({ caller }) => caller)).toContain(`account/${PEOPLE['a'.repeat(43)]?.accountId}`)
  })

  test('is not stored for a visitor who is not signed in, because all visitors would share it', async () => {
    await send('/mine', { name: 'a' }, asBrowser('c', 'k1'))
    expect(replayed(await send('/mine', { name: 'a' }, asBrowser('c', 'k1')))).toBeNull()
    expect(await rows()).toEqual([])
  })
})

test('stored responses are purged in batches after their expiry', async () => {
  await database.sql(`
    insert into platform.idempotency_keys (caller, operation, key, fingerprint, created_at)
    select 'a', 'make', n::text, sha256('x'), clock_timestamp() - interval '24 hours' from generate_series(1, 5) n`)
  await send('/mine', { name: 'a' }, asBrowser('a', 'young'))
  const purge = () => database.databases.platform.transaction((ptx) => purgeExpiredOfPlatform(ptx, 3))
  expect([await purge(), await purge(), await purge()]).toEqual([3, 2, 0])
  expect((await rows()).map(({ key }) => key)).toEqual(['young'])
})
