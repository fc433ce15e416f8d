import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { testBrowser } from '#http/testing/browser.ts'
import { authorizeUrl, callbackParams, clientCredentials, consent, offeredOn, redeem, refresh } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer, type Target } from './installing.ts'
import { type Answer, refusalOf } from './sender.ts'
import { type App, CALLBACK, openStage, type Person, type Stage } from './stage.ts'

/** The specification's "Authentication: Credentials", as partners see it. */

const DECLARED = ['read:profile', 'read:companies', ...INSTALLING, 'read:syndicates']

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Creates an app, and a person who installs it on a target. */
async function installApp(on: (stage: Stage, person: Person) => Promise<Target>) {
  const app = await stage.app({ scopes: DECLARED, approved: true })
  const person = await stage.person()
  const api = await installer(stage, app, person)
  const made = await api('POST', '/installations', await on(stage, person))
  expect(made.status).toBe(201)
  return { app, person, api, made, path: `/installations/${made.data.id}` }
}

describe('Publishable key (pk_)', () => {
  test('the app’s public key, sent as Bearer, gives the anonymous public view', async () => {
    const { id, key } = await stage.app({ scopes: DECLARED })
    expect(key.clientId).toMatch(/^pk_test_/)
    expect(await stage.identityOf(key.clientId)).toMatchObject({
      kind: 'publishable',
      app: id,
      user: null,
      installation: null,
    })
  })

  test('a publishable key has only read:public, whatever scopes the app declares', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    expect(await stage.scopesOf(key.clientId)).toEqual([])
    expect(refusalOf(await stage.api(key.clientId)('GET', '/installations'))).toBe('403 insufficient_scope')
  })

  test('browsers and phones use the key without a secret, and pages of any origin may read the response', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const { clientId, secret } = await stage.keyOf(app, { clientType: 'public' })
    expect(secret).toBe('')
    const { status, headers } = await stage.probe(clientId, 'read:public', { origin: 'https://anywhere.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test('an unknown or revoked key gets 401', async () => {
    const { id, team, key } = await stage.app()
    expect(refusalOf(await stage.probe(`pk_test_${'z'.repeat(24)}`, 'read:public'))).toBe('401 invalid_token')
    await team.owner.portal('POST', `/portal/api/apps/${id}/keys/${key.clientId}/revoke`)
    expect(refusalOf(await stage.probe(key.clientId, 'read:public'))).toBe('401 invalid_token')
  })
})

describe('Client-credentials token', () => {
  test('a token from POST /oauth/token acts as the app without a user', async () => {
    const { id, key } = await stage.app({ scopes: DECLARED })
    const { status, access_token, token_type } = await clientCredentials(stage, key)
    expect([status, token_type]).toEqual([200, 'Bearer'])
    expect(await stage.identityOf(access_token)).toMatchObject({
      kind: 'client',
      app: id,
      user: null,
      installation: null,
    })
  })

  test('lifetime 24 hours', async () => {
    const { key } = await stage.app()
    const { access_token, expires_in } = await clientCredentials(stage, key)
    expect(expires_in).toBe(86_400)
    await stage.advanceClock('PT23H59M')
    expect((await stage.probe(access_token, 'read:public')).status).toBe(200)
    await stage.advanceClock('PT2M')
    expect(refusalOf(await stage.probe(access_token, 'read:public'))).toBe('401 invalid_token')
  })
})

describe('User token', () => {
  test('the Authorization Code flow gives a user token: a link, sign-in, consent, a code, a token', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const { email, password, user } = await stage.person()
    const browser = testBrowser(stage.service.url)
    const link = authorizeUrl(key, { scope: 'read:profile read:companies' })
    const { location } = await browser.open(link)
    expect(location).toBe(`/sign-in?return_to=${encodeURIComponent(link)}`)
    await browser.open(String(location))
    expect((await browser.submit('/sign-in', { email, password, return_to: link })).location).toBe(link)
    const scope = offeredOn(await browser.open(link))
    const { code, state, iss } = callbackParams(await browser.submit(link, { decision: 'connect', scope }))
    expect([state, iss]).toEqual(['st&te', stage.service.url])
    const { access_token, token_type } = await redeem(stage, key, code)
    expect(token_type).toBe('Bearer')
    expect(await stage.identityOf(access_token)).toMatchObject({ kind: 'user', user, installation: null })
  })

  test('PKCE is required: a request without a challenge is redirected with an error, and a code with a wrong verifier gives no token', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const { browser } = await stage.person()
    for (const more of [{ code_challenge: undefined }, { code_challenge_method: 'plain' }]) {
      expect(callbackParams(await browser.open(authorizeUrl(key, more)))['error']).toBe('invalid_request')
    }
    const link = authorizeUrl(key)
    await browser.open(link)
    const { code = '' } = callbackParams(await browser.submit(link, { decision: 'connect', scope: 'read:profile' }))
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: 'x'.repeat(43) }
    const client = { client_id: key.clientId, client_secret: key.secret }
    const body = new URLSearchParams({ ...form, ...client })
    const response = await fetch(`${stage.service.url}/oauth/token`, { method: 'POST', body })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  test('lifetime 2 hours', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const { access_token, expires_in } = await consent(stage, key, await stage.person())
    expect(expires_in).toBe(7_200)
    await stage.advanceClock('PT1H59M')
    expect((await stage.probe(access_token, 'read:profile')).status).toBe(200)
    await stage.advanceClock('PT2M')
    expect(refusalOf(await stage.probe(access_token, 'read:profile'))).toBe('401 invalid_token')
  })

  test('a user token has a refresh token, which works after the access token expired', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const first = await consent(stage, key, await stage.person())
    await stage.advanceClock('PT2H1M')
    const second = await refresh(stage, key, first)
    expect(second).toMatchObject({ status: 200, expires_in: 7_200, scope: 'read:profile' })
    expect((await stage.probe(second.access_token, 'read:profile')).status).toBe(200)
    expect((await stage.probe(first.access_token, 'read:profile')).status).toBe(401)
  })

  test('the refresh token works for 60 days from each use', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    let tokens = await consent(stage, key, await stage.person())
    for (const days of ['P59D', 'P59D']) {
      await stage.advanceClock(days)
      tokens = await refresh(stage, key, tokens)
      expect(await stage.scopesOf(tokens.access_token)).toContain('read:profile')
    }
    await stage.advanceClock('P61D')
    expect(await refresh(stage, key, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('a refresh re-issues at most the original token’s scopes', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const first = await consent(stage, key, await stage.person(), { scope: 'read:profile read:companies' })
    const less = await refresh(stage, key, first, 'read:companies')
    expect(await stage.scopesOf(less.access_token)).toEqual(['read:companies'])
    expect(await refresh(stage, key, less, 'read:companies read:syndicates')).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    })
    expect((await refresh(stage, key, less)).scope).toBe('read:profile read:companies')
  })
})

describe('Installation token', () => {
  test.each([
    ['a company', aCompanyOf],
    ['a syndicate', aSyndicateOf],
  ])('a token from POST /installations/{id}/tokens acts as the app on %s', async (_, on) => {
    const { api, made, path } = await installApp(on)
    const { status, token } = await api('POST', `${path}/tokens`)
    expect([status, token.scope]).toEqual([201, DECLARED.join(' ')])
    expect(await stage.identityOf(token.access_token)).toMatchObject({
      ...{ kind: 'installation', user: null, installation: made.data.id },
    })
  })

  test('a token of a user installation acts as the app on that installation', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const { access_token } = await consent(stage, key, await stage.person(), { scope: INSTALLING.join(' ') })
    const api = stage.api(access_token)
    const { list } = await api('GET', '/installations')
    const { token } = await api('POST', `/installations/${list[0]?.id}/tokens`)
    expect(await stage.identityOf(token.access_token)).toMatchObject({
      kind: 'installation',
      installation: list[0]?.id,
    })
  })

  test('lifetime 2 hours', async () => {
    const { made } = await installApp(aCompanyOf)
    expect(made.token.expires_in).toBe(7_200)
    await stage.advanceClock('PT1H59M')
    expect((await stage.probe(made.token.access_token, 'read:companies')).status).toBe(200)
    await stage.advanceClock('PT2M')
    expect(refusalOf(await stage.probe(made.token.access_token, 'read:companies'))).toBe('401 invalid_token')
  })

  test('a syndicate API key never expires', async () => {
    const { api, path } = await installApp(aSyndicateOf)
    const { token } = await api('POST', `${path}/tokens`, { never_expires: true })
    expect(token).not.toHaveProperty('expires_in')
    await stage.advanceClock('P300D')
    expect((await stage.probe(token.access_token, 'read:syndicates')).status).toBe(200)
  })

  test('an installation token of an app that is pinned to an older version never expires', async () => {
    const { app, api, path } = await installApp(aCompanyOf)
    const header = { 'wefunder-version': '2026-10-01' }
    expect((await api('POST', `${path}/tokens`, {}, header)).token).toHaveProperty('expires_in', 7200)
    await app.team.owner.portal('PATCH', `/portal/api/apps/${app.id}`, { api_version: '2026-10-01' })
    const { token } = await api('POST', `${path}/tokens`)
    expect(token).not.toHaveProperty('expires_in')
    await stage.advanceClock('P30D')
    expect((await stage.probe(token.access_token, 'read:companies')).status).toBe(200)
  })
})

/** Returns a credential of each kind. */
async function credentialsOf({ key }: App, user: string, installation: string) {
  return { publishable: key.clientId, client: (await clientCredentials(stage, key)).access_token, user, installation }
}

describe('A token whose installation or app is revoked returns 401 invalid_token', () => {
  const outcomesOf = async (bearers: Readonly<Record<string, string>>) => {
    const seen = Object.entries(bearers).map(async ([kind, bearer]) => {
      const answer: Answer = await stage.probe(bearer, kind === 'installation' ? 'read:companies' : 'read:public')
      return [kind, answer.status === 401 ? refusalOf(answer) : answer.status]
    })
    return Object.fromEntries(await Promise.all(seen))
  }

  test('revoking an installation rejects only the tokens of this installation, from the next request, on every process', async () => {
    const { app, api, made, path } = await installApp(aCompanyOf)
    const minted = await api('POST', `${path}/tokens`, { scopes: ['read:companies'] })
    await api('DELETE', path)
    for (const { token } of [made, minted]) {
      expect(refusalOf(await stage.api(token.access_token)('GET', path))).toBe('401 invalid_token')
      expect(await stage.scopesOf(token.access_token)).toBeNull()
    }
    expect((await api('GET', path)).data.status).toBe('revoked')
    expect((await clientCredentials(stage, app.key)).status).toBe(200)
  })

  test('disconnecting ends a user’s token at once, with its refresh token', async () => {
    const { key } = await stage.app({ scopes: DECLARED })
    const { browser, ...person } = await stage.person()
    const tokens = await consent(stage, key, { browser, ...person }, { scope: INSTALLING.join(' ') })
    const [connection] = (await stage.api(tokens.access_token)('GET', '/installations')).list
    const address = `/settings/apps/${connection?.id}/disconnect`
    await browser.open(address)
    expect((await browser.submit(address, {})).status).toBe(303)
    expect(await stage.scopesOf(tokens.access_token)).toBeNull()
    expect(await refresh(stage, key, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('the deactivation of a user ends the user’s token, but not the token of an app that they installed on a company', async () => {
    const { app, person, made } = await installApp(aCompanyOf)
    const tokens = await consent(stage, app.key, person)
    await stage.sendFact('user.deactivated', { id: person.user })
    expect(await stage.scopesOf(tokens.access_token)).toBeNull()
    expect(await refresh(stage, app.key, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await stage.scopesOf(made.token.access_token)).toContain('read:companies')
  })

  test.each([
    ['is suspended by the platform', ({ id }: App) => stage.operator('POST', `/platform/apps/${id}/suspend`, REASON)],
    ['is disabled by its team', ({ id, team }: App) => team.owner.portal('POST', `/portal/api/apps/${id}/disable`)],
    [
      'is ended with its organization',
      ({ team }: App) => stage.operator('POST', `/platform/organizations/${team.organization}/end`, REASON),
    ],
    [
      'has its only key revoked',
      ({ id, team, key }: App) => team.owner.portal('POST', `/portal/api/apps/${id}/keys/${key.clientId}/revoke`),
    ],
  ])('an app that %s has all its credentials rejected on the next request', async (_, end) => {
    const { app, person, made } = await installApp(aCompanyOf)
    const user = await consent(stage, app.key, person, { scope: 'read:public read:profile' })
    const bearers = await credentialsOf(app, user.access_token, made.token.access_token)
    expect(await outcomesOf(bearers)).toEqual({ publishable: 200, client: 200, user: 200, installation: 200 })
    expect((await end(app)).status).toBe(200)
    const refused = '401 invalid_token'
    expect(await outcomesOf(bearers)).toEqual({
      ...{ publishable: refused, client: refused, user: refused, installation: refused },
    })
    expect(await clientCredentials(stage, app.key)).toMatchObject({ status: 401, error: 'invalid_client' })
    expect(await refresh(stage, app.key, user)).toMatchObject({ status: 401, error: 'invalid_client' })
  })
})

const REASON = { reason: 'It resells the catalogue.' }

test('a credential names its world and is unknown in the other world', async () => {
  const { key } = await stage.app({ scopes: DECLARED })
  const { access_token } = await clientCredentials(stage, key)
  const moved = access_token.replace('at_test_', 'at_live_')
  expect(moved).not.toBe(access_token)
  for (const scope of SCOPE_NAMES) expect((await stage.probe(moved, scope)).status).toBe(401)
})
