import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizeUrl, clientCredentials, consent, redeem, refresh, refusedAtAuthorize } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer } from './installing.ts'
import { refusalOf } from './sender.ts'
import { type App, CALLBACK, openStage, type Person, type Stage } from './stage.ts'

/** The specification's "Changing an app's scopes", from the portal to existing tokens. */

const REASON = { reason: 'It resells the catalogue.' }

let stage: Stage
let person: Person
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
})
afterAll(() => stage.close())

const add = ({ id, team }: App, ...scopes: string[]) =>
  team.owner.portal('POST', `/portal/api/apps/${id}/scopes`, { scopes })
const remove = ({ id, team }: App, ...scopes: string[]) =>
  team.owner.portal('POST', `/portal/api/apps/${id}/scopes/remove`, { scopes })
const declaredBy = async ({ id, team }: App) =>
  (await team.owner.portal('GET', `/portal/api/apps/${id}`)).data.attributes['scopes']
const history = async ({ id, team }: App) =>
  (await team.owner.portal('GET', `/portal/api/apps/${id}/history`)).list.map(({ attributes }) => attributes)

/** The ways to stop an app. */
const STOPS = {
  suspended: ({ id }: App) => stage.operator('POST', `/platform/apps/${id}/suspend`, REASON),
  disabled: ({ id, team }: App) => team.owner.portal('POST', `/portal/api/apps/${id}/disable`),
} as const

describe('1. Adding', () => {
  test('is allowed while the app is active, for self-serve scopes, and only to members of the team', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    expect((await add(app, 'read:explore')).data.attributes['added']).toEqual(['read:explore'])
    const developer = await stage.member(app.team, 'developer')
    const path = `/portal/api/apps/${app.id}/scopes`
    expect((await developer.portal('POST', path, { scopes: ['write:comments'] })).status).toBe(200)
    expect(refusalOf(await person.portal('POST', path, { scopes: ['write:follows'] }))).toBe('404 not_found')
    expect(await declaredBy(app)).toEqual(['read:explore', 'read:profile', 'write:comments'])
  })

  test.each(['suspended', 'disabled'] as const)(
    'is rejected with scope_change_blocked when the app is %s',
    async (state) => {
      const app = await stage.app({ scopes: ['read:profile'] })
      await STOPS[state](app)
      for (const change of [await add(app, 'read:explore'), await remove(app, 'read:profile')]) {
        expect(refusalOf(change)).toBe('409 scope_change_blocked')
      }
      expect(await declaredBy(app)).toEqual(['read:profile'])
    },
  )

  test('is rejected with invalid_scopes when a scope is not self-serve, and adds no scope', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const answer = await add(app, 'read:explore', 'write:companies')
    expect([refusalOf(answer), answer.error.details]).toEqual(['422 invalid_scopes', { scopes: ['write:companies'] }])
    expect(await declaredBy(app)).toEqual(['read:profile'])
  })

  test('writes the scopes to the app and every key, test and live', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const keys = [app.key, await stage.keyOf(app), await stage.keyOf(app, { world: 'live' })]
    for (const key of keys) expect(await refusedAtAuthorize(key, person, 'read:explore')).toBe('invalid_scope')
    await add(app, 'read:explore')
    for (const key of keys) {
      expect((await consent(stage, key, person, { scope: 'read:explore' })).scope).toBe('read:explore')
    }
  })

  test('records the change in the audit history: actor, action, scopes', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    await add(app, 'read:explore')
    await remove(app, 'read:profile')
    const [removed, added] = await history(app)
    expect(added).toMatchObject({ action: 'app.scopes_added', details: { added: ['read:explore'] } })
    expect(removed).toMatchObject({ action: 'app.scopes_removed', details: { removed: ['read:profile'] } })
    for (const entry of [added, removed]) expect(JSON.stringify(entry)).toContain(app.team.owner.account)
  })

  test('leaves user tokens, refresh tokens and installations unchanged', async () => {
    const app = await stage.app({ scopes: ['read:profile', ...INSTALLING], approved: true })
    const api = await installer(stage, app, person)
    const { data, token } = await api('POST', '/installations', await aCompanyOf(stage, person))
    const other = await stage.person()
    const tokens = await consent(stage, app.key, other)
    const held = [await stage.scopesOf(tokens.access_token), await stage.scopesOf(token.access_token)]
    await add(app, 'read:companies')
    expect([await stage.scopesOf(tokens.access_token), await stage.scopesOf(token.access_token)]).toEqual(held)
    const refreshed = await refresh(stage, app.key, tokens)
    expect(refreshed.scope).toBe('read:profile')
    expect(await refresh(stage, app.key, refreshed, 'read:companies')).toMatchObject({ error: 'invalid_scope' })
    expect((await api('GET', `/installations/${data.id}`)).data.scopes).toEqual(data.scopes)
  })

  test.each([
    ['company', aCompanyOf],
    ['syndicate', aSyndicateOf],
  ])(
    'makes the scope only requestable: a %s install has the scope only after the app is installed again',
    async (_, on) => {
      const app = await stage.app({ scopes: INSTALLING, approved: true })
      const api = await installer(stage, app, person)
      const target = await on(stage, person)
      const { data } = await api('POST', '/installations', target)
      await add(app, 'read:companies')
      const path = `/installations/${data.id}`
      expect((await api('POST', `${path}/tokens`)).token.scope).toBe(INSTALLING.join(' '))
      expect(refusalOf(await api('POST', `${path}/tokens`, { scopes: ['read:companies'] }))).toBe(
        '422 nothing_grantable',
      )
      await api('DELETE', path)
      expect((await api('POST', '/installations', target)).data.scopes).toContain('read:companies')
      expect((await consent(stage, app.key, person, { scope: 'read:companies' })).scope).toBe('read:companies')
    },
  )
})

describe('2. Removing', () => {
  test('takes effect immediately on the app and every key, in both worlds', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:explore', 'write:referral_codes'] })
    const keys = [app.key, await stage.keyOf(app, { world: 'live' })]
    const out = await Promise.all(
      keys.map(async (key) => [
        (await consent(stage, key, person, { scope: 'read:explore' })).access_token,
        (await clientCredentials(stage, key, 'write:referral_codes')).access_token,
      ]),
    )
    expect((await remove(app, 'read:explore', 'write:referral_codes')).status).toBe(200)
    for (const bearer of out.flat()) expect(await stage.scopesOf(bearer)).toBeNull()
    for (const key of keys) {
      expect(await refusedAtAuthorize(key, person, 'read:explore')).toBe('invalid_scope')
      expect((await clientCredentials(stage, key)).scope).toBe('read:public')
    }
  })

  test('takes the scope from every active installation, revokes tokens with it, and tokens without it keep working', async () => {
    const app = await stage.app({ scopes: ['read:companies', 'read:syndicates', ...INSTALLING], approved: true })
    const api = await installer(stage, app, person)
    const made = await api('POST', '/installations', await aSyndicateOf(stage, person))
    const path = `/installations/${made.data.id}`
    const mint = async (body: object) => (await api('POST', `${path}/tokens`, body)).token.access_token
    const permanent = await mint({ scopes: ['read:companies'], never_expires: true })
    const without = await mint({ scopes: ['read:syndicates'] })
    expect((await remove(app, 'read:companies')).data.attributes).toMatchObject({
      ...{ installs_narrowed: 1, installs_disconnected: 0, tokens_revoked: 2, refresh_tokens_revoked: 0 },
      endpoints_disabled: 0,
    })
    expect((await api('GET', path)).data).toMatchObject({
      status: 'active',
      scopes: [...INSTALLING, 'read:syndicates'],
    })
    expect(await stage.scopesOf(permanent)).toBeNull()
    expect(await stage.scopesOf(made.token.access_token)).toBeNull()
    expect(await stage.scopesOf(without)).toEqual(['read:syndicates'])
  })

  test('revokes an installation without remaining scopes, together with its tokens', async () => {
    const app = await stage.app({ scopes: ['read:companies', ...INSTALLING], approved: true })
    const api = await installer(stage, app, person)
    const target = { ...(await aCompanyOf(stage, person)), scopes: ['read:companies'] }
    const { data, token } = await api('POST', '/installations', target)
    const nothing = await api('POST', `/installations/${data.id}/tokens`, { scopes: [] })
    expect((await remove(app, 'read:companies')).data.attributes).toMatchObject({ installs_disconnected: 1 })
    expect((await api('GET', `/installations/${data.id}`)).data).toMatchObject({
      status: 'revoked',
      revoked_by: { role: 'partner' },
    })
    for (const bearer of [token.access_token, nothing.token.access_token]) {
      expect(await stage.scopesOf(bearer)).toBeNull()
    }
  })

  test('revokes an access token with its attached refresh token', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:explore'] })
    const [whole, other] = [
      await consent(stage, app.key, person, { scope: 'read:profile read:explore' }),
      await consent(stage, app.key, await stage.person(), { scope: 'read:profile' }),
    ]
    expect((await remove(app, 'read:explore')).data.attributes).toMatchObject({
      ...{ installs_narrowed: 1, tokens_revoked: 1, refresh_tokens_revoked: 1 },
    })
    expect(await stage.scopesOf(whole.access_token)).toBeNull()
    expect(await refresh(stage, app.key, whole)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await refresh(stage, app.key, other)).scope).toBe('read:profile')
  })

  test.each([
    ['read:companies', 'read:offerings', 'a retired name of the scope'],
    ['write:syndicates', 'read:syndicates', 'a scope that the removed scope included'],
    ['write:syndicates', 'write:syndicate_members', 'a scope that only the removed scope implied'],
  ])('%s revokes tokens whose scope is no longer in the app’s set: %s, %s', async (removed, carried) => {
    const app = await stage.app({ scopes: [removed, 'read:explore'] })
    const tokens = await consent(stage, app.key, person, { scope: carried })
    expect((await remove(app, removed)).data.attributes).toMatchObject({ installs_disconnected: 1, tokens_revoked: 1 })
    expect(await stage.scopesOf(tokens.access_token)).toBeNull()
    expect(await refresh(stage, app.key, tokens)).toMatchObject({ error: 'invalid_grant' })
    expect(await refusedAtAuthorize(app.key, person, carried)).toBe('invalid_scope')
  })

  test('also revokes a token of the app itself that was issued with all scopes, although read:public is left', async () => {
    const app = await stage.app({ scopes: ['read:referral_codes'] })
    const [all, some] = [
      await clientCredentials(stage, app.key),
      await clientCredentials(stage, app.key, 'read:public'),
    ]
    expect((await remove(app, 'read:referral_codes')).data.attributes).toMatchObject({ tokens_revoked: 1 })
    expect(await stage.scopesOf(all.access_token)).toBeNull()
    expect(await stage.scopesOf(some.access_token)).toEqual([])
  })

  test('leaves earlier authorization codes unable to give a token with the scope', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:explore'] })
    const url = authorizeUrl(app.key, { scope: 'read:explore' })
    await person.browser.open(url)
    const { location } = await person.browser.submit(url, { decision: 'connect', scope: 'read:explore' })
    await remove(app, 'read:explore')
    const code = new URL(String(location)).searchParams.get('code')
    expect(await redeem(stage, app.key, String(code))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('answers invalid_token to a token that had the scope, and insufficient_scope to the next token of the installation', async () => {
    const app = await stage.app({ scopes: ['read:companies', ...INSTALLING], approved: true })
    const api = await installer(stage, app, person)
    const { data, token } = await api('POST', '/installations', await aCompanyOf(stage, person))
    await remove(app, 'read:companies')
    expect(refusalOf(await stage.probe(token.access_token, 'read:companies'))).toBe('401 invalid_token')
    const next = await api('POST', `/installations/${data.id}/tokens`)
    expect(refusalOf(await stage.probe(next.token.access_token, 'read:companies'))).toBe('403 insufficient_scope')
  })
})

describe('3. A scope still implied by another declared scope', () => {
  test('cannot be removed alone: nothing changes, and still_implied in the response names the implying scope', async () => {
    const app = await stage.app({ scopes: ['read:syndicates', 'write:syndicates'] })
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:syndicates' })
    const answer = await remove(app, 'read:syndicates')
    expect(refusalOf(answer)).toBe('422 still_implied')
    expect(answer.error.details).toEqual({ still_implied: ['write:syndicates'] })
    expect(await declaredBy(app)).toEqual(['read:syndicates', 'write:syndicates'])
    expect((await stage.probe(access_token, 'read:syndicates')).status).toBe(200)
    expect((await remove(app, 'read:syndicates', 'write:syndicates')).status).toBe(200)
  })
})

describe('4. Removing a non-self-serve scope', () => {
  test('is allowed, but only the platform can add it back', async () => {
    const app = await stage.app()
    const scopes = ['write:companies']
    await stage.operator('POST', `/platform/apps/${app.id}/scopes`, { scopes })
    expect((await remove(app, 'write:companies')).data.attributes['removed']).toEqual(scopes)
    expect(refusalOf(await add(app, 'write:companies'))).toBe('422 invalid_scopes')
    await stage.operator('POST', `/platform/apps/${app.id}/scopes`, { scopes })
    expect(await declaredBy(app)).toEqual(scopes)
  })

  test('Removals never change approval state or investor-PII approval', async () => {
    const app = await stage.app({ scopes: ['read:companies', 'read:investors:pii'], approved: true })
    await stage.operator('POST', `/platform/apps/${app.id}/pii_approval`)
    const approvals = async () => {
      const { approved_at, pii, status } = (await stage.operator('GET', `/platform/apps/${app.id}`)).data.attributes
      return { approved_at, pii, status }
    }
    const before = await approvals()
    expect(before.approved_at).not.toBeNull()
    await remove(app, 'read:investors:pii', 'read:companies')
    expect(await approvals()).toEqual(before)
    await add(app, 'read:investors:pii')
    expect((await consent(stage, app.key, person, { scope: 'read:investors:pii' })).scope).toBe('read:investors:pii')
  })
})

describe('5. An app', () => {
  const deleteApp = ({ id, team }: App, name = 'Fieldbook CRM') =>
    team.owner.portal('DELETE', `/portal/api/apps/${id}`, { name })

  test.each([
    ['was approved', ({ id }: App) => stage.operator('POST', `/platform/apps/${id}/approve`)],
    ['issued a live token', async (app: App) => clientCredentials(stage, await stage.keyOf(app, { world: 'live' }))],
    ['was installed', async (app: App) => consent(stage, await stage.keyOf(app, { world: 'live' }), person)],
  ])('that %s can be disabled, but not deleted', async (_, happened) => {
    const app = await stage.app({ scopes: ['read:profile'] })
    await happened(app)
    expect((await deleteApp(app)).status).toBe(409)
    expect((await STOPS.disabled(app)).data.attributes['status']).toBe('disabled')
    expect((await deleteApp(app)).status).toBe(409)
  })

  test('without live tokens, installations or approval can be deleted, even if it has a sandbox token', async () => {
    const app = await stage.app()
    const { access_token } = await clientCredentials(stage, app.key)
    expect((await deleteApp(app)).status).toBe(204)
    expect(await stage.scopesOf(access_token)).toBeNull()
    expect(await clientCredentials(stage, app.key)).toMatchObject({ status: 401, error: 'invalid_client' })
  })

  test('with consents in the test world only can be deleted by its name, and the connections end with it', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const other = await stage.app({ scopes: ['read:profile'] })
    const [tokens, kept] = [await consent(stage, app.key, person), await consent(stage, other.key, person)]
    expect(refusalOf(await deleteApp(app, 'Fieldbook'))).toBe('422 validation_error')
    expect((await stage.probe(tokens.access_token, 'read:profile')).status).toBe(200)
    expect((await deleteApp(app)).status).toBe(204)
    expect(await stage.scopesOf(tokens.access_token)).toBeNull()
    expect(await refresh(stage, app.key, tokens)).toMatchObject({ status: 401, error: 'invalid_client' })
    expect((await person.browser.open(authorizeUrl(app.key))).status).toBe(400)
    expect((await stage.probe(kept.access_token, 'read:profile')).status).toBe(200)
    const { db } = stage.service
    const connections = 'select state, revoked_by_role from test.installations where app_id = $1'
    expect(await db.sql(connections, [app.id])).toEqual([{ state: 'revoked', revoked_by_role: 'partner' }])
    const eventsOfInstallations = `select name from test.events where installation_id in (
                    select id from test.installations where app_id = $1) order by id`
    expect(await db.sql(eventsOfInstallations, [app.id])).toContainEqual({ name: 'installation.revoked' })
    const history = await db.sql('select action from platform.audit_entries where subject = $1', [app.id])
    for (const action of ['installation.removal_due', 'app.deleted']) expect(history).toContainEqual({ action })
    expect((await person.browser.open('/settings/apps')).text).not.toContain(app.id)
    expect((await deleteApp(app)).status).toBe(404)
  })

  test('that is disabled loses all its tokens, and enabling does not restore them', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const tokens = await consent(stage, app.key, person)
    const own = await clientCredentials(stage, app.key)
    await STOPS.disabled(app)
    expect((await app.team.owner.portal('POST', `/portal/api/apps/${app.id}/enable`)).status).toBe(200)
    for (const { access_token } of [tokens, own]) expect(await stage.scopesOf(access_token)).toBeNull()
    expect(await refresh(stage, app.key, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
    const again = await consent(stage, app.key, person)
    expect((await stage.probe(again.access_token, 'read:profile')).status).toBe(200)
    expect(await stage.scopesOf(app.key.clientId)).toEqual([])
  })

  test('has keys whose redirect URI can be changed', async () => {
    const { id, team, key } = await stage.app({ scopes: ['read:profile'] })
    const moved = 'https://moved.example/callback'
    await team.owner.portal('PATCH', `/portal/api/apps/${id}/keys/${key.clientId}`, { redirect_uris: [moved] })
    expect((await person.browser.open(authorizeUrl(key, { redirect_uri: CALLBACK }))).status).toBe(400)
    expect((await person.browser.open(authorizeUrl(key, { redirect_uri: moved }))).status).toBe(200)
  })

  test('has keys whose client type can be changed: a public key has no secret, a confidential key gets a new secret', async () => {
    const { id, team, key } = await stage.app({ scopes: ['read:profile'] })
    const path = `/portal/api/apps/${id}/keys/${key.clientId}`
    await team.owner.portal('PATCH', path, { client_type: 'public' })
    expect(await clientCredentials(stage, key)).toMatchObject({ status: 401, error: 'invalid_client' })
    const asPublic = { ...key, secret: '' }
    expect((await consent(stage, asPublic, person)).scope).toBe('read:profile')
    const { client_secret } = await team.owner.portal('PATCH', path, { client_type: 'confidential' })
    expect(client_secret).not.toBe(key.secret)
    expect((await clientCredentials(stage, { ...key, secret: String(client_secret) })).status).toBe(200)
    expect(await clientCredentials(stage, key)).toMatchObject({ status: 401 })
  })
})
