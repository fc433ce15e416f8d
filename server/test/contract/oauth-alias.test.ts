import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '#http/testing/browser.ts'
import { authorizeUrl, callbackParams, consent, offeredOn, redeem } from './flow.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** "`/api/v2/oauth/*` is an alias like the rest." */

const ALIAS = '/api/v2'

let stage: Stage
let app: App
let person: Person
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:profile'] })
  person = await stage.person()
})
afterAll(() => stage?.close())

async function post(path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  const { clientId: client_id, secret: client_secret } = app.key
  const body = new URLSearchParams({ client_id, client_secret, ...fields })
  const response = await fetch(stage.service.url + path, { method: 'POST', body, headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  }
}

describe('authorize under the alias', () => {
  test('shows the consent screen, accepts its form at either address, and gives a code that can be redeemed', async () => {
    for (const sentTo of ['', ALIAS]) {
      const url = authorizeUrl(app.key)
      const page = await person.browser.open(ALIAS + url)
      expect(page.status).toBe(200)
      const answer = await person.browser.submit(sentTo + url, { decision: 'connect', scope: offeredOn(page) })
      const { code, state, iss } = callbackParams(answer)
      expect([state, iss]).toEqual(['st&te', stage.service.url])
      expect((await redeem(stage, app.key, code)).scope).toBe('read:profile')
    }
  })

  test('redirects with access_denied after a decline, and redirects a visitor to sign-in, which returns to the consent screen', async () => {
    const url = authorizeUrl(app.key)
    await person.browser.open(ALIAS + url)
    expect(callbackParams(await person.browser.submit(ALIAS + url, { decision: 'cancel' }))['error']).toBe(
      'access_denied',
    )
    const visitor = await testBrowser(stage.service.url).open(ALIAS + url)
    expect(visitor.status).toBe(303)
    const returnTo = new URL(String(visitor.location), stage.service.url).searchParams.get('return_to')
    expect(returnTo).toMatch(/^\/oauth\/authorize\?/)
  })

  test('rejects a form from another origin without the page’s CSRF token, and grants nothing', async () => {
    const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(stage.service.url + ALIAS + authorizeUrl(app.key), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'connect', scope: 'read:profile' }),
      headers: { cookie, origin: 'https://evil.example' },
      redirect: 'manual',
    })
    expect([response.status, response.headers.get('location')]).toEqual([403, null])
  })

  test('shows an error page for an unknown client and does not redirect', async () => {
    const page = await person.browser.open(ALIAS + authorizeUrl({ clientId: 'pk_test_unknown' }))
    expect([page.status, page.location]).toEqual([400, null])
  })
})

describe('the endpoints that apps call, under the alias', () => {
  test('issue a token, introspect it and revoke it', async () => {
    const given = await post(`${ALIAS}/oauth/token`, { grant_type: 'client_credentials' })
    expect([given.status, given.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const token = String(given.body['access_token'])
    expect(await stage.scopesOf(token)).toEqual([])
    expect((await post(`${ALIAS}/oauth/introspect`, { token })).body).toMatchObject({ active: true })
    expect((await post(`${ALIAS}/oauth/revoke`, { token })).status).toBe(200)
    expect((await post(`${ALIAS}/oauth/introspect`, { token })).body).toEqual({ active: false })
    expect(await stage.scopesOf(token)).toBeNull()
  })

  test('accept a refresh token only once at both addresses together', async () => {
    const { refresh_token } = await consent(stage, app.key, await stage.person())
    const refreshing = (path: string, token: unknown) =>
      post(path, { grant_type: 'refresh_token', refresh_token: String(token) })
    const first = await refreshing('/oauth/token', refresh_token)
    const second = await refreshing(`${ALIAS}/oauth/token`, first.body['refresh_token'])
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await refreshing(`${ALIAS}/oauth/token`, refresh_token)).body['error']).toBe('invalid_grant')
    expect(await stage.scopesOf(String(second.body['access_token']))).toBeNull()
  })

  test('answer with errors in the form of OAuth: a wrong secret, another method', async () => {
    const wrong = { grant_type: 'client_credentials', client_secret: 'sk_test_wrong' }
    for (const path of ['token', 'revoke', 'introspect']) {
      const { status, body } = await post(`${ALIAS}/oauth/${path}`, { ...wrong, token: 'at_test_x' })
      expect([status, body['error']]).toEqual([401, 'invalid_client'])
      const other = await fetch(`${stage.service.url}${ALIAS}/oauth/${path}`)
      expect([other.status, await other.json()]).toMatchObject([405, { error: 'invalid_request' }])
    }
  })

  test('allow pages of other origins to call token and revoke, but not introspect', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const allowed = async (path: string) =>
      (await fetch(`${stage.service.url}${ALIAS}/oauth/${path}`, { method: 'OPTIONS', headers })).headers.get(
        'access-control-allow-origin',
      )
    expect([await allowed('token'), await allowed('revoke'), await allowed('introspect')]).toEqual(['*', '*', null])
  })
})
