import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { type MovableClock, movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { operatorOr } from './access.ts'
import { purgeExpired } from './idempotency-store.ts'
import { route } from './route.ts'
import { CALLERS } from './testing/callers.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'
import type { VersionStep } from './version-steps.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const Made = Type.Object({ number: Type.Integer(), secret: Type.String() })
const Wish = Type.Object({
  name: Type.String(),
  size: Type.Optional(Type.Integer()),
  fail: Type.Optional(Type.Boolean()),
})
const access = operatorOr('viewer', ['user', 'installation'], 'write:things')

const WRAPPED: VersionStep = {
  name: 'flat things',
  before: '2026-11-01',
  operations: ['make'],
  response: (body) => ({ wrapped: body }),
}

let database: TestDatabase
let edge: ProbeApp
let clock: MovableClock
let made = 0
let gate: Promise<void> | null = null

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  made = 0
  gate = null
  clock = movableClock(Date.now())
  const make = async (name: string, fail: boolean | undefined) => {
    made++
    await gate
    if (fail) throw new ApiError('illegal_transition', { public: 'Not now.' })
    return {
      status: 201 as const,
      body: { number: made, secret: `whsec_${name}` },
      headers: { Location: `/things/${made}` },
    }
  }
  edge = await serveProbes(
    [
      route({
        ...probe,
        operation: 'make',
        method: 'POST',
        path: '/things',
        access,
        schema: { body: Wish, response: { 201: Made } },
        transaction: ({ body }) => make(body.name, body.fail),
      }),
      route({
        ...probe,
        operation: 'makePart',
        method: 'POST',
        path: '/things/:id/parts',
        access,
        schema: { params: Type.Object({ id: Type.String() }), response: { 201: Made } },
        transaction: ({ params }) => make(params.id, false),
      }),
      route({
        ...probe,
        operation: 'makeLong',
        method: 'POST',
        path: '/long',
        access,
        schema: { body: Wish, response: { 201: Made } },
        transaction: async ({ body }) => {
          made++
          return { status: 201, body: { number: made, secret: 'x'.repeat(body.size ?? 0) } }
        },
      }),
      route({
        ...probe,
        operation: 'replace',
        method: 'PUT',
        path: '/things',
        access,
        schema: { body: Wish, response: { 201: Made } },
        transaction: ({ body }) => make(body.name, body.fail),
      }),
    ],
    {
      ports: { databases: database.databases, clock, answers: sealedBox(keyring('secret')('stored-answers')) },
      settings: { versionSteps: [WRAPPED] },
    },
  )
})
afterEach(async () => {
  await edge.close()
  await database.sql('delete from test.idempotency_keys')
})

type Options = { key?: string; bearer?: string; version?: string; method?: string; path?: string }

function send(
  body: unknown,
  { key, bearer = 'at_test_user', version, method = 'POST', path = '/things' }: Options = {},
) {
  return fetch(edge.url + path, {
    method,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(version === undefined ? {} : { 'wefunder-version': version }),
    },
  })
}

const replayed = (response: Response) => response.headers.get('idempotent-replayed')

describe('a response that is too long to be stored', () => {
  const size = 8 * 1_024 * 1_024

  test('is sent; a repeat gets 409 with the reason and changes nothing', async () => {
    const first = await send({ name: 'a', size }, { key: 'long', path: '/long' })
    expect(first.status).toBe(201)
    expect(((await first.json()) as { secret: string }).secret).toHaveLength(size)
    const second = await send({ name: 'a', size }, { key: 'long', path: '/long' })
    expect(second.status).toBe(409)
    const error = await readError(second)
    expect([error.type, error.message]).toEqual([
      'idempotency_conflict',
      'The request with this Idempotency-Key was carried out, and its response was too long to be stored for a repeat.',
    ])
    expect(made).toBe(1)
  })

  test('does not change the usual 409 for another body under the same key', async () => {
    await send({ name: 'a', size }, { key: 'long', path: '/long' })
    const other = await send({ name: 'b', size: 1 }, { key: 'long', path: '/long' })
    expect([other.status, made]).toEqual([409, 1])
    expect((await readError(other)).message).toContain('for a different request')
  })

  test('a response a little shorter than the maximum is stored', async () => {
    const fits = size - 1_000
    await send({ name: 'a', size: fits }, { key: 'fits', path: '/long' })
    const second = await send({ name: 'a', size: fits }, { key: 'fits', path: '/long' })
    expect([second.status, replayed(second), made]).toEqual([201, 'true', 1])
  })
})

describe('the longest response that is stored', () => {
  test('has exactly the maximum length; with one more byte it is sent and not stored', async () => {
    const long = async (size: number, key: string) => {
      const [first, second] = [
        await send({ name: 'a', size }, { key, path: '/long' }),
        await send({ name: 'a', size }, { key, path: '/long' }),
      ]
      return [first.status, second.status, replayed(second)]
    }
    const lengthOf = async (key: string) => {
      const [row] = await database.sql<{ length: number }>(
        'select octet_length(answer) as length from test.idempotency_keys where key = $1',
        [key],
      )
      return row?.length ?? 0
    }
    await long(0, 'empty')
    const longest = 8 * 1_024 * 1_024 - (await lengthOf('empty'))
    expect(await long(longest, 'longest')).toEqual([201, 201, 'true'])
    expect(await lengthOf('longest')).toBe(8 * 1_024 * 1_024)
    expect(await long(longest + 1, 'longer')).toEqual([201, 409, null])
  })
})

describe('the same key, caller and body', () => {
  test('get the first response again: status, headers and body', async () => {
    const first = await send({ name: 'a', size: 1 }, { key: 'k1' })
    const second = await send({ size: 1, name: 'a' }, { key: 'k1' })
    expect(replayed(first)).toBeNull()
    expect(replayed(second)).toBe('true')
    expect(second.status).toBe(201)
    expect(second.headers.get('location')).toBe('/things/1')
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(made).toBe(1)
  })

  test('get the first response also on the other path of the same operation', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    expect(replayed(await send({ name: 'a' }, { key: 'k1', path: '/api/v2/things' }))).toBe('true')
  })

  test('get the first response in the version of the repeated request', async () => {
    const first = await send({ name: 'a' }, { key: 'k1', version: '2026-10-01' })
    expect(await first.json()).toEqual({ wrapped: { number: 1, secret: 'whsec_a' } })
    const second = await send({ name: 'a' }, { key: 'k1', version: '2026-11-01' })
    expect(await second.json()).toEqual({ number: 1, secret: 'whsec_a' })
    const third = await send({ name: 'a', colour: 'ignored then' }, { key: 'k1', version: '2025-01-15' })
    expect(await third.json()).toEqual({ wrapped: { number: 1, secret: 'whsec_a' } })
    expect(made).toBe(1)
  })

  test('get the first response until 24 hours have passed; then the work is done again', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    clock.advance(DAY_MS - 1)
    expect(replayed(await send({ name: 'a' }, { key: 'k1' }))).toBe('true')
    clock.advance(1)
    const again = await send({ name: 'b' }, { key: 'k1' })
    expect([again.status, replayed(again)]).toEqual([201, null])
    expect(await again.json()).toEqual({ number: 2, secret: 'whsec_b' })
    expect(replayed(await send({ name: 'b' }, { key: 'k1' }))).toBe('true')
  })

  test('ten requests at once do the work once and all get its response', async () => {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const results = Array.from({ length: 10 }, () => send({ name: 'a' }, { key: 'k1' }))
    await expect.poll(() => made).toBe(1)
    opened.resolve()
    const responses = await Promise.all(results)
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1)
    const bodies = await Promise.all(responses.map((response) => response.text()))
    expect(new Set(bodies).size).toBe(1)
    expect(made).toBe(1)
  })

  test('if the running request fails, a waiting request does the work', async () => {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const failing = send({ name: 'a', fail: true }, { key: 'k1' })
    await expect.poll(() => made).toBe(1)
    const waiting = send({ name: 'a' }, { key: 'k1' })
    opened.resolve()
    expect((await failing).status).toBe(409)
    const response = await waiting
    expect([response.status, replayed(response)]).toEqual([201, null])
  })

  test('ten requests at once with an expired key do the work once', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    clock.advance(DAY_MS)
    const responses = await Promise.all(Array.from({ length: 10 }, () => send({ name: 'a' }, { key: 'k1' })))
    expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1)
    expect(made).toBe(2)
  })
})

describe('a key that was used for another request', () => {
  test('gives 409 idempotency_conflict for another body, and nothing is changed', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    const response = await send({ name: 'b' }, { key: 'k1' })
    expect([response.status, (await readError(response)).type]).toEqual([409, 'idempotency_conflict'])
    expect(made).toBe(1)
  })

  test('gives 409 for another path parameter', async () => {
    await send({}, { key: 'k1', path: '/things/1/parts' })
    expect((await send({}, { key: 'k1', path: '/things/2/parts' })).status).toBe(409)
  })

  test('can be used again for another operation, by another user and by another kind of caller', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    expect(replayed(await send({}, { key: 'k1', path: '/things/1/parts' }))).toBeNull()
    expect(replayed(await send({ name: 'b' }, { key: 'k1', bearer: 'at_test_other' }))).toBeNull()
    expect(replayed(await send({ name: 'c' }, { key: 'k1', bearer: 'ok_test_operator' }))).toBeNull()
    expect(made).toBe(4)
  })
})

describe('a key can be used again', () => {
  test('after an error, because everything was rolled back', async () => {
    expect((await send({ name: 'a', fail: true }, { key: 'k1' })).status).toBe(409)
    expect(await database.sql('select * from test.idempotency_keys')).toEqual([])
    expect((await send({ name: 'b' }, { key: 'k1' })).status).toBe(201)
  })

  test('after a request that was rejected before its work', async () => {
    expect((await send({ nam: 'a' }, { key: 'k1' })).status).toBe(422)
    expect((await send({ name: 'a' }, { key: 'k1' })).status).toBe(201)
  })
})

describe('the header', () => {
  test.each(['', ' ', 'a b', 'a'.repeat(256), 'ä'])('%j is 400', async (key) => {
    const response = await send({ name: 'a' }, { key })
    expect([response.status, (await readError(response)).type]).toEqual([400, 'invalid_request'])
    expect(made).toBe(0)
  })

  test('of 255 characters is accepted; without a key, and on other methods, nothing is stored', async () => {
    expect((await send({ name: 'a' }, { key: '~'.repeat(255) })).status).toBe(201)
    await send({ name: 'a' })
    await send({ name: 'a' })
    await send({ name: 'a' }, { key: 'k1', method: 'PUT' })
    await send({ name: 'a' }, { key: 'k1', method: 'PUT' })
    expect(made).toBe(5)
  })
})

describe('the stored response', () => {
  test('is sealed, and belongs to the caller and not to the token', async () => {
    await send({ name: 'a' }, { key: 'k1' })
    const rows = await database.sql<{ caller: string; answer: Buffer }>(
      'select caller, answer from test.idempotency_keys',
    )
    expect(rows.map(({ caller }) => caller)).toEqual([`${CALLERS.at_test_user.appId}/${CALLERS.at_test_user.userId}`])
    expect(rows[0]?.answer.includes('whsec_')).toBe(false)
  })

  test('is purged in batches after its expiry', async () => {
    await database.sql(`
      insert into test.idempotency_keys (caller, operation, key, fingerprint, created_at)
      select 'a', 'make', n::text, sha256('x'), clock_timestamp() - interval '24 hours' from generate_series(1, 5) n`)
    await send({ name: 'a' }, { key: 'young' })
    const purge = () => database.databases.test.transaction((tx) => purgeExpired(tx, 3))
    expect([await purge(), await purge(), await purge()]).toEqual([3, 2, 0])
    expect(replayed(await send({ name: 'a' }, { key: 'young' }))).toBe('true')
  })
})
