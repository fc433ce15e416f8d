import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyState } from '#access/apps/index.ts'
import { parseQueryText } from '#http/input/read-query.ts'
import { WORLDS } from '#kernel/world.ts'
import { aKey, anApp, type MadeUpApp, type MadeUpKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { checkAuthorizeRequest } from './check-authorize-request.ts'

const ISSUER = 'https://portico.example'
const CALLBACK = 'https://partner.example/callback?tenant=7'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

type Changes = Readonly<Record<string, string | null>>

const deps = () => ({ databases: db.databases, origin: () => ISSUER })
const check = (query: string) => checkAuthorizeRequest(deps(), parseQueryText(query))

async function client(key: MadeUpKey = {}, app: MadeUpApp = {}): Promise<string> {
  const made = await anApp(db, { scopes: ['read:profile', 'write:syndicates', 'read:referral_codes'], ...app })
  return (await aKey(db, made, { redirectUris: [CALLBACK], ...key })).clientId
}

/** A valid request with these changes; null omits a parameter. */
function query(clientId: string, changes: Changes = {}): string {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'read:profile',
    state: 'xyz',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  }
  return new URLSearchParams(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null),
  ).toString()
}

/** The redirect that reports the error to the app. */
async function redirectOf(text: string) {
  const checked = await check(text)
  if (checked.outcome !== 'redirect') throw new Error(`expected a redirect, got ${checked.outcome}`)
  const location = new URL(checked.location)
  return { at: location.origin + location.pathname, ...Object.fromEntries(location.searchParams) }
}

async function page(text: string) {
  const checked = await check(text)
  if (checked.outcome !== 'page') throw new Error(`expected a page, got ${JSON.stringify(checked)}`)
  return checked.reason
}

describe('a valid request', () => {
  test.each(WORLDS)('is accepted, and the result contains everything that consent needs: %s', async (world) => {
    const clientId = await client({ world })
    expect(await check(query(clientId, { scope: 'write:syndicates read:profile' }))).toEqual({
      outcome: 'trusted',
      request: {
        client: expect.objectContaining({ keyId: clientId, world, state: 'active' }),
        redirectUri: CALLBACK,
        state: 'xyz',
        codeChallenge: CHALLENGE,
        scopes: ['read:profile', 'write:syndicates'],
        byDefault: false,
      },
    })
  })

  const trusted = async (text: string) => {
    const checked = await check(text)
    if (checked.outcome !== 'trusted') throw new Error(JSON.stringify(checked))
    return checked.request
  }

  test('without scope gets read:profile, declared or not', async () => {
    const clientId = await client({}, { scopes: [] })
    expect(await trusted(query(clientId, { scope: null }))).toMatchObject({ scopes: ['read:profile'], byDefault: true })
    expect(await trusted(query(clientId, { scope: '' }))).toMatchObject({ scopes: ['read:profile'], byDefault: true })
  })

  test('may omit state; then the response has no state', async () => {
    const clientId = await client()
    expect((await trusted(query(clientId, { state: null }))).state).toBeNull()
    expect((await trusted(query(clientId, { state: '' }))).state).toBeNull()
  })

  test('returns state unchanged, up to 2,048 characters', async () => {
    const clientId = await client()
    for (const state of ['a b&c=d+e%20"', ' ~!', 'x'.repeat(2_048)]) {
      expect((await trusted(query(clientId, { state }))).state).toBe(state)
    }
  })

  test('may omit redirect_uri if the key has only one', async () => {
    expect((await trusted(query(await client(), { redirect_uri: null }))).redirectUri).toBe(CALLBACK)
  })

  test('may have any port in a redirect_uri on loopback (RFC 8252)', async () => {
    const clientId = await client({ redirectUris: ['http://127.0.0.1/cb'], clientType: 'public' })
    const redirect_uri = 'http://127.0.0.1:51004/cb'
    expect((await trusted(query(clientId, { redirect_uri }))).redirectUri).toBe(redirect_uri)
  })

  test('may contain response_mode=query, and unknown parameters, which are ignored', async () => {
    const more = { response_mode: 'query', prompt: 'consent', nonce: 'n', audience: 'x' }
    expect(await trusted(query(await client(), more))).toMatchObject({ state: 'xyz' })
    expect(await trusted(`${query(await client())}&resource=a&resource=b`)).toMatchObject({ state: 'xyz' })
  })

  test('may come from a public key', async () => {
    expect(await trusted(query(await client({ clientType: 'public' })))).toMatchObject({ state: 'xyz' })
  })
})

describe('our own page is shown without a redirect, because the client is not trusted yet, if', () => {
  test.each<[string, Changes, string]>([
    ['client_id is missing', { client_id: null }, 'unreadable_request'],
    ['client_id is empty', { client_id: '' }, 'unreadable_request'],
    ['client_id is unknown', { client_id: 'pk_test_000000000000000000000000' }, 'unknown_app'],
    ['client_id is malformed', { client_id: 'x\u0000\ud800' }, 'unknown_app'],
    ['redirect_uri is not registered', { redirect_uri: 'https://evil.example/callback' }, 'wrong_redirect_uri'],
    ['redirect_uri lacks its query', { redirect_uri: 'https://partner.example/callback' }, 'wrong_redirect_uri'],
    ['redirect_uri has an extra part', { redirect_uri: `${CALLBACK}&x=1` }, 'wrong_redirect_uri'],
    ['redirect_uri has a fragment', { redirect_uri: `${CALLBACK}#x` }, 'wrong_redirect_uri'],
    ['redirect_uri has a line break', { redirect_uri: `${CALLBACK}\r\nX: y` }, 'wrong_redirect_uri'],
    ['redirect_uri is a script', { redirect_uri: 'javascript:alert(1)' }, 'wrong_redirect_uri'],
  ])('%s', async (_, changes, reason) => {
    expect(await page(query(await client(), changes))).toBe(reason)
  })

  test.each<KeyState>(['suspended', 'disabled', 'ended', 'revoked'])('the app or its key is %s', async (state) => {
    expect(await page(query(await client({ state })))).toBe('app_unavailable')
  })

  test('client_id has the prefix of a world to which the key does not belong', async () => {
    const clientId = await client({ world: 'live' })
    expect(await page(query(clientId.replace('pk_live_', 'pk_test_')))).toBe('unknown_app')
  })

  test.each(['client_id', 'redirect_uri'])('%s is sent twice, even with the same value', async (name) => {
    const text = query(await client())
    const again = new URLSearchParams({ [name]: new URLSearchParams(text).get(name) ?? '' })
    expect(await page(`${text}&${again}`)).toBe('unreadable_request')
    expect(await page(`${text}&${name}=`)).toBe('unreadable_request')
  })

  test('redirect_uri is omitted, and the key has no redirect URI, several, or one on loopback', async () => {
    const lists = [[], [CALLBACK, 'https://partner.example/other'], ['http://localhost/cb']]
    for (const redirectUris of lists) {
      expect(await page(query(await client({ redirectUris }), { redirect_uri: null }))).toBe('wrong_redirect_uri')
    }
  })

  test.each(['&state=%', '&x=%ff', '&%zz=1'])('the query is not correctly percent-encoded: %s', async (more) => {
    expect(await page(query(await client()) + more)).toBe('unreadable_request')
  })

  test('the request is too long for the address of the sign-in page', async () => {
    const clientId = await client()
    expect(await page(query(clientId, { nonce: 'x'.repeat(8_000) }))).toBe('too_long')
    expect(await page(query(clientId, { state: '&'.repeat(2_048) }))).toBe('too_long')
    expect(await page(`x=${'x'.repeat(8_000)}`)).toBe('too_long')
    const filled = encodeURIComponent(`/oauth/authorize?${query(clientId, { nonce: '' })}`).length
    const fits = query(clientId, { nonce: 'x'.repeat(8_000 - filled) })
    expect(await check(fits)).toMatchObject({ outcome: 'trusted' })
    expect(await page(`${fits}x`)).toBe('too_long')
  })

  test('redirect_uri is that of another app', async () => {
    await client({ redirectUris: ['https://other.example/cb'] })
    expect(await page(query(await client(), { redirect_uri: 'https://other.example/cb' }))).toBe('wrong_redirect_uri')
  })
})

describe('the error is sent to the redirect URI, with its query, the state and iss, if', () => {
  test.each<[string, Changes, string]>([
    ['response_type is missing', { response_type: null }, 'invalid_request'],
    ['response_type is token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type is code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['response_mode is fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode is form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['code_challenge is missing', { code_challenge: null }, 'invalid_request'],
    ['code_challenge_method is missing, which would mean plain', { code_challenge_method: null }, 'invalid_request'],
    ['code_challenge_method is plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['code_challenge_method is s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['code_challenge is too short', { code_challenge: CHALLENGE.slice(1) }, 'invalid_request'],
    ['code_challenge is padded', { code_challenge: `${CHALLENGE}=` }, 'invalid_request'],
    ['code_challenge has forbidden characters', { code_challenge: CHALLENGE.replace('-', '+') }, 'invalid_request'],
    ['a scope is not declared', { scope: 'read:profile read:investments' }, 'invalid_scope'],
    ['a scope is for the app itself', { scope: 'read:referral_codes' }, 'invalid_scope'],
    ['a scope is internal', { scope: 'admin:read' }, 'invalid_scope'],
    ['a scope does not exist', { scope: 'read:everything' }, 'invalid_scope'],
    ['a scope is malformed', { scope: 'read:"profile"\u0000' }, 'invalid_scope'],
    ['a request object is sent', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri is sent', { request_uri: 'https://partner.example/r' }, 'request_uri_not_supported'],
  ])('%s', async (_, changes, error) => {
    expect(await redirectOf(query(await client(), changes))).toEqual({
      at: 'https://partner.example/callback',
      tenant: '7',
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'xyz',
      iss: ISSUER,
    })
  })

  test.each(['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'response_mode', 'request'])(
    '%s is sent twice',
    async (name) => {
      const text = `${query(await client(), { [name]: 'a' })}&${name}=b`
      expect(await redirectOf(text)).toMatchObject({ error: 'invalid_request', state: 'xyz', iss: ISSUER })
    },
  )

  test.each<[string, (clientId: string) => string]>([
    ['sent twice', (clientId) => `${query(clientId)}&state=b`],
    ['too long', (clientId) => query(clientId, { state: 'x'.repeat(2_049) })],
    ['not ASCII', (clientId) => query(clientId, { state: 'zürich' })],
    ['a text with an emoji', (clientId) => query(clientId, { state: 'a🎉' })],
    ['two lines long', (clientId) => query(clientId, { state: 'a\r\nb' })],
    ['a text with a NUL', (clientId) => query(clientId, { state: 'a\0' })],
    ['a text with a DEL', (clientId) => query(clientId, { state: 'a\x7f' })],
  ])('state is %s: invalid_request, and the response has no state', async (_, text) => {
    const response = await redirectOf(text(await client()))
    expect(response).toMatchObject({ error: 'invalid_request', iss: ISSUER })
    expect(response).not.toHaveProperty('state')
  })

  test('a scope that the picker does not show is requested, and the app declares neither it nor its replacement', async () => {
    const lacking = await client()
    expect(await redirectOf(query(lacking, { scope: 'read:offerings' }))).toMatchObject({ error: 'invalid_scope' })
    expect(await redirectOf(query(lacking, { scope: 'write:investments' }))).toMatchObject({ error: 'invalid_scope' })
    const holder = await client({}, { scopes: ['read:companies', 'write:investments'] })
    expect(await check(query(holder, { scope: 'read:offerings write:investments' }))).toMatchObject({
      outcome: 'trusted',
      request: { scopes: expect.arrayContaining(['read:offerings', 'write:investments']) },
    })
  })
})

test('every query leads to an error page, a redirect to the app or a request for consent', async () => {
  const clientId = await client()
  const names = [
    'response_type',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'request',
  ]
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('code', CALLBACK, 'S256', CHALLENGE, 'read:profile'),
  )
  const raw = fc.array(fc.tuple(fc.constantFrom(...names), value.map(encoded)), { maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(raw, async (pairs) => {
      const text = pairs.map(([name, sent]) => `${name}=${sent}`).join('&')
      const checked = await check(`client_id=${clientId}&${text}`)
      if (checked.outcome === 'redirect') expect(checked.location.startsWith(`${CALLBACK}&error=`)).toBe(true)
      if (checked.outcome === 'trusted') expect(checked.request.redirectUri).toBe(CALLBACK)
    }),
  )
})

/** Percent-encodes like a browser. A text that no browser could encode is not changed. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text
}
