import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientCredentials, consent, refusedAtAuthorize } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer } from './installing.ts'
import { refusalOf } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/**
 * The specification's "Scope catalog": scopes that every app has, scopes that developers select, and which tokens have
 * them.
 */

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

/** Installs the app on a new company as its founder, and returns the response. */
async function onCompany(app: App, asked: { readonly scopes?: readonly string[]; readonly tier?: string } = {}) {
  const api = await installer(stage, app, person)
  return api('POST', '/installations', { ...(await aCompanyOf(stage, person)), ...asked })
}

describe('Public (every app)', () => {
  test('read:public is on the key of every app and on each kind of token', async () => {
    const app = await stage.app({ scopes: INSTALLING, approved: true })
    const { token } = await onCompany(app, { scopes: ['read:public'] })
    const bearers = [
      app.key.clientId,
      (await clientCredentials(stage, app.key)).access_token,
      (await consent(stage, app.key, person, { scope: 'read:public' })).access_token,
      token.access_token,
    ]
    for (const bearer of bearers) expect(await stage.scopesOf(bearer)).toEqual([])
    for (const bearer of bearers) expect((await stage.probe(bearer, 'read:public')).status).toBe(200)
  })
})

const SELF_SERVE = [
  'read:explore',
  ...['read:profile', 'write:profile', 'write:follows', 'write:comments'],
  ...['read:investments', 'read:companies'],
  ...['read:webhooks', 'write:webhooks', 'read:referral_codes', 'write:referral_codes'],
  ...[...INSTALLING, 'read:investors:pii'],
  ...['read:syndicates', 'write:syndicates', 'read:invite_links', 'write:invite_links'],
  ...['read:investment_sessions', 'write:investment_sessions', 'write:syndicate_members'],
]

describe('Self-serve (selectable in the portal)', () => {
  test('the picker lists the deal catalog first, then each write: directly under its read:', async () => {
    const { list } = await person.portal('GET', '/portal/api/scopes')
    expect(list.map(({ id }) => id)).toEqual(SELF_SERVE)
  })

  test.each(SELF_SERVE)('%s can be selected, with the app or later', async (scope) => {
    const app = await stage.app({ scopes: [scope], team: some.team })
    const { data } = await app.team.owner.portal('GET', `/portal/api/apps/${app.id}`)
    expect(data.attributes['scopes']).toEqual([scope])
    expect(await added(some, scope)).toBe('added')
  })

  test('write:profile revokes connected apps; read:profile does not', async () => {
    const app = await stage.app({ scopes: ['write:profile', 'read:explore'] })
    const [other, theirs] = [await stage.app({ scopes: ['read:explore'] }), await stage.person()]
    const connected = await consent(stage, other.key, person, { scope: 'read:explore' })
    const foreign = await consent(stage, other.key, theirs, { scope: 'read:explore' })
    const path = `/connected-apps/${other.id}`
    const reading = await consent(stage, app.key, person, { scope: 'read:profile' })
    expect(refusalOf(await stage.api(reading.access_token)('DELETE', path))).toBe('403 insufficient_scope')
    const writing = await consent(stage, app.key, person, { scope: 'write:profile' })
    expect(await stage.api(writing.access_token)('DELETE', path)).toMatchObject({ data: { revoked: true } })
    expect(await stage.scopesOf(connected.access_token)).toBeNull()
    expect(await stage.scopesOf(foreign.access_token)).toEqual(['read:explore'])
  })

  test('write:follows does not show profile or email', async () => {
    const { key } = await stage.app({ scopes: ['write:follows'] })
    const { access_token } = await consent(stage, key, person, { scope: 'write:follows' })
    expect(await stage.scopesOf(access_token)).toEqual(['read:profile:follows', 'write:follows'])
    expect(await refusedAtAuthorize(key, person, 'read:profile')).toBe('invalid_scope')
  })

  test('referral codes: only the app’s server key has the scopes', async () => {
    const referral = ['read:referral_codes', 'write:referral_codes']
    const app = await stage.app({ scopes: [...INSTALLING, ...referral], approved: true })
    expect(await stage.scopesOf((await clientCredentials(stage, app.key)).access_token)).toEqual(referral)
    const { data, token } = await onCompany(app)
    expect(data.scopes).toEqual(INSTALLING)
    expect(await stage.scopesOf(token.access_token)).toEqual(INSTALLING)
    const publicKey = await stage.keyOf(app, { clientType: 'public' })
    expect(await clientCredentials(stage, publicKey)).toMatchObject({ status: 400, error: 'unauthorized_client' })
  })

  test('referral codes: a user token is rejected', async () => {
    const { key } = await stage.app({ scopes: ['write:referral_codes', 'read:profile'] })
    for (const scope of ['read:referral_codes', 'write:referral_codes']) {
      expect(await refusedAtAuthorize(key, person, scope)).toBe('invalid_scope')
      const { access_token } = await consent(stage, key, person)
      expect(refusalOf(await stage.probe(access_token, scope))).toBe('403 insufficient_scope')
    }
  })

  test('read:installations shows where the app is installed, which is not readable without it', async () => {
    const app = await stage.app({ scopes: [...INSTALLING, 'read:profile'], approved: true })
    const { data } = await onCompany(app)
    const reading = await consent(stage, app.key, person, { scope: 'read:installations' })
    const { list } = await stage.api(reading.access_token)('GET', '/installations')
    expect(list.map(({ id }) => id)).toContain(data.id)
    const body = { target_type: 'company', target_id: data.id }
    expect(refusalOf(await stage.api(reading.access_token)('POST', '/installations', body))).toBe(
      '403 insufficient_scope',
    )
    const { access_token } = await consent(stage, app.key, person, { scope: 'read:profile' })
    expect(refusalOf(await stage.api(access_token)('GET', '/installations'))).toBe('403 insufficient_scope')
  })

  test('write:installations allows installing only on companies or syndicates that the user can edit', async () => {
    const { key } = await stage.app({ scopes: INSTALLING, approved: true })
    const { access_token } = await consent(stage, key, person, { scope: 'write:installations' })
    const install = (target_type: string, target_id: string) =>
      stage.api(access_token)('POST', '/installations', { target_type, target_id })
    for (const role of ['founder', 'admin', 'editor']) {
      const made = await install('company', await stage.company({ [role]: person }))
      // An editor cannot grant write scopes.
      const scopes = role === 'editor' ? ['read:installations'] : INSTALLING
      expect(made.data).toMatchObject({ tier: role, scopes })
    }
    const made = await install('syndicate', await stage.syndicate(person))
    expect(made.data).toMatchObject({ tier: 'manager', scopes: INSTALLING })
    const [staffed, strange] = [await stage.company({ employee: person }), await stage.company()]
    expect(refusalOf(await install('company', staffed))).toBe('403 forbidden')
    expect(refusalOf(await install('company', strange))).toBe('404 not_found')
    expect(refusalOf(await install('syndicate', await stage.syndicate(await stage.person())))).toBe('404 not_found')
  })

  test('the scopes of invite links and hosted sessions can be granted to an installation on a company or syndicate', async () => {
    const wanted = ['write:invite_links', 'write:investment_sessions', 'write:syndicate_members']
    const app = await stage.app({ scopes: [...INSTALLING, ...wanted], approved: true })
    const company = await onCompany(app, { scopes: wanted.slice(0, 2) })
    const held = ['invite_links', 'investment_sessions'].flatMap((name) => [`read:${name}`, `write:${name}`])
    expect(await stage.scopesOf(company.token.access_token)).toEqual(held)
    const api = await installer(stage, app, person)
    const target = await aSyndicateOf(stage, person)
    const syndicate = await api('POST', '/installations', { ...target, scopes: wanted })
    expect(await stage.scopesOf(syndicate.token.access_token)).toEqual([...held, 'write:syndicate_members'])
  })
})
