import {
  accessToken,
  authorizeUrl,
  Client,
  type ClientOptions,
  type Credential,
  clientCredentials,
  exchangeCode,
  installation,
  memoryTokenStore,
  publishableKey,
  type RetryNotice,
  revokeToken,
  serverKey,
  user,
} from '@portico/sdk'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { consent, offeredOn } from '../../server/test/contract/flow.ts'
import { aCompanyOf, INSTALLING, installer } from '../../server/test/contract/installing.ts'
import { type App, CALLBACK, openStage, type Person, type Stage } from '../../server/test/contract/stage.ts'
import { type FlakyProxy, flakyProxy } from './flaky-proxy.ts'

const SCOPES = ['read:profile', 'write:profile', 'read:companies', 'read:webhooks', 'write:webhooks', ...INSTALLING]

let stage: Stage
let app: App
let person: Person
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: SCOPES, approved: true })
  person = await stage.person()
  for (let at = 0; at < 5; at++) await stage.goPublic(await stage.company())
})
afterAll(() => stage?.close())

const key = () => ({ clientId: app.key.clientId, clientSecret: app.key.secret })

function clientOf(credential: Credential, more: Partial<ClientOptions> = {}): Client {
  return new Client({ baseUrl: stage.service.url, credential, ...more })
}

async function openProxy(): Promise<FlakyProxy> {
  const proxy = await flakyProxy(stage.service.url)
  onTestFinished(() => proxy.close())
  return proxy
}

/** Consents to the scope as the person, and exchanges the code of the callback for tokens. */
async function tokensOf(scope: string) {
  const baseUrl = stage.service.url
  const { url, state, codeVerifier } = await authorizeUrl({
    baseUrl,
    clientId: key().clientId,
    redirectUri: CALLBACK,
    scope,
  })
  const path = url.slice(baseUrl.length)
  const page = await person.browser.open(path)
  const { location } = await person.browser.submit(path, { decision: 'connect', scope: offeredOn(page) })
  const exchange = { baseUrl, ...key(), redirectUri: CALLBACK, callbackUrl: location ?? '', state, codeVerifier }
  return { exchange, tokens: await exchangeCode(exchange) }
}

const tokenRequests = ({ requests }: FlakyProxy) => requests.filter(({ url }) => url === '/oauth/token').length

describe('a credential', () => {
  test('publishableKey() reads all pages of public data, and gets 403 for other data', async () => {
    const client = clientOf(publishableKey(key().clientId))
    const ids: string[] = []
    for await (const { id } of client.list('/explore', { query: { per_page: 2 } })) ids.push(id)
    expect(new Set(ids).size).toBe(5)
    expect(await client.list('/explore').toArray({ max: 3 })).toHaveLength(3)
    const pages: number[] = []
    for await (const { meta } of client.list('/explore', { query: { per_page: 2 } }).pages())
      pages.push(meta.page_count)
    expect(pages).toEqual([2, 2, 1])
    await expect(client.get('/users/me')).rejects.toMatchObject({
      name: 'PermissionError',
      ...{
        status: 403,
        type: 'insufficient_scope',
        requestId: expect.stringMatching(/^req_/),
        remediation: expect.any(String),
      },
    })
  })

  test('clientCredentials() requests one token for ten requests at the same moment', async () => {
    const proxy = await openProxy()
    const client = clientOf(clientCredentials(key()), { baseUrl: proxy.url })
    await Promise.all(Array.from({ length: 10 }, () => client.get('/explore')))
    expect(tokenRequests(proxy)).toBe(1)
    const wrong = clientOf(clientCredentials({ ...key(), clientSecret: 'sk_test_wrong' }))
    await expect(wrong.get('/explore')).rejects.toMatchObject({ name: 'OAuthError', code: 'invalid_client' })
  })

  test('user() refreshes once for ten requests at the same moment, and stores the new tokens', async () => {
    const proxy = await openProxy()
    const { tokens } = await tokensOf('read:profile')
    const store = memoryTokenStore({ ...tokens, expiresAt: Date.now() })
    const client = clientOf(user({ ...key(), store }), { baseUrl: proxy.url })
    const people = await Promise.all(Array.from({ length: 10 }, () => client.get('/users/me')))
    expect(new Set(people.map(({ data }) => data.id))).toEqual(new Set([person.user]))
    expect(tokenRequests(proxy)).toBe(1)
    expect((await store.get())?.refreshToken).not.toBe(tokens.refreshToken)
  })

  test('user() repeats a refresh whose response was lost, and renews a token that was revoked', async () => {
    const proxy = await openProxy()
    const { tokens } = await tokensOf('read:profile')
    const store = memoryTokenStore({ ...tokens, expiresAt: Date.now() })
    const client = clientOf(user({ ...key(), store }), { baseUrl: proxy.url })
    proxy.faults.push('lose-response')
    await client.get('/users/me')
    expect(tokenRequests(proxy)).toBe(2)
    const current = await store.get()
    await revokeToken({ baseUrl: stage.service.url, ...key(), token: current?.accessToken ?? '' })
    expect((await client.get('/users/me')).data.id).toBe(person.user)
    expect(tokenRequests(proxy)).toBe(3)
  })

  test('user() throws an error if the refresh token was revoked, and says to use authorizeUrl() if the store is empty', async () => {
    const { tokens } = await tokensOf('read:profile')
    await revokeToken({ baseUrl: stage.service.url, ...key(), token: tokens.refreshToken ?? '' })
    const store = memoryTokenStore({ ...tokens, expiresAt: Date.now() })
    await expect(clientOf(user({ ...key(), store })).get('/users/me')).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(clientOf(user({ ...key(), store: memoryTokenStore() })).get('/users/me')).rejects.toThrow(
      'authorizeUrl()',
    )
  })

  test('exchangeCode() rejects another session’s callback, another issuer, and a code that was used', async () => {
    const { exchange } = await tokensOf('read:profile')
    await expect(exchangeCode({ ...exchange, state: 'other' })).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(exchangeCode({ ...exchange, issuer: 'https://evil.example' })).rejects.toMatchObject({
      code: 'invalid_issuer',
    })
    const declined = `${CALLBACK}?error=access_denied&state=${exchange.state}`
    await expect(exchangeCode({ ...exchange, callbackUrl: declined })).rejects.toMatchObject({ code: 'access_denied' })
    await expect(exchangeCode(exchange)).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  test('installation() creates one token for five requests with the server key, and a new one after a 401', async () => {
    const target = await aCompanyOf(stage, person)
    const { data } = await (await installer(stage, app, person))('POST', '/installations', target)
    const proxy = await openProxy()
    const credential = installation({ id: data.id, mintWith: serverKey(key()), scopes: ['read:companies'] })
    const client = clientOf(credential, { baseUrl: proxy.url })
    const tokenRequestCount = () => proxy.requests.filter(({ method }) => method === 'POST').length
    const path = { company_id: target.target_id }
    await Promise.all(Array.from({ length: 5 }, () => client.get('/companies/{company_id}/fundraises', { path })))
    expect(tokenRequestCount()).toBe(1)
    proxy.faults.push({ status: 401, body: { error: { type: 'invalid_token', message: 'It has ended.' } } })
    await client.get('/companies/{company_id}/fundraises', { path })
    expect(tokenRequestCount()).toBe(2)
    const { access_token } = await consent(stage, app.key, person, { scope: INSTALLING.join(' ') })
    const withUserToken = clientOf(installation({ id: data.id, mintWith: accessToken(access_token) }))
    await withUserToken.get('/companies/{company_id}/fundraises', { path })
  })
})

describe('a request that fails', () => {
  const endpoint = { url: 'http://127.0.0.1:4500/hook', events: ['investment.created'] as ['investment.created'] }

  test('is repeated with the same Idempotency-Key, so after a lost response nothing is created twice', async () => {
    const proxy = await openProxy()
    const retries: RetryNotice[] = []
    const hooks = { onRetry: (retry: RetryNotice) => void retries.push(retry) }
    const client = clientOf(serverKey(key()), { baseUrl: proxy.url, hooks })
    proxy.faults.push('lose-response')
    const { data } = await client.post('/webhook_endpoints', { body: endpoint })
    expect(proxy.requests).toHaveLength(2)
    expect(new Set(proxy.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(retries).toMatchObject([{ method: 'POST', attempt: 1, status: undefined }])
    const listed = await client.list('/webhook_endpoints').toArray()
    expect(listed.map(({ id }) => id)).toEqual([data.id])
  })

  test('is repeated after 429 and 503, and not after 404', async () => {
    const proxy = await openProxy()
    const client = clientOf(publishableKey(key().clientId), { baseUrl: proxy.url })
    const limited = { error: { type: 'rate_limit_exceeded', message: 'Too many.', details: { retry_after: 0 } } }
    proxy.faults.push({ status: 429, body: limited }, { status: 503, body: limited })
    await client.get('/explore')
    expect(proxy.requests).toHaveLength(3)
    await expect(client.get('/companies/{id}', { path: { id: 'co_nobody' } })).rejects.toMatchObject({
      name: 'NotFoundError',
    })
    expect(proxy.requests).toHaveLength(4)
  })

  test('is not repeated if the service requests a wait longer than maxWaitMs; the error contains the wait', async () => {
    const proxy = await openProxy()
    const client = clientOf(publishableKey(key().clientId), { baseUrl: proxy.url })
    const limited = { error: { type: 'rate_limit_exceeded', message: 'Too many.', details: { retry_after: 3_000 } } }
    proxy.faults.push({ status: 429, body: limited })
    await expect(client.get('/explore')).rejects.toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 3_000 })
  })

  test('throws after a timeout, a broken connection or an abort of the caller’s own signal', async () => {
    const proxy = await openProxy()
    const client = clientOf(publishableKey(key().clientId), { baseUrl: proxy.url, maxRetries: 0 })
    proxy.faults.push('hang', 'cut', 'hang', { status: 502, body: '<html>' })
    await expect(client.get('/explore', { timeoutMs: 200 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(client.get('/explore')).rejects.toMatchObject({ name: 'ConnectionError' })
    const controller = new AbortController()
    const response = client.get('/explore', { signal: controller.signal })
    controller.abort(new Error('the page was left'))
    await expect(response).rejects.toThrow('the page was left')
    await expect(client.get('/explore', { signal: controller.signal })).rejects.toThrow('the page was left')
  })

  test('throws if the response is a web page, for example the sign-in page of a network', async () => {
    const proxy = await openProxy()
    const client = clientOf(publishableKey(key().clientId), { baseUrl: proxy.url })
    proxy.faults.push({
      status: 200,
      body: '<h1>Welcome</h1>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    await expect(client.get('/explore')).rejects.toThrow(`${proxy.url} answered with a web page.`)
    expect(proxy.requests).toHaveLength(1)
  })

  test('has no credential in its error, and passes none to the hooks', async () => {
    const notices: unknown[] = []
    const addNotice = (notice: unknown) => void notices.push(notice)
    const client = clientOf(accessToken('at_test_secret'), {
      hooks: { onRequest: addNotice, onResponse: addNotice, onRetry: addNotice },
    })
    const error = await client.get('/users/me').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'AuthenticationError', type: 'invalid_token' })
    expect(JSON.stringify([notices, error, String(error)])).not.toContain('at_test_secret')
    expect(notices).toMatchObject([
      { method: 'GET', attempt: 1 },
      { status: 401, requestId: expect.stringMatching(/^req_/) },
    ])
  })
})
