import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizeUrl, consent, offeredOn } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer } from './installing.ts'
import { refusalOf } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** The specification's "Investor PII per install". Other tests check what records show without the scope. */

const PII = 'read:investors:pii'
const OTHERS = ['read:companies', ...INSTALLING]

let stage: Stage
/** A founder who is on no team. */
let founder: Person
beforeAll(async () => {
  stage = await openStage()
  founder = await stage.person()
})
afterAll(() => stage.close())

/** Creates an app that declares the scope and that any person may install. */
const anApp = () => stage.app({ scopes: [...OTHERS, PII], approved: true })

const approve = ({ id }: App) => stage.operator('POST', `/platform/apps/${id}/pii_approval`)
const withdraw = ({ id }: App) => stage.operator('DELETE', `/platform/apps/${id}/pii_approval`)

/** Installs the app, and returns the scopes that the record of the installation then shows. */
async function grantedScopes(app: App, person: Person, on = aCompanyOf): Promise<readonly string[]> {
  const api = await installer(stage, app, person)
  const { data } = await api('POST', '/installations', await on(stage, person))
  return (await api('GET', `/installations/${data.id}`)).data.scopes
}

describe('1. An installation has read:investors:pii only if the installer could grant the scope', () => {
  test('a declaration alone does not grant the scope', async () => {
    const app = await anApp()
    const { data } = await app.team.owner.portal('GET', `/portal/api/apps/${app.id}`)
    expect(data.attributes['scopes']).toContain(PII)
    expect(await grantedScopes(app, founder)).not.toContain(PII)
    const answer = await founder.browser.open(authorizeUrl(app.key, { scope: `read:companies ${PII}` }))
    expect(offeredOn(answer)).toEqual(['read:companies'])
    expect(answer.text).toContain('Investor names and emails: not granted')
  })

  test.each(['developer', 'admin', 'owner'] as const)(
    'an installer who manages the app’s organization as %s grants the scope without a review',
    async (role) => {
      const app = await anApp()
      const member = await stage.member(app.team, role)
      expect(await grantedScopes(app, member)).toContain(PII)
      const { access_token } = await consent(stage, app.key, member, { scope: PII })
      expect(await stage.scopesOf(access_token)).toEqual([PII])
    },
  )

  test('a person on the team of another organization counts as an outsider', async () => {
    const [app, other] = [await anApp(), await anApp()]
    expect(await grantedScopes(app, other.team.owner)).toEqual(OTHERS)
  })

  test('any installer grants the scope after the platform approved the request from the app’s portal page', async () => {
    const app = await anApp()
    const answer = await app.team.owner.portal('POST', `/portal/api/apps/${app.id}/pii_request`)
    expect(answer.data.attributes['pii']).toMatchObject({ requested_at: expect.any(String), approved_at: null })
    expect(await grantedScopes(app, founder)).not.toContain(PII)
    const waiting = await stage.operator('GET', '/platform/apps?open_requests=true')
    expect(waiting.list.map(({ id }) => id)).toContain(app.id)
    await approve(app)
    expect(await grantedScopes(app, founder)).toContain(PII)
    const { access_token } = await consent(stage, app.key, founder, { scope: PII })
    expect(await stage.scopesOf(access_token)).toEqual([PII])
  })
})

describe('2. Until approval', () => {
  test('installs by outsiders have every other scope but not read:investors:pii, as the installation’s scopes show', async () => {
    const app = await anApp()
    const api = await installer(stage, app, founder)
    const made = await api('POST', '/installations', await aCompanyOf(stage, founder))
    expect([made.status, made.data.scopes]).toEqual([201, OTHERS])
    expect((await api('GET', `/installations/${made.data.id}`)).data.scopes).toEqual(OTHERS)
    expect(await stage.scopesOf(made.token.access_token)).toEqual(OTHERS)
  })

  test('requesting the scope by name changes nothing, when installing and when minting a token', async () => {
    const app = await anApp()
    const api = await installer(stage, app, founder)
    const scopes = ['read:companies', PII]
    const { data } = await api('POST', '/installations', { ...(await aCompanyOf(stage, founder)), scopes })
    expect(data.scopes).toEqual(['read:companies'])
    const { token } = await api('POST', `/installations/${data.id}/tokens`, { scopes })
    expect(await stage.scopesOf(token.access_token)).toEqual(['read:companies'])
  })
})

describe('3. The grant is frozen at install time', () => {
  test('an install made before approval does not gain the scope, but a new install has the scope', async () => {
    const app = await anApp()
    const api = await installer(stage, app, founder)
    const target = await aCompanyOf(stage, founder)
    const { data } = await api('POST', '/installations', target)
    await approve(app)
    const path = `/installations/${data.id}`
    expect((await api('GET', path)).data.scopes).toEqual(OTHERS)
    expect(refusalOf(await api('POST', `${path}/tokens`, { scopes: [PII] }))).toBe('422 nothing_grantable')
    await api('DELETE', path)
    const again = await api('POST', '/installations', target)
    expect(again.data.scopes).toContain(PII)
    expect((await stage.probe(again.token.access_token, PII)).status).toBe(200)
  })

  test('a user’s connection does not gain the scope either, until the user consents again', async () => {
    const app = await anApp()
    const scope = `read:companies ${PII}`
    const before = await consent(stage, app.key, founder, { scope })
    await approve(app)
    expect(await stage.scopesOf(before.access_token)).toEqual(['read:companies'])
    expect((await consent(stage, app.key, founder, { scope })).scope).toBe(scope)
  })

  test('an install does not change when the person who made it leaves the team', async () => {
    const app = await anApp()
    const member = await stage.member(app.team, 'developer')
    const api = await installer(stage, app, member)
    const { data, token } = await api('POST', '/installations', await aCompanyOf(stage, member))
    const { organization, owner } = app.team
    await owner.portal('DELETE', `/portal/api/organizations/${organization}/members/${member.account}`)
    expect((await stage.probe(token.access_token, PII)).status).toBe(200)
    expect((await api('GET', `/installations/${data.id}`)).data.scopes).toContain(PII)
  })

  test('withdrawing the approval revokes the installations that need the approval, with the platform’s staff as the actor', async () => {
    const app = await anApp()
    await approve(app)
    const api = await installer(stage, app, founder)
    const { data, token } = await api('POST', '/installations', await aCompanyOf(stage, founder))
    await withdraw(app)
    expect(await stage.scopesOf(token.access_token)).toBeNull()
    expect((await api('GET', `/installations/${data.id}`)).data).toMatchObject({
      status: 'revoked',
      revoked_by: { role: 'wefunder' },
    })
    expect(await grantedScopes(app, founder)).toEqual(OTHERS)
  })

  test('syndicate installs are unaffected', async () => {
    const app = await anApp()
    expect(await grantedScopes(app, founder, aSyndicateOf)).toContain(PII)
    const api = await installer(stage, app, founder)
    await approve(app)
    const { token } = await api('POST', '/installations', await aSyndicateOf(stage, founder))
    await withdraw(app)
    expect((await stage.probe(token.access_token, PII)).status).toBe(200)
  })
})
