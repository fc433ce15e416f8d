import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientCredentials, consent, refusedAtAuthorize } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer } from './installing.ts'
import { refusalOf, type Send } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/**
 * The specification's "Missing scope and recovery": the errors that a partner gets, and that following their
 * remediation works.
 */

let stage: Stage
let person: Person
/** An approved app that declares read:companies and the scopes for installing. */
let app: App
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  app = await stage.app({ scopes: ['read:profile', 'read:companies', ...INSTALLING], approved: true })
})
afterAll(() => stage.close())

/** Installs the app on a new company, as its founder. */
async function installApp(scopes: readonly string[]) {
  const api = await installer(stage, app, person)
  const target = await aCompanyOf(stage, person)
  const { data, token } = await api('POST', '/installations', { ...target, scopes })
  return { api, target, token, path: `/installations/${data.id}` }
}

const reads = async (bearer: string) => stage.api(bearer)('GET', '/installations')

describe('1. A call that needs a scope', () => {
  test('the token lacks gets 403 insufficient_scope, which names the scope in the body and in the header', async () => {
    const { access_token } = await consent(stage, app.key, person)
    const answer = await reads(access_token)
    expect(refusalOf(answer)).toBe('403 insufficient_scope')
    expect(answer.error.message).toContain('read:installations')
    expect(answer.error.request_id).toMatch(/^req_/)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read:installations"')
  })

  test('the token has gets 403 forbidden if the user lacks permission on that resource', async () => {
    const company = await stage.company({ founder: await stage.person() })
    await stage.goPublic(company)
    const api = await installer(stage, app, person)
    const answer = await api('POST', '/installations', { target_type: 'company', target_id: company })
    expect(refusalOf(answer)).toBe('403 forbidden')
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })

  test('the token has gets 403 forbidden if the token is bound to another resource', async () => {
    const { token, path } = await installApp(INSTALLING)
    const elsewhere = await aCompanyOf(stage, person)
    const bound = stage.api(token.access_token)
    expect(refusalOf(await bound('POST', '/installations', elsewhere))).toBe('403 forbidden')
    expect((await bound('GET', path)).status).toBe(200)
  })

  test('the token has gets 404 for a record whose existence it may not see', async () => {
    const [one, other] = [await installApp(INSTALLING), await installApp(INSTALLING)]
    expect(refusalOf(await stage.api(one.token.access_token)('GET', other.path))).toBe('404 not_found')
  })
})

describe('2. The app declares the scope but the token lacks it', () => {
  test('a user token gets the scope by repeating the Authorization Code flow with the full scope list', async () => {
    const before = await consent(stage, app.key, person)
    const { error } = await reads(before.access_token)
    expect(error.remediation).toContain('Request read:installations on the authorize URL together with the scopes')
    const after = await consent(stage, app.key, person, { scope: 'read:profile read:installations' })
    expect((await reads(after.access_token)).status).toBe(200)
    expect((await stage.probe(after.access_token, 'read:profile')).status).toBe(200)
  })

  test('an installation token whose install has the scope is replaced by a token that requests it', async () => {
    const { api, path } = await installApp(['read:companies', 'read:installations'])
    const narrowed = await api('POST', `${path}/tokens`, { scopes: ['read:companies'] })
    const { error } = await reads(narrowed.token.access_token)
    expect(error.remediation).toContain('GET /installations/{id}')
    expect(error.remediation).toContain('POST /installations/{id}/tokens')
    expect((await api('GET', path)).data.scopes).toContain('read:installations')
    const { token } = await api('POST', `${path}/tokens`, { scopes: ['read:companies', 'read:installations'] })
    expect((await reads(token.access_token)).status).toBe(200)
  })

  test('an installation token whose install lacks the scope needs a new install and a new token', async () => {
    const { api, target, token, path } = await installApp(['read:companies'])
    expect((await reads(token.access_token)).error.remediation).toContain('revoke the install, install again')
    expect((await api('GET', path)).data.scopes).toEqual(['read:companies'])
    const minted = await api('POST', `${path}/tokens`, { scopes: ['read:installations'] })
    expect(refusalOf(minted)).toBe('422 nothing_grantable')
    await api('DELETE', path)
    const again = await api('POST', '/installations', target)
    const replaced = await api('POST', `/installations/${again.data.id}/tokens`)
    expect((await reads(replaced.token.access_token)).status).toBe(200)
  })

  test('a client-credentials token holds only read:public and cannot be extended', async () => {
    const { access_token, scope } = await clientCredentials(stage, app.key)
    expect(scope).toBe('read:public')
    const answer = await reads(access_token)
    expect(refusalOf(answer)).toBe('403 insufficient_scope')
    expect(answer.error.remediation).toContain('cannot be extended')
    expect(await clientCredentials(stage, app.key, 'read:installations')).toMatchObject({ error: 'invalid_scope' })
  })
})

describe('3. The app does not declare the scope', () => {
  test('a request for the scope fails with invalid_scope, until the scope is added in the portal and the user consents again', async () => {
    const { id, team, key } = await stage.app({ scopes: ['read:profile'] })
    const { access_token } = await consent(stage, key, person)
    expect((await reads(access_token)).error.remediation).toContain('add it in the developer portal first')
    expect(await refusedAtAuthorize(key, person, 'read:installations')).toBe('invalid_scope')
    await team.owner.portal('POST', `/portal/api/apps/${id}/scopes`, { scopes: ['read:installations'] })
    expect(refusalOf(await reads(access_token))).toBe('403 insufficient_scope')
    const after = await consent(stage, key, person, { scope: 'read:profile read:installations' })
    expect((await reads(after.access_token)).status).toBe(200)
  })

  test('an install gets the scope when the scope is added in the portal and the app is installed again', async () => {
    const other = await stage.app({ scopes: INSTALLING, approved: true })
    const api = await installer(stage, other, person)
    const target = await aCompanyOf(stage, person)
    const scopes = ['read:installations', 'read:companies']
    const before = await api('POST', '/installations', { ...target, scopes })
    expect(before.data.scopes).toEqual(['read:installations'])
    await other.team.owner.portal('POST', `/portal/api/apps/${other.id}/scopes`, { scopes: ['read:companies'] })
    expect((await api('GET', `/installations/${before.data.id}`)).data.scopes).toEqual(['read:installations'])
    await api('DELETE', `/installations/${before.data.id}`)
    expect((await api('POST', '/installations', { ...target, scopes })).data.scopes).toEqual([
      'read:companies',
      'read:installations',
    ])
  })

  test('a new app is needed only for a scope that the scope editor cannot offer', async () => {
    const { id, team } = await stage.app()
    const add = (scope: string) => team.owner.portal('POST', `/portal/api/apps/${id}/scopes`, { scopes: [scope] })
    for (const scope of ['write:companies', 'read:attribution:full', 'read:offerings', 'read:mcp']) {
      expect(refusalOf(await add(scope))).toBe('422 invalid_scopes')
    }
    expect((await add('write:investment_sessions')).status).toBe(200)
  })
})

describe('4. At most one active install', () => {
  test.each([
    ['company', aCompanyOf],
    ['syndicate', aSyndicateOf],
  ])('per %s: 409 already_installed names the install, and another app may be installed there too', async (_, on) => {
    const api = await installer(stage, app, person)
    const target = await on(stage, person)
    const { data } = await api('POST', '/installations', target)
    const second = await api('POST', '/installations', target)
    expect([refusalOf(second), second.error.details]).toEqual(['409 already_installed', { installation: data.id }])
    const other = await stage.app({ scopes: INSTALLING, approved: true })
    expect((await (await installer(stage, other, person))('POST', '/installations', target)).status).toBe(201)
  })

  test('revoking invalidates every token of the install at once, and allows a new install', async () => {
    const api = await installer(stage, app, person)
    const target = await aSyndicateOf(stage, person)
    const made = await api('POST', '/installations', target)
    const path = `/installations/${made.data.id}`
    const minted = await Promise.all(
      [{}, { scopes: ['read:companies'] }, { never_expires: true }].map((body) => api('POST', `${path}/tokens`, body)),
    )
    const bearers = [made, ...minted].map(({ token }) => token.access_token)
    for (const bearer of bearers) expect(await stage.scopesOf(bearer)).toContain('read:companies')
    await api('DELETE', path)
    for (const bearer of bearers) expect(await stage.scopesOf(bearer)).toBeNull()
    expect(refusalOf(await api('POST', `${path}/tokens`))).toBe('409 installation_revoked')
    const again = await api('POST', '/installations', target)
    expect(again.status).toBe(201)
    expect(again.data.id).not.toBe(made.data.id)
  })
})

describe('Errors: 401 invalid_token', () => {
  const OBTAIN = 'Obtain a new token'
  let api: Send
  let token: string
  beforeAll(async () => {
    token = (await consent(stage, app.key, person, { scope: 'read:installations' })).access_token
    api = stage.api(token)
  })

  test('no Authorization header', async () => {
    const response = await fetch(`${stage.service.url}/installations`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_token' } })
  })

  test('a malformed header, an invalid token, a token of the other world, another kind of secret', async () => {
    for (const authorization of ['', token, `Basic ${token}`, 'Bearer', `Bearer ${token} ${token}`]) {
      const headers = { authorization }
      expect((await fetch(`${stage.service.url}/installations`, { headers })).status).toBe(401)
    }
    for (const bearer of [`${token.slice(0, -1)}_`, token.replace('_test_', '_live_'), app.key.secret]) {
      expect(refusalOf(await reads(bearer))).toBe('401 invalid_token')
    }
    expect((await api('GET', '/installations')).status).toBe(200)
  })

  test('an expired token, until the app obtains a new token', async () => {
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:installations' })
    await stage.advanceClock('PT2H1M')
    const answer = await reads(access_token)
    expect([refusalOf(answer), answer.error.remediation]).toEqual([
      '401 invalid_token',
      expect.stringContaining(OBTAIN),
    ])
    const renewed = await consent(stage, app.key, person, { scope: 'read:installations' })
    expect((await reads(renewed.access_token)).status).toBe(200)
  })

  test('a revoked token, with the advice to obtain a new token', async () => {
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:installations' })
    const { clientId: client_id, secret: client_secret } = app.key
    const body = new URLSearchParams({ token: access_token, client_id, client_secret })
    expect((await fetch(`${stage.service.url}/oauth/revoke`, { method: 'POST', body })).status).toBe(200)
    const answer = await reads(access_token)
    expect([refusalOf(answer), answer.error.remediation]).toEqual([
      '401 invalid_token',
      expect.stringContaining(OBTAIN),
    ])
  })
})

describe('Errors: 403 or 404', () => {
  test('a record that the caller may see is 403, and all others are 404 with the same body except for the request id', async () => {
    const api = await installer(stage, app, person)
    const company = await stage.company({ founder: await stage.person() })
    const tryInstall = async (target_id: string) => {
      const answer = await api('POST', '/installations', { target_type: 'company', target_id })
      const { request_id, ...rest } = answer.error
      return { status: answer.status, ...rest }
    }
    const missing = `co_${'0'.repeat(company.length - 3)}`
    expect(await tryInstall(company)).toEqual(await tryInstall(missing))
    expect(await tryInstall(company)).toMatchObject({ status: 404, type: 'not_found' })
    await stage.goPublic(company)
    expect(await tryInstall(company)).toMatchObject({ status: 403, type: 'forbidden' })
    const live = await stage.company({ founder: person }, 'live')
    expect(await tryInstall(live)).toEqual(await tryInstall(missing))
  })

  test('sandbox_only: a live token gets 403 from a sandbox route', async () => {
    const key = await stage.keyOf(app, { world: 'live' })
    const { access_token } = await clientCredentials(stage, key)
    expect(refusalOf(await stage.api(access_token)('GET', '/sandbox/clock'))).toBe('403 sandbox_only')
  })
})
