import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { findAccountByEmail, passwordHasher, signIns } from '../index.ts'
import { startSession } from '../sign-in/sign-ins.ts'
import { type AccountService, accountService, operatorKeyOf } from '../testing/account-service.ts'
import type { AccountEnvelope } from './schemas.ts'

let db: TestDatabase
let service: AccountService
let live: { id: string; key: string }
let sandbox: { id: string; key: string }
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db)
  live = await operatorKeyOf(db, 'live')
  sandbox = await operatorKeyOf(db, 'test')
})
afterAll(async () => {
  await service.close()
  await db.close()
})

type Call = { readonly body?: object; readonly key?: string; readonly headers?: Record<string, string> }

const call = (method: string, path: string, { body, key = live.key, headers }: Call = {}) =>
  fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
const dataOf = async (response: Response) => ((await response.json()) as AccountEnvelope).data
const newBody = (more: object = {}) => ({ email: `${newId('account')}@example.org`, name: 'Ada Lovelace', ...more })
const create = async (more: object = {}) => dataOf(await call('POST', '/platform/accounts', { body: newBody(more) }))
const fieldsOf = async (response: Response) => {
  const { type, details } = await readError(response)
  const fields = (details?.['fields'] ?? []) as { field: string; code: string }[]
  return [response.status, type, ...fields.map(({ field, code }) => `${field} ${code}`)]
}
const auditOf = (subject: string) =>
  db.sql<{ actor: string; action: string; details: object }>(
    'select actor, action, details from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
const aUser = (world: 'test' | 'live') => db.databases[world].transaction((tx) => makeUser(tx))

describe('POST /platform/accounts', () => {
  test('201 with the account and its users, without the password; audited without name and address', async () => {
    const users = { test: await aUser('test'), live: await aUser('live') }
    const body = newBody({ password: 'correct horse', users })
    const response = await call('POST', '/platform/accounts', { body })
    expect(response.status).toBe(201)
    const account = await dataOf(response)
    expect(account).toEqual({
      id: expect.stringMatching(/^acct_/),
      type: 'account',
      attributes: {
        email: body.email,
        name: 'Ada Lovelace',
        has_password: true,
        issuers: [],
        users,
        email_verified_at: expect.stringMatching(/Z$/),
        staff_role: null,
        created_at: expect.stringMatching(/Z$/),
        disabled_at: null,
      },
    })
    const stored = await findAccountByEmail(db.databases.platform.reads, body.email)
    expect(await passwordHasher().verify('correct horse', stored?.password_hash ?? null)).toBe(true)
    expect(await auditOf(account.id)).toEqual([
      { actor: live.id, action: 'account.created', details: {} },
      { actor: live.id, action: 'account.user_linked', details: { world: 'test', user: users.test } },
      { actor: live.id, action: 'account.user_linked', details: { world: 'live', user: users.live } },
    ])
  })

  test('201 without a password, for a person who signs in at the provider', async () => {
    expect((await create()).attributes).toMatchObject({ has_password: false, users: { test: null, live: null } })
  })

  test('a repeated request with the same Idempotency-Key creates no second account', async () => {
    const [body, headers] = [newBody({ password: 'correct horse' }), { 'idempotency-key': newId('request') }]
    const first = await call('POST', '/platform/accounts', { body, headers })
    const again = await call('POST', '/platform/accounts', { body, headers })
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(await dataOf(again)).toEqual(await dataOf(first))
  })

  test('422 for a bad password, address or name, for an address in use, and for an unknown field', async () => {
    const rejected = async (more: object) => fieldsOf(await call('POST', '/platform/accounts', { body: newBody(more) }))
    const { email } = (await create()).attributes
    expect(await rejected({ password: 'short' })).toEqual([422, 'validation_error', 'password too_short'])
    expect(await rejected({ email: email.toUpperCase() })).toEqual([422, 'validation_error', 'email taken'])
    expect((await rejected({ email: 'nobody' })).slice(0, 2)).toEqual([422, 'validation_error'])
    expect((await rejected({ name: '' })).slice(0, 2)).toEqual([422, 'validation_error'])
    expect((await rejected({ admin: true })).slice(0, 2)).toEqual([422, 'validation_error'])
  })

  test.each([
    ['a Cyrillic о among Latin letters', 'l\u043evelace@example.org'],
    ['letters of another width', 'ada@\uff45xample.org'],
    ['a domain that is a lookalike once decoded', 'ada@xn--exmple-4nf.org'],
  ])('422 for a lookalike address: %s; nothing is left behind', async (_what, email) => {
    const response = await call('POST', '/platform/accounts', { body: newBody({ email }) })
    expect(await fieldsOf(response)).toEqual([422, 'validation_error', 'email lookalike'])
    expect(await findAccountByEmail(db.databases.platform.reads, email)).toBeNull()
  })

  test('201 for an address whose domain is in another script', async () => {
    expect((await create({ email: `${newId('account')}@пример.рф` })).attributes.email).toContain('пример')
  })

  test('404 for a user of the other world, and nothing is left behind', async () => {
    const body = newBody({ users: { live: await aUser('test') } })
    expect((await call('POST', '/platform/accounts', { body })).status).toBe(404)
    expect(await findAccountByEmail(db.databases.platform.reads, body.email)).toBeNull()
  })
})

describe('GET /platform/accounts/{id}', () => {
  test('200 with the account; 404 for an unknown id and for a malformed one', async () => {
    const account = await create()
    expect(await dataOf(await call('GET', `/platform/accounts/${account.id}`))).toEqual(account)
    expect((await call('GET', `/platform/accounts/${newId('account')}`)).status).toBe(404)
    expect((await call('GET', '/platform/accounts/x')).status).toBe(404)
  })
})

describe('GET /platform/accounts', () => {
  type Listed = { data: { id: string }[]; meta: { has_more: boolean; next_cursor: string | null } }
  const list = async (query: Record<string, string> = {}) => {
    const response = await call('GET', `/platform/accounts?${new URLSearchParams(query)}`)
    expect(response.status).toBe(200)
    return (await response.json()) as Listed
  }
  const idsOf = ({ data }: Listed) => data.map(({ id }) => id)

  test('200 with all accounts, page by page, each once and as GET /platform/accounts/{id} shows it', async () => {
    const made = [await create(), await create(), await create()]
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const found: Listed = await list({ per_page: '2', ...(cursor !== null && { cursor }) })
      expect(found.data.length).toBeLessThanOrEqual(2)
      expect(found.meta.has_more).toBe(found.meta.next_cursor !== null)
      seen.push(...idsOf(found))
      cursor = found.meta.next_cursor
    } while (cursor !== null)
    const [count] = await db.sql<{ count: number }>('select count(*)::int as count from platform.accounts')
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(count?.count ?? 0)
    expect(seen).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
    expect((await list({ per_page: '100' })).data).toEqual(expect.arrayContaining(made))
  })

  test('finds accounts by the start of the address or of the name, in upper or lower case, and no other accounts', async () => {
    const word = newId('account').slice(-12)
    const byEmail = await create({ email: `Find.${word}@example.org`, name: 'Zoe' })
    const byName = await create({ name: `FIND.${word} Müller` })
    const inside = await create({ name: `not find.${word}` })
    const query = `find.${word}`
    expect(idsOf(await list({ query })).toSorted()).toEqual([byEmail.id, byName.id].toSorted())
    expect(idsOf(await list({ query, per_page: '1' }))).toHaveLength(1)
    expect(idsOf(await list({ query: inside.attributes.name }))).toEqual([inside.id])
    expect(idsOf(await list({ query: `${query} Mü` }))).toEqual([byName.id])
  })

  test.each(['%', '_', '\\', "'"])('searches for the character %s itself, not as a wildcard', async (query) => {
    expect(idsOf(await list({ query }))).toEqual([])
    const { id } = await create({ name: `${query} name` })
    expect(idsOf(await list({ query }))).toEqual([id])
    await db.sql('delete from platform.accounts where id = $1', [id])
  })

  test('400 for an invalid cursor and for an empty query', async () => {
    expect((await call('GET', '/platform/accounts?cursor=x')).status).toBe(400)
    expect((await call('GET', '/platform/accounts?query=')).status).toBe(400)
  })
})

describe('PUT /platform/accounts/{id}/users/{mode}', () => {
  test('200, also for a repeated request; the audit has one entry', async () => {
    const [{ id }, user] = [await create(), await aUser('test')]
    const link = () => call('PUT', `/platform/accounts/${id}/users/test`, { body: { user } })
    const [first, again] = [await link(), await link()]
    expect([first.status, again.status]).toEqual([200, 200])
    expect((await dataOf(again)).attributes.users).toEqual({ test: user, live: null })
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['account.created', 'account.user_linked'])
  })

  test('422 if the account or the user is linked already; 404 for a user of the other world, an unknown mode or an unknown account', async () => {
    const user = await aUser('test')
    const [{ id }, other] = [await create({ users: { test: user } }), await create()]
    const put = (account: string, mode: string, to: string) =>
      call('PUT', `/platform/accounts/${account}/users/${mode}`, { body: { user: to } })
    expect(await fieldsOf(await put(id, 'test', await aUser('test')))).toContain('account already_linked')
    expect(await fieldsOf(await put(other.id, 'test', user))).toContain('user already_linked')
    expect((await put(other.id, 'live', user)).status).toBe(404)
    expect((await put(other.id, 'demo', user)).status).toBe(404)
    expect((await put(newId('account'), 'test', user)).status).toBe(404)
  })
})

describe('POST /platform/accounts/{id}/disable and /enable', () => {
  test('200: the account is signed out everywhere with the next request, and enabling it restores no session', async () => {
    const { id } = await create()
    const values = await db.databases.platform.transaction(async (tx) => [
      await startSession(tx, id, null, { userAgent: undefined }),
      await startSession(tx, id, null, { userAgent: undefined }),
    ])
    const find = () => Promise.all(values.map((value) => signIns(db.databases).find(value ?? '')))
    expect(await find()).not.toContain(null)
    const disabled = await call('POST', `/platform/accounts/${id}/disable`)
    expect(disabled.status).toBe(200)
    expect((await dataOf(disabled)).attributes.disabled_at).toEqual(expect.stringMatching(/Z$/))
    expect(await find()).toEqual([null, null])
    const enabled = await call('POST', `/platform/accounts/${id}/enable`)
    expect((await dataOf(enabled)).attributes.disabled_at).toBeNull()
    expect(await find()).toEqual([null, null])
    expect(await auditOf(id)).toMatchObject([
      { action: 'account.created' },
      { action: 'account.disabled', actor: live.id, details: { sessions_ended: 2 } },
      { action: 'account.enabled', actor: live.id },
    ])
  })

  test('discards the responses stored for this account’s Idempotency-Keys, not those of other accounts', async () => {
    const [{ id }, other] = [await create(), await create()]
    await db.sql(
      `insert into platform.idempotency_keys (caller, operation, key, fingerprint, created_at)
       select 'account/' || who, 'createAppKey', 'once', sha256('x'), now() from unnest($1::text[]) who`,
      [[id, other.id]],
    )
    await call('POST', `/platform/accounts/${id}/disable`)
    const left = await db.sql("select caller from platform.idempotency_keys where key = 'once'")
    expect(left).toEqual([{ caller: `account/${other.id}` }])
  })

  test('409 if the account is already in that state, 404 for an unknown account', async () => {
    const { id } = await create()
    const verbs = ['enable', 'disable', 'disable']
    const statuses: number[] = []
    for (const verb of verbs) statuses.push((await call('POST', `/platform/accounts/${id}/${verb}`)).status)
    expect(statuses).toEqual([409, 200, 409])
    expect((await call('POST', `/platform/accounts/${newId('account')}/disable`)).status).toBe(404)
  })
})

describe('the limit of unlocks and resets', () => {
  test('429 with Retry-After if an account has had five unlocks and resets together in the last 24 hours', async () => {
    const [{ id }, { id: other }] = [await create(), await create()]
    const unlock = (account: string) => call('POST', `/platform/accounts/${account}/unlock`)
    const reset = (account: string) => call('POST', `/platform/accounts/${account}/factors/reset`)
    const helped = await Promise.all([unlock(id), reset(id), unlock(id), reset(id), unlock(id), unlock(id), reset(id)])
    expect(helped.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429])
    const over = await unlock(id)
    const { type, details } = await readError(over)
    expect([over.status, type]).toEqual([429, 'rate_limit_exceeded'])
    const wait = Number(over.headers.get('retry-after'))
    expect(details).toEqual({ limit: 5, period: 86_400, retry_after: wait })
    expect(wait).toBeGreaterThan(86_000)
    expect((await reset(id)).status).toBe(429)
    expect((await unlock(other)).status).toBe(200)
    // The limit does not apply to sign-in links, and rejected requests leave no entry in the audit.
    expect((await call('POST', `/platform/accounts/${id}/sign_in_link`)).status).toBe(201)
    const helps = (await auditOf(id)).filter(({ action }) => /unlocked|factors_reset/.test(action))
    expect(helps).toHaveLength(5)
    await db.sql('update platform.sign_in_attempts set window_ends_at = now()')
    expect((await unlock(id)).status).toBe(200)
  })
})

describe('callers without access to accounts', () => {
  test('403 for a key of the sandbox and 401 for an unknown key, on ten routes about accounts', async () => {
    const { id } = await create()
    const calls: [string, string, object?][] = [
      ['POST', '/platform/accounts', newBody()],
      ['GET', '/platform/accounts'],
      ['GET', `/platform/accounts/${id}`],
      ['PUT', `/platform/accounts/${id}/password`, { password: 'correct horse' }],
      ['POST', `/platform/accounts/${id}/sign_in_link`],
      ['POST', `/platform/accounts/${id}/password_link`],
      ['PUT', `/platform/accounts/${id}/users/test`, { user: await aUser('test') }],
      ['POST', `/platform/accounts/${id}/unlock`],
      ['POST', `/platform/accounts/${id}/disable`],
      ['POST', `/platform/accounts/${id}/enable`],
    ]
    for (const [method, path, body] of calls) {
      const more = body === undefined ? {} : { body }
      expect((await call(method, path, { ...more, key: sandbox.key })).status).toBe(403)
      expect((await call(method, path, { ...more, key: 'ok_live_unknown' })).status).toBe(401)
    }
    expect(await auditOf(id)).toHaveLength(1)
  })
})
