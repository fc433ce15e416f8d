import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizeUrl, clientCredentials, consent, offeredOn, refusedAtAuthorize } from './flow.ts'
import { aCompanyOf, INSTALLING, installer } from './installing.ts'
import { refusalOf } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** The rest of the specification's "Scope catalog": scopes that the picker does not show, and scopes that no app can have. */

let stage: Stage
let person: Person
/** An app for tests that only try to add a scope. */
let some: App
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  some = await stage.app()
})
afterAll(() => stage.close())

/** Returns the portal's response to adding this scope. */
async function added({ id, team }: App, scope: string): Promise<string> {
  const answer = await team.owner.portal('POST', `/portal/api/apps/${id}/scopes`, { scopes: [scope] })
  return answer.status === 200 ? 'added' : refusalOf(answer)
}

/** Returns the platform's response to adding this scope. */
async function addedByPlatform({ id }: App, scope: string): Promise<string> {
  const send = stage.api(stage.service.operatorKeys.live)
  const answer = await send('POST', `/platform/apps/${id}/scopes`, { scopes: [scope] })
  return answer.status === 200 ? 'added' : refusalOf(answer)
}

/** Installs the app on a new company as its founder, and returns the response. */
async function onCompany(app: App, consentPage: { readonly scopes?: readonly string[]; readonly tier?: string } = {}) {
  const api = await installer(stage, app, person)
  return api('POST', '/installations', { ...(await aCompanyOf(stage, person)), ...consentPage })
}

const picker = async () => (await person.portal('GET', '/portal/api/scopes')).list.map(({ id }) => id)

const NOT_YET = [
  ...['write:investments', 'read:contracts', 'write:contracts', 'read:perks', 'write:perks', 'read:tax_documents'],
]

describe('Declared, not yet selectable', () => {
  test.each(NOT_YET)('%s cannot be selected', async (scope) => {
    expect(await added(some, scope)).toBe('422 invalid_scopes')
  })

  test.each(NOT_YET)('%s on an authorize URL fails unless the app already has it', async (scope) => {
    const app = await stage.app({ scopes: ['read:investments'], team: some.team })
    expect(await refusedAtAuthorize(app.key, person, scope)).toBe('invalid_scope')
    expect(await addedByPlatform(app, scope)).toBe('added')
    expect((await consent(stage, app.key, person, { scope })).scope).toBe(scope)
  })

  test('an app that has such a scope keeps the scope when other scopes are added or removed', async () => {
    const app = await stage.app({ scopes: ['read:explore'] })
    await addedByPlatform(app, 'read:perks')
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:perks' })
    await added(app, 'read:profile')
    const { portal } = app.team.owner
    await portal('POST', `/portal/api/apps/${app.id}/scopes/remove`, { scopes: ['read:explore'] })
    expect(await stage.scopesOf(access_token)).toEqual(['read:perks'])
    expect(await refusedAtAuthorize(app.key, person, 'read:perks')).toBe('asked')
  })

  test('read:tax_documents is sensitive on the consent screen', async () => {
    const app = await stage.app({ scopes: ['read:explore'] })
    await addedByPlatform(app, 'read:tax_documents')
    const scope = 'read:tax_documents read:explore'
    const page = await person.browser.open(authorizeUrl(app.key, { scope }))
    expect(offeredOn(page)).toHaveLength(2)
    expect(page.text.match(/>Sensitive</g)).toHaveLength(1)
    expect(page.text).toContain('tax number')
  })
})

describe('Available, not selectable', () => {
  test.each(['write:companies', 'read:files', 'write:files'])(
    '%s can be added to one app by the platform',
    async (scope) => {
      const [app, other] = [await stage.app(), await stage.app()]
      expect(await added(app, scope)).toBe('422 invalid_scopes')
      expect(await addedByPlatform(app, scope)).toBe('added')
      expect((await consent(stage, app.key, person, { scope })).scope).toBe(scope)
      expect(await refusedAtAuthorize(other.key, person, scope)).toBe('invalid_scope')
    },
  )

  test('read:investors:contacts is not available to partner apps by portal, platform or authorize URL', async () => {
    const app = await stage.app({ scopes: await picker() })
    expect(await added(app, 'read:investors:contacts')).toBe('422 invalid_scopes')
    expect(await addedByPlatform(app, 'read:investors:contacts')).toBe('422 invalid_scopes')
    expect(await refusedAtAuthorize(app.key, person, 'read:investors:contacts')).toBe('invalid_scope')
  })

  test('an app gets read:profile:follows through read:profile or write:follows', async () => {
    const scope = 'read:profile:follows'
    for (const declared of ['read:profile', 'write:follows']) {
      const { key } = await stage.app({ scopes: [declared] })
      const { access_token } = await consent(stage, key, person, { scope: declared })
      expect(await stage.scopesOf(access_token)).toContain(scope)
      expect(await refusedAtAuthorize(key, person, scope)).toBe('invalid_scope')
      expect(await refusedAtAuthorize(key, person, 'read:follows')).toBe('invalid_scope')
    }
    const app = await stage.app({ scopes: ['read:explore'] })
    expect(await added(app, scope)).toBe('422 invalid_scopes')
    expect(await addedByPlatform(app, scope)).toBe('422 invalid_scopes')
    expect(await refusedAtAuthorize(app.key, person, scope)).toBe('invalid_scope')
  })
})

describe('Program-gated (access program, not the picker)', () => {
  const grant = ({ id }: App, program: string, tier?: number) =>
    stage.operator('POST', `/platform/apps/${id}/programs`, { program, ...(tier === undefined ? {} : { tier }) })

  test.each([
    'read:attribution:aggregate',
    'read:attribution:anonymized',
    'read:attribution:full',
    'write:attribution',
  ])('only its program gives %s', async (scope) => {
    const app = some
    expect(await added(app, scope)).toBe('422 invalid_scopes')
    expect(await addedByPlatform(app, scope)).toBe('422 invalid_scopes')
    expect(await refusedAtAuthorize(app.key, person, scope)).toBe('invalid_scope')
  })

  test('marketing partners get the aggregate (tier 0) or anonymized rows (tier 1), founders get the full rows', async () => {
    const declared = async (program: string, tier?: number) =>
      (await grant(await stage.app(), program, tier)).data.attributes['scopes']
    expect(await declared('marketing_partner', 0)).toEqual(['read:attribution:aggregate', 'write:attribution'])
    expect(await declared('marketing_partner', 1)).toEqual([
      ...['read:attribution:aggregate', 'read:attribution:anonymized', 'write:attribution'],
    ])
    expect(await declared('founder')).toEqual(['read:attribution:full'])
  })

  test('read:attribution:anonymized can be granted on a company installation', async () => {
    const app = await stage.app({ scopes: INSTALLING, approved: true })
    await grant(app, 'marketing_partner', 1)
    const { data, token } = await onCompany(app)
    expect(data.scopes).toContain('read:attribution:anonymized')
    expect((await stage.probe(token.access_token, 'read:attribution:aggregate')).status).toBe(200)
    expect(refusalOf(await stage.probe(token.access_token, 'read:attribution:full'))).toBe('403 insufficient_scope')
  })

  test('read:attribution:full can be granted only on a founder-tier installation that lists it', async () => {
    const app = await stage.app({ scopes: INSTALLING, approved: true })
    await grant(app, 'founder')
    const scopes = ['read:installations', 'read:attribution:full']
    expect((await onCompany(app, { scopes })).data).toMatchObject({ tier: 'founder', scopes })
    expect((await onCompany(app)).data.scopes).toEqual(INSTALLING)
    expect((await onCompany(app, { scopes, tier: 'admin' })).data.scopes).toEqual(['read:installations'])
  })

  test('read:attribution:full gives invalid_scope until the founder program is approved, and then can be granted', async () => {
    const app = await stage.app({ scopes: INSTALLING, approved: true })
    const scope = 'read:attribution:full'
    expect(await refusedAtAuthorize(app.key, person, scope)).toBe('invalid_scope')
    await grant(app, 'founder')
    const consentPage = await person.browser.open(authorizeUrl(app.key, { scope: `read:installations ${scope}` }))
    expect(new Set(offeredOn(consentPage))).toEqual(new Set(['read:installations', scope]))
    expect((await consent(stage, app.key, person, { scope })).scope).toBe(scope)
  })

  test('write:attribution authorizes nothing today', async () => {
    const app = await stage.app()
    await grant(app, 'marketing_partner', 0)
    const { access_token } = await consent(stage, app.key, person, { scope: 'write:attribution' })
    expect(await stage.scopesOf(access_token)).toEqual(['write:attribution'])
  })
})

describe('Retired scopes', () => {
  test.each([
    ['read:offerings', ['read:companies', 'read:offerings']],
    ['write:offerings', ['read:companies', 'write:companies', 'write:offerings']],
  ])('1. a token, install or app holding %s is treated as holding the companies scope', async (scope, held) => {
    const app = await stage.app({ scopes: INSTALLING, approved: true })
    expect(await addedByPlatform(app, scope)).toBe('added')
    const { access_token } = await consent(stage, app.key, person, { scope })
    expect(new Set(await stage.scopesOf(access_token))).toEqual(new Set(held))
    const { data, token } = await onCompany(app, { scopes: [scope] })
    expect(data.scopes).toEqual([scope])
    expect(new Set(await stage.scopesOf(token.access_token))).toEqual(new Set(held))
    const replacement = scope.replace('offerings', 'companies')
    expect((await consent(stage, app.key, person, { scope: replacement })).scope).toBe(replacement)
  })

  test('1. an app that declares the replacement may still request the retired name', async () => {
    const { key } = await stage.app({ scopes: ['read:companies'] })
    const { access_token, scope } = await consent(stage, key, person, { scope: 'read:offerings' })
    expect(scope).toBe('read:offerings')
    expect((await stage.probe(access_token, 'read:companies')).status).toBe(200)
  })

  test.each(['read:offerings', 'write:offerings', 'read:follows'])(
    '1., 2. new apps cannot select %s',
    async (scope) => {
      const { organization, owner } = some.team
      const { data } = await owner.portal('GET', '/portal/api/usage_conditions')
      const body = { organization_id: organization, name: 'New', accepted_conditions: data['version'], scopes: [scope] }
      expect(refusalOf(await owner.portal('POST', '/portal/api/apps', body))).toBe('422 invalid_scopes')
      expect(await added(some, scope)).toBe('422 invalid_scopes')
    },
  )

  test('1. there is no deadline: an app that requests a retired scope a year later gets the scope', async () => {
    const app = await stage.app({ scopes: INSTALLING })
    await addedByPlatform(app, 'read:offerings')
    await consent(stage, app.key, person, { scope: 'read:offerings' })
    await stage.advanceClock('P365D')
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:offerings' })
    expect((await stage.probe(access_token, 'read:companies')).status).toBe(200)
  })

  test('2. a token with read:follows lists follows and has no other access', async () => {
    const app = await stage.app()
    await addedByPlatform(app, 'read:follows')
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:follows' })
    expect(await stage.scopesOf(access_token)).toEqual(['read:profile:follows', 'read:follows'])
    expect(await refusedAtAuthorize(app.key, person, 'read:profile')).toBe('invalid_scope')
  })
})

describe('Reserved', () => {
  test.each(['read:mcp', 'admin:read', 'admin:write', 'admin:attribution'])(
    'no app can get %s by portal, platform, authorize URL, client credentials or installing',
    async (scope) => {
      const app = await stage.app({ scopes: await picker(), approved: true })
      expect(await added(app, scope)).toBe('422 invalid_scopes')
      expect(await addedByPlatform(app, scope)).toBe('422 invalid_scopes')
      expect(await refusedAtAuthorize(app.key, person, scope)).toBe('invalid_scope')
      expect(await clientCredentials(stage, app.key, scope)).toMatchObject({ error: 'invalid_scope' })
      expect(refusalOf(await onCompany(app, { scopes: [scope] }))).toBe('422 nothing_grantable')
    },
  )
})
