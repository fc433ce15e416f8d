import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizeUrl, callbackParams, clientCredentials, consent } from './flow.ts'
import { aCompanyOf, installer } from './installing.ts'
import { refusalOf } from './sender.ts'
import { type App, openStage, type Stage } from './stage.ts'

/** The specification's "Scope form and implications": what a token with one granted scope may call. */

/** Scopes that only the platform can add to an app. */
const BY_PLATFORM = [
  ...['write:companies', 'write:files', 'write:investments', 'write:contracts', 'write:perks'],
  ...['read:offerings', 'write:offerings', 'read:follows'],
]

let stage: Stage
/** An app with every scope that it can get. */
let app: App
/** The platform's own assistant server, with scopes that no partner has. */
let assistant: App
beforeAll(async () => {
  stage = await openStage()
  const team = await stage.team()
  const picker = (await team.owner.portal('GET', '/portal/api/scopes')).list.map(({ id }) => id)
  app = await stage.app({ team, scopes: picker })
  await stage.operator('POST', `/platform/apps/${app.id}/scopes`, { scopes: BY_PLATFORM })
  await stage.operator('POST', `/platform/apps/${app.id}/programs`, { program: 'marketing_partner', tier: 1 })
  await stage.operator('POST', `/platform/apps/${app.id}/programs`, { program: 'founder' })
  assistant = await stage.app({ team })
  for (const table of ['apps set revision = revision + 1,', 'app_keys set']) {
    const where = table.startsWith('apps') ? 'id' : 'app_id'
    await stage.service.db.sql(`update platform.${table} scopes = '{read:mcp}' where ${where} = $1`, [assistant.id])
  }
})
afterAll(() => stage.close())

/**
 * Returns the scopes that a user token with exactly this grant has, and checks that the grant itself is shown
 * unchanged.
 */
async function opened(scope: string, { key, team }: App = app): Promise<readonly string[] | null> {
  const tokens = await consent(stage, key, team.owner, { scope })
  expect(tokens.scope).toBe(scope)
  return stage.scopesOf(tokens.access_token)
}

describe('Scope form and implications', () => {
  test('1. a scope is action:resource, and the server uses only this form and rejects every other', async () => {
    const metadata = await fetch(`${stage.service.url}/.well-known/oauth-authorization-server`)
    const { scopes_supported } = (await metadata.json()) as { scopes_supported: string[] }
    for (const name of scopes_supported) expect(name).toMatch(/^(read|write):[a-z_]+(:[a-z]+)?$/)
    for (const scope of ['profile', 'read', 'profile:read', 'READ:PROFILE']) {
      expect(callbackParams(await app.team.owner.browser.open(authorizeUrl(app.key, { scope })))).toMatchObject({
        error: 'invalid_scope',
        error_description: expect.stringContaining('is not a scope'),
      })
    }
  })

  test.each(['webhooks', 'installations', 'invite_links', 'investment_sessions'])(
    '2. write:%s includes its read: counterpart',
    async (resource) => {
      expect(await opened(`write:${resource}`)).toEqual([`read:${resource}`, `write:${resource}`])
      expect(await opened(`read:${resource}`)).toEqual([`read:${resource}`])
    },
  )

  test.each(['companies', 'files', 'investments', 'contracts', 'perks'])(
    '2. write:%s, which the platform added, includes its read: counterpart',
    async (resource) => {
      expect(await opened(`write:${resource}`)).toEqual([`read:${resource}`, `write:${resource}`])
    },
  )

  test('2. write:profile includes read:profile, and through it the follows list', async () => {
    expect(await opened('write:profile')).toEqual(['read:profile', 'write:profile', 'read:profile:follows'])
  })

  test('2. write:referral_codes includes read:referral_codes, on the app’s own token', async () => {
    const { access_token } = await clientCredentials(stage, app.key, 'write:referral_codes')
    expect(await stage.scopesOf(access_token)).toEqual(['read:referral_codes', 'write:referral_codes'])
  })

  test('2. write:syndicates includes every read:syndicates endpoint', async () => {
    expect(await opened('write:syndicates')).toContain('read:syndicates')
    expect(await opened('read:syndicates')).toEqual(['read:syndicates'])
  })

  test('2. write:comments has no read counterpart and is write-only', async () => {
    expect(await opened('write:comments')).toEqual(['write:comments'])
    const url = authorizeUrl(app.key, { scope: 'read:comments' })
    expect(callbackParams(await app.team.owner.browser.open(url))['error']).toBe('invalid_scope')
  })

  test('3. read:attribution:full includes read:attribution:anonymized and read:attribution:aggregate', async () => {
    const scopes = ['read:attribution:full']
    const api = await installer(stage, app, app.team.owner)
    const target = await aCompanyOf(stage, app.team.owner)
    const { token } = await api('POST', '/installations', { ...target, scopes })
    expect(await stage.scopesOf(token.access_token)).toEqual([
      'read:attribution:aggregate',
      'read:attribution:anonymized',
      'read:attribution:full',
    ])
  })

  test('3. read:attribution:anonymized implies read:attribution:aggregate, but not the full rows', async () => {
    expect(await opened('read:attribution:anonymized')).toEqual([
      'read:attribution:aggregate',
      'read:attribution:anonymized',
    ])
    expect(await opened('read:attribution:aggregate')).toEqual(['read:attribution:aggregate'])
  })

  test('4. read:profile and write:follows each include read:profile:follows', async () => {
    expect(await opened('read:profile')).toEqual(['read:profile', 'read:profile:follows'])
    expect(await opened('write:follows')).toContain('read:profile:follows')
  })

  test('4. write:follows implies only the follows list, not read:profile', async () => {
    expect(await opened('write:follows')).toEqual(['read:profile:follows', 'write:follows'])
    const { access_token } = await consent(stage, app.key, app.team.owner, { scope: 'write:follows' })
    expect(refusalOf(await stage.probe(access_token, 'read:profile'))).toBe('403 insufficient_scope')
  })

  test('5. write:syndicates includes write:syndicate_members', async () => {
    expect(await opened('write:syndicates')).toEqual(['read:syndicates', 'write:syndicates', 'write:syndicate_members'])
    expect(await opened('write:syndicate_members')).toEqual(['write:syndicate_members'])
  })

  test('6. read:mcp implies read:explore, read:profile, read:syndicates and read:companies', async () => {
    const held = await opened('read:mcp', assistant)
    expect(new Set(held)).toEqual(
      new Set([
        'read:mcp',
        'read:explore',
        'read:profile',
        'read:profile:follows',
        'read:syndicates',
        'read:companies',
      ]),
    )
  })

  test('7. retired names keep working as aliases', async () => {
    expect(await opened('read:offerings')).toEqual(['read:companies', 'read:offerings'])
    expect(await opened('write:offerings')).toEqual(
      expect.arrayContaining(['read:companies', 'write:companies', 'write:offerings']),
    )
    expect(await opened('read:follows')).toEqual(['read:profile:follows', 'read:follows'])
  })

  test('the token response and the connection name only granted scopes, not implied scopes', async () => {
    const tokens = await consent(stage, app.key, app.team.owner, { scope: 'write:installations' })
    expect(tokens.scope).toBe('write:installations')
    const { list } = await stage.api(tokens.access_token)('GET', '/installations')
    expect(list[0]?.scopes).toEqual(['write:installations'])
  })
})
