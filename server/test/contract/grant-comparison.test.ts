import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import {
  authorizeUrl,
  callbackParams,
  clientCredentials,
  consent,
  offeredOn,
  refresh,
  refusedAtAuthorize,
} from './flow.ts'
import { refusalOf } from './sender.ts'
import { openStage, type Person, type Stage } from './stage.ts'

/** The specification's "Authentication: Grant comparison", column by column, then its rules. */

const REFERRAL = ['read:referral_codes', 'write:referral_codes']
const ATTRIBUTION = ['read:attribution:aggregate', 'read:attribution:anonymized', 'write:attribution']

let stage: Stage
let person: Person
let stranger: Person
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  stranger = await stage.person()
})
afterAll(() => stage.close())

const picker = async ({ portal }: Person) => (await portal('GET', '/portal/api/scopes')).list.map(({ id }) => id)

describe('Client credentials', () => {
  test('Token acts as the app', async () => {
    const { id, key } = await stage.app()
    const { access_token } = await clientCredentials(stage, key)
    expect(await stage.identityOf(access_token)).toMatchObject({ kind: 'client', app: id, user: null })
  })

  test('Scopes it can hold: read:public, and the referral-code scopes if declared', async () => {
    const [declaring, other] = [await stage.app({ scopes: ['read:profile', ...REFERRAL] }), await stage.app()]
    const { access_token, scope } = await clientCredentials(stage, declaring.key)
    expect(scope).toBe('read:public read:referral_codes write:referral_codes')
    expect(await stage.scopesOf(access_token)).toEqual(REFERRAL)
    expect((await clientCredentials(stage, other.key)).scope).toBe('read:public')
    expect(await clientCredentials(stage, other.key, 'read:referral_codes')).toMatchObject({ error: 'invalid_scope' })
  })

  test('read:public is granted implicitly to every app at creation', async () => {
    const { id, team, key } = await stage.app({ scopes: [] })
    expect((await team.owner.portal('GET', `/portal/api/apps/${id}`)).data.attributes['scopes']).toEqual([])
    expect(await stage.scopesOf((await clientCredentials(stage, key)).access_token)).toEqual([])
  })

  test('read:public is hidden from the portal picker, where it can be neither added nor removed', async () => {
    const { id, team } = await stage.app()
    expect(await picker(team.owner)).not.toContain('read:public')
    const change = { scopes: ['read:public'] }
    const path = `/portal/api/apps/${id}/scopes`
    expect(refusalOf(await team.owner.portal('POST', path, change))).toBe('422 invalid_scopes')
    expect(refusalOf(await team.owner.portal('POST', `${path}/remove`, change))).toBe('422 invalid_scopes')
  })

  test('User consent: none, so the token is issued without a person and has no refresh token', async () => {
    const { key } = await stage.app({ scopes: REFERRAL })
    const answer = await clientCredentials(stage, key)
    expect(answer.status).toBe(200)
    expect(answer).not.toHaveProperty('refresh_token')
  })

  test('Program-gated scopes: never, even after the program is granted', async () => {
    const { id, key } = await stage.app()
    await stage.operator('POST', `/platform/apps/${id}/programs`, { program: 'marketing_partner', tier: 1 })
    for (const scope of ATTRIBUTION) {
      expect(await clientCredentials(stage, key, scope)).toMatchObject({ status: 400, error: 'invalid_scope' })
    }
    expect((await clientCredentials(stage, key)).scope).toBe('read:public')
  })
})

describe('Authorization Code + PKCE', () => {
  test('Token acts as an authorizing user', async () => {
    const { key } = await stage.app({ scopes: ['read:profile'] })
    const [mine, theirs] = [await consent(stage, key, person), await consent(stage, key, stranger)]
    expect(await stage.identityOf(mine.access_token)).toMatchObject({ kind: 'user', user: person.user })
    expect(await stage.identityOf(theirs.access_token)).toMatchObject({ kind: 'user', user: stranger.user })
  })

  test('Scopes it can hold: any scope declared on the app except the referral-code scopes, plus read:public', async () => {
    const team = await stage.team()
    const scopes = await picker(team.owner)
    const { key } = await stage.app({ scopes, team })
    const wanted = ['read:public', ...scopes.filter((name) => !REFERRAL.includes(name))]
    const { access_token, scope } = await consent(stage, key, team.owner, { scope: wanted.join(' ') })
    expect(scope).toBe(wanted.join(' '))
    const held = await stage.scopesOf(access_token)
    expect(held?.filter((name) => name !== 'read:profile:follows')).toEqual(wanted.slice(1))
    for (const name of REFERRAL) expect(await refusedAtAuthorize(key, person, name)).toBe('invalid_scope')
  })

  test('Scope declared by: selected in the portal, then requested on the authorize URL', async () => {
    const { id, team, key } = await stage.app()
    expect(await refusedAtAuthorize(key, person, 'read:explore')).toBe('invalid_scope')
    await team.owner.portal('POST', `/portal/api/apps/${id}/scopes`, { scopes: ['read:explore'] })
    expect((await consent(stage, key, person, { scope: 'read:explore' })).scope).toBe('read:explore')
  })

  test('User consent: required each time, and without a decision there is no code', async () => {
    const { key } = await stage.app({ scopes: ['read:profile'] })
    await consent(stage, key, person)
    const again = await person.browser.open(authorizeUrl(key))
    expect([again.status, again.location]).toEqual([200, null])
  })

  test('User consent: the consent screen shows each scope', async () => {
    const scopes = ['read:explore', 'read:profile', 'write:comments', 'read:investments']
    const { key } = await stage.app({ scopes })
    const page = await person.browser.open(authorizeUrl(key, { scope: scopes.join(' ') }))
    expect(new Set(offeredOn(page))).toEqual(new Set(scopes))
  })

  test('User consent: the user can decline one scope or all', async () => {
    const { key } = await stage.app({ scopes: ['read:explore', 'read:profile'] })
    const scope = 'read:explore read:profile'
    const tokens = await consent(stage, key, person, { scope, on: ['read:explore'] })
    expect(tokens.scope).toBe('read:explore')
    expect(refusalOf(await stage.probe(tokens.access_token, 'read:profile'))).toBe('403 insufficient_scope')
    const url = authorizeUrl(key, { scope })
    for (const decided of [{ decision: 'connect' }, { decision: 'cancel', scope: 'read:explore' }]) {
      await person.browser.open(url)
      const answer = callbackParams(await person.browser.submit(url, decided))
      expect(answer).toMatchObject({ error: 'access_denied', state: 'st&te', iss: stage.service.url })
      expect(answer).not.toHaveProperty('code')
    }
  })

  test('Program-gated scopes: only after the access request is approved', async () => {
    const { id, team, key } = await stage.app()
    const wanted = { program: 'marketing_partner', tier: 1 }
    await team.owner.portal('POST', `/portal/api/apps/${id}/program_requests`, wanted)
    expect(await refusedAtAuthorize(key, person, 'read:attribution:anonymized')).toBe('invalid_scope')
    await stage.operator('POST', `/platform/apps/${id}/programs`, wanted)
    const { scope } = await consent(stage, key, person, { scope: ATTRIBUTION.join(' ') })
    expect(scope).toBe(ATTRIBUTION.join(' '))
    expect(await refusedAtAuthorize(key, person, 'read:attribution:full')).toBe('invalid_scope')
  })
})

describe('Rules', () => {
  test('1. any other scope with client credentials fails at the token endpoint', async () => {
    const team = await stage.team()
    const { key } = await stage.app({ scopes: await picker(team.owner), team })
    for (const name of SCOPE_NAMES.filter((one) => one !== 'read:public' && !REFERRAL.includes(one))) {
      expect(await clientCredentials(stage, key, name)).toMatchObject({ status: 400, error: 'invalid_scope' })
    }
    expect(await clientCredentials(stage, key, 'read:public read:profile')).toMatchObject({ error: 'invalid_scope' })
    expect(await clientCredentials(stage, key, 'write:referral_codes')).toMatchObject({ status: 200 })
  })

  test('2. a scope the app does not declare fails at the authorize step with invalid_scope', async () => {
    const { key } = await stage.app({ scopes: ['read:profile'] })
    const page = await person.browser.open(authorizeUrl(key, { scope: 'read:profile read:investments' }))
    expect(callbackParams(page)).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining('read:investments'),
      state: 'st&te',
    })
  })

  test('3. an app that requests no scope receives read:profile, whether the app declares read:profile or not', async () => {
    for (const scopes of [[], ['read:explore'], ['read:profile', 'read:explore']]) {
      const { key } = await stage.app({ scopes })
      for (const scope of [undefined, '']) {
        expect((await consent(stage, key, person, { scope })).scope).toBe('read:profile')
      }
    }
  })

  test('4. multiple scopes are space-separated, and the token response echoes the granted set', async () => {
    const { key } = await stage.app({ scopes: ['read:explore', 'read:profile', 'write:comments'] })
    const requested = { scope: 'write:comments read:profile read:explore', on: ['write:comments', 'read:explore'] }
    const tokens = await consent(stage, key, person, requested)
    expect(tokens.scope).toBe('read:explore write:comments')
    expect((await refresh(stage, key, tokens)).scope).toBe('read:explore write:comments')
    expect(await refusedAtAuthorize(key, person, 'read:profile,read:explore')).toBe('invalid_scope')
  })

  test('5. a token can only reach what the authorizing user can see or manage', async () => {
    const scope = 'read:installations write:installations'
    const { key } = await stage.app({ scopes: scope.split(' '), approved: true })
    const company = await stage.company({ founder: person })
    const [mine, theirs] = [
      stage.api((await consent(stage, key, person, { scope })).access_token),
      stage.api((await consent(stage, key, stranger, { scope })).access_token),
    ]
    const target = { target_type: 'company', target_id: company }
    expect(refusalOf(await theirs('POST', '/installations', target))).toBe('404 not_found')
    const { data } = await mine('POST', '/installations', target)
    const installationIds = async (api: typeof mine) => (await api('GET', '/installations')).list.map(({ id }) => id)
    expect(await installationIds(mine)).toContain(data.id)
    expect(await installationIds(theirs)).not.toContain(data.id)
    expect(refusalOf(await theirs('GET', `/installations/${data.id}`))).toBe('404 not_found')
    expect(refusalOf(await theirs('DELETE', `/installations/${data.id}`))).toBe('404 not_found')
    expect((await theirs('GET', '/installations/eligible')).list).toEqual([])
  })
})

describe('6. A new consent', () => {
  const LIST = 'read:installations'

  test('replaces the user’s earlier connection', async () => {
    const { key } = await stage.app({ scopes: ['read:profile', LIST] })
    await consent(stage, key, person, { scope: `read:profile ${LIST}` })
    const { access_token } = await consent(stage, key, person, { scope: LIST })
    const { list } = await stage.api(access_token)('GET', '/installations')
    expect(list).toHaveLength(2)
    expect(Object.fromEntries(list.map(({ status, scopes }) => [status, scopes]))).toEqual({
      active: [LIST],
      revoked: ['read:profile', LIST],
    })
  })

  test('lets tokens from the earlier consent have their old scopes until they expire', async () => {
    const { key } = await stage.app({ scopes: ['read:profile', 'read:explore'] })
    const before = await consent(stage, key, person, { scope: 'read:profile' })
    await consent(stage, key, person, { scope: 'read:explore' })
    expect(await stage.scopesOf(before.access_token)).toEqual(['read:profile', 'read:profile:follows'])
    expect(await refresh(stage, key, before)).toMatchObject({ status: 400, error: 'invalid_grant' })
    await stage.advanceClock('PT2H1M')
    expect(await stage.scopesOf(before.access_token)).toBeNull()
  })

  test('lets tokens from the earlier consent work until the user disconnects the app, which revokes all tokens', async () => {
    const { id, key } = await stage.app({ scopes: ['read:explore', 'write:profile'] })
    const before = await consent(stage, key, person, { scope: 'read:explore' })
    const after = await consent(stage, key, person, { scope: 'write:profile' })
    expect((await stage.probe(before.access_token, 'read:explore')).status).toBe(200)
    await stage.api(after.access_token)('DELETE', `/connected-apps/${id}`)
    expect(await stage.scopesOf(before.access_token)).toBeNull()
    expect(await stage.scopesOf(after.access_token)).toBeNull()
  })

  test('ends tokens minted on the connection that it replaces, because they belong to the installation, not to a consent', async () => {
    const { key } = await stage.app({ scopes: ['read:profile', 'write:installations'] })
    const before = await consent(stage, key, person, { scope: 'read:profile write:installations' })
    const api = stage.api(before.access_token)
    const { list } = await api('GET', '/installations')
    const { token } = await api('POST', `/installations/${list[0]?.id}/tokens`)
    expect((await stage.probe(token.access_token, 'read:profile')).status).toBe(200)
    await consent(stage, key, person, { scope: 'read:profile' })
    expect(await stage.scopesOf(token.access_token)).toBeNull()
    expect((await api('GET', '/installations')).status).toBe(200)
  })

  test('with the same scopes keeps the connection, and both tokens work', async () => {
    const { key } = await stage.app({ scopes: ['read:profile', LIST] })
    const [first, second] = [
      await consent(stage, key, person, { scope: LIST }),
      await consent(stage, key, person, { scope: LIST }),
    ]
    for (const tokens of [first, second]) {
      expect((await stage.api(tokens.access_token)('GET', '/installations')).list).toHaveLength(1)
      expect((await refresh(stage, key, tokens)).status).toBe(200)
    }
  })
})
