import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationRole } from '#access/organizations/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { aKey, anApp } from '#test/apps.ts'
import { CONDITIONS_VERSION } from './index.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { aStranger, aTeam, type Team } from './testing/team.ts'
import { aToken, works } from './testing/token.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const ROOT = '/portal/api/apps'
const fieldsOf = ({ details }: { details?: object }) => (details as { fields: readonly object[] }).fields
const auditOf = (subject: string) =>
  service.db.sql<{ action: string; actor: string; details: object }>(
    'select action, actor, details from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
const newApp = ({ organization }: Team, more: object = {}) => ({
  organization_id: organization,
  name: 'Deal Desk',
  accepted_conditions: CONDITIONS_VERSION,
  ...more,
})
const appOf = ({ organization }: Team, more: Parameters<typeof anApp>[1] = {}) =>
  anApp(service.db, { organization, ...more })

describe('POST /portal/api/apps', () => {
  test('201: the app is active, has no keys and is pinned to the newest version; it records who accepted which conditions', async () => {
    const team = await aTeam(service)
    const { send, account } = team.developer
    const scopes = ['write:follows', 'read:explore']
    const { status, data } = await send('POST', ROOT, newApp(team, { scopes, website_url: 'https://a.example' }))
    expect(status).toBe(201)
    expect(data).toMatchObject({
      type: 'app',
      attributes: {
        name: 'Deal Desk',
        description: null,
        website_url: 'https://a.example',
        status: 'active',
        organization: { id: team.organization, name: 'Partner', status: 'active' },
        scopes: ['read:explore', 'write:follows'],
        api_version: '2026-11-01',
        approved_at: null,
        pii: { requested_at: null, approved_at: null },
        programs: [],
        conditions: {
          version: CONDITIONS_VERSION,
          url: `/conditions/${CONDITIONS_VERSION}`,
          accepted_by: account,
          accepted_at: expect.any(String),
        },
        deletable: true,
      },
    })
    expect((await send('GET', `${ROOT}/${data.id}`)).data).toEqual(data)
    expect((await send('GET', `${ROOT}/${data.id}/keys`)).list).toEqual([])
    expect(await auditOf(data.id)).toMatchObject([
      { action: 'app.created', actor: account, details: { conditions: CONDITIONS_VERSION } },
    ])
  })

  test.each([[undefined], ['2020-01-01'], [true]])('422 if accepted_conditions is %j', async (accepted) => {
    const team = await aTeam(service)
    const response = await team.owner.send('POST', ROOT, newApp(team, { accepted_conditions: accepted }))
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'accepted_conditions' }]])
    expect((await team.owner.send('GET', ROOT)).list).toEqual([])
  })

  test.each([
    ['read:public'],
    ['write:companies'],
    ['read:attribution:full'],
    ['read:offerings'],
    ['admin:read'],
    ['x'],
  ])('422 invalid_scopes for %s, which teams cannot select', async (scope) => {
    const team = await aTeam(service)
    const response = await team.owner.send('POST', ROOT, newApp(team, { scopes: ['read:explore', scope] }))
    expect(response).toMatchObject({ status: 422, error: { type: 'invalid_scopes', details: { scopes: [scope] } } })
  })

  test.each([
    ['name', ' padded'],
    ['name', 'x'.repeat(81)],
    ['name', 'right\u202eleft'],
    ['description', ''],
    ['description', 'x'.repeat(1_001)],
    ['website_url', 'javascript:alert(1)'],
    ['logo_url', 'https://a.example/logo.png'],
    ['name', 'Wefunder'],
    ['name', 'we.funder support'],
    ['setup_url', 'http://a.example/setup'],
    ['colour', 'red'],
  ])('422 for %s %j', async (field, value) => {
    const team = await aTeam(service)
    const response = await team.owner.send('POST', ROOT, newApp(team, { [field]: value }))
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field }]])
  })

  test('404 for a stranger; 401 when signed out; 409 if the platform ended the organization', async () => {
    const team = await aTeam(service)
    expect((await (await aStranger(service))('POST', ROOT, newApp(team))).status).toBe(404)
    expect((await (await service.as(null))('POST', ROOT, newApp(team))).status).toBe(401)
    await service.operator()('POST', `/platform/organizations/${team.organization}/end`, { reason: 'Scraping.' })
    expect(await team.owner.send('POST', ROOT, newApp(team))).toMatchObject({
      status: 409,
      error: { details: { from: 'ended', event: 'create_app' } },
    })
  })
})

describe('GET /portal/api/apps', () => {
  test('200: the apps of the caller’s organization, page by page, and of no other organization', async () => {
    const [mine, other] = [await aTeam(service), await aTeam(service)]
    await appOf(other)
    const apps = [await appOf(mine), await appOf(mine), await appOf(mine)].toSorted()
    const { send } = mine.developer
    const first = await send('GET', `${ROOT}?per_page=2`)
    expect(first.list.map(({ id }) => id)).toEqual(apps.slice(0, 2))
    expect(first.meta).toMatchObject({ has_more: true, page_count: 2 })
    const rest = await send('GET', `${ROOT}?per_page=2&cursor=${String(first.meta?.['next_cursor'])}`)
    expect(rest.list.map(({ id }) => id)).toEqual(apps.slice(2))
    expect(rest.meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('200: the apps of one organization, and none of another person’s organization; 400 for an unknown cursor', async () => {
    const [mine, other] = [await aTeam(service), await aTeam(service)]
    const [app] = [await appOf(mine), await appOf(other)]
    const { send } = mine.owner
    const of = async (organization: string) => (await send('GET', `${ROOT}?organization_id=${organization}`)).list
    expect((await of(mine.organization)).map(({ id }) => id)).toEqual([app])
    expect(await of(other.organization)).toEqual([])
    expect((await send('GET', `${ROOT}?cursor=made-up`)).status).toBe(400)
  })
})

describe('PATCH /portal/api/apps/{id}', () => {
  test('200: changes only the sent fields, and audits the changes', async () => {
    const team = await aTeam(service)
    const app = await appOf(team, { description: 'Before', websiteUrl: 'https://a.example' })
    const { data } = await team.developer.send('PATCH', `${ROOT}/${app}`, {
      name: 'Deal Desk 2',
      website_url: null,
      setup_url: 'http://localhost:3000/setup',
    })
    expect(data.attributes).toMatchObject({
      name: 'Deal Desk 2',
      description: 'Before',
      website_url: null,
      setup_url: 'http://localhost:3000/setup',
    })
    await team.developer.send('PATCH', `${ROOT}/${app}`, { name: 'Deal Desk 2' })
    expect(await auditOf(app)).toEqual([
      {
        action: 'app.updated',
        actor: team.developer.account,
        details: { name: 'Deal Desk 2', website_url: null, setup_url: 'http://localhost:3000/setup' },
      },
    ])
  })

  test('200: pins app and keys to another known version, and back', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const { clientId } = await aKey(service.db, app)
    for (const version of ['2025-01-15', '2026-11-01']) {
      const { data } = await team.owner.send('PATCH', `${ROOT}/${app}`, { api_version: version })
      const [key] = await service.db.sql('select api_version from platform.app_keys where id = $1', [clientId])
      expect([data.attributes['api_version'], key]).toEqual([version, { api_version: version }])
    }
  })

  test('422 for an unknown version and for a bad address', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    for (const change of [{ api_version: '2024-01-01' }, { website_url: '/x' }, { name: null }]) {
      expect((await team.owner.send('PATCH', `${ROOT}/${app}`, change)).status).toBe(422)
    }
  })

  test('422 for the platform’s own name; the app’s name does not change', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const response = await team.owner.send('PATCH', `${ROOT}/${app}`, { name: 'Wefunder Official' })
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'name', code: 'reserved' }]])
    expect((await team.owner.send('GET', `${ROOT}/${app}`)).data.attributes['name']).toBe('Deal Desk')
  })

  test('404 for a stranger, as for an unknown app', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const send = await aStranger(service)
    const theirs = await send('PATCH', `${ROOT}/${app}`, { name: 'Mine' })
    const missing = await send('PATCH', `${ROOT}/${newId('app')}`, { name: 'Mine' })
    const { request_id: _, ...missingError } = missing.error
    expect([theirs.status, theirs.error]).toMatchObject([404, missingError])
    expect((await send('GET', `${ROOT}/${app}`)).status).toBe(404)
  })
})

describe('an organization may have 100 apps', () => {
  test('disabled apps do not count; enabling an app is rejected if 100 other apps are active', async () => {
    const team = await aTeam(service)
    const { send } = team.admin
    const first = await appOf(team)
    for (let n = 1; n < 100; n += 1) await appOf(team)
    expect(await send('POST', ROOT, newApp(team))).toMatchObject({ status: 403, error: { type: 'forbidden' } })
    expect((await send('POST', `${ROOT}/${first}/disable`)).status).toBe(200)
    expect((await send('POST', ROOT, newApp(team))).status).toBe(201)
    expect(await send('POST', `${ROOT}/${first}/enable`)).toMatchObject({ status: 403, error: { type: 'forbidden' } })
  })
})

describe('POST /portal/api/apps/{id}/disable and …/enable', () => {
  test('disabling ends every token for good, in both worlds; enabling restores none of them', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const [one, other] = [await aKey(service.db, app), await aKey(service.db, app, { world: 'live' })]
    const keys = [one, other]
    const before = [await aToken(service.db, one.clientId), await aToken(service.db, other.clientId)]
    for (const token of before) expect(await works(service.db, token)).toBe(true)

    const disabled = await team.admin.send('POST', `${ROOT}/${app}/disable`)
    expect(disabled).toMatchObject({ status: 200, data: { attributes: { status: 'disabled' } } })
    for (const token of before) expect(await works(service.db, token)).toBe(false)
    for (const { clientId } of keys) expect(await aToken(service.db, clientId)).toBeNull()

    const enabled = await team.admin.send('POST', `${ROOT}/${app}/enable`)
    expect(enabled.data.attributes).toMatchObject({ status: 'active', disabled_at: null })
    for (const token of before) expect(await works(service.db, token)).toBe(false)
    for (const { clientId } of keys) expect(await works(service.db, await aToken(service.db, clientId))).toBe(true)
    expect((await auditOf(app)).map(({ action }) => action)).toEqual(['app.disabled', 'app.enabled'])
  })

  test('revoked keys stay revoked', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const { clientId } = await aKey(service.db, app, { state: 'revoked' })
    await team.owner.send('POST', `${ROOT}/${app}/disable`)
    await team.owner.send('POST', `${ROOT}/${app}/enable`)
    expect(await service.db.sql('select state from platform.app_keys where id = $1', [clientId])).toEqual([
      { state: 'revoked' },
    ])
  })

  test.each<[OrganizationRole, number]>([
    ['owner', 200],
    ['admin', 200],
    ['developer', 403],
  ])('sent by a member with the role %s: %i', async (role, status) => {
    const team = await aTeam(service)
    const app = await appOf(team)
    expect((await team[role].send('POST', `${ROOT}/${app}/disable`)).status).toBe(status)
    await team.owner.send('POST', `${ROOT}/${app}/disable`)
    expect((await team[role].send('POST', `${ROOT}/${app}/enable`)).status).toBe(status)
  })

  test.each([
    ['disable', 'disabled', ['suspend', 'enable']],
    ['disable', 'suspended', ['lift']],
    ['enable', 'active', ['suspend', 'disable']],
    ['enable', 'suspended', ['lift']],
  ] as const)('409 for %s if the app is %s', async (event, state, allowed) => {
    const team = await aTeam(service)
    const app = await appOf(team, { state })
    expect(await team.owner.send('POST', `${ROOT}/${app}/${event}`)).toMatchObject({
      status: 409,
      error: { type: 'illegal_transition', details: { from: state, event, allowed } },
    })
    expect(await auditOf(app)).toEqual([])
  })

  test('404 for a stranger', async () => {
    const app = await appOf(await aTeam(service))
    const send = await aStranger(service)
    expect((await send('POST', `${ROOT}/${app}/disable`)).status).toBe(404)
    expect((await send('POST', `${ROOT}/${app}/enable`)).status).toBe(404)
  })
})

describe('DELETE /portal/api/apps/{id}', () => {
  const NAMED = { name: 'Deal Desk' }
  const countOf = async (app: Id<'app'>) => {
    const [row] = await service.db.sql(
      `select (select count(*) from platform.apps where id = $1 and deleted_at is null)::int as apps,
              (select count(*) from platform.app_keys where app_id = $1 and state <> 'ended')::int as keys,
              (select count(*) from platform.app_programs where app_id = $1)::int as programs,
              (select count(*) from test.access_tokens where app_id = $1)::int as tokens`,
      [app],
    )
    return row
  }

  test('204: deletes the app with its keys, secrets, program requests and sandbox tokens; its history stays', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const { clientId, secret } = await aKey(service.db, app)
    const token = await aToken(service.db, clientId)
    await team.owner.send('POST', `${ROOT}/${app}/program_requests`, { program: 'founder' })
    expect(await countOf(app)).toEqual({ apps: 1, keys: 1, programs: 1, tokens: 1 })
    expect((await team.admin.send('DELETE', `${ROOT}/${app}`, NAMED)).status).toBe(204)
    expect(await countOf(app)).toEqual({ apps: 0, keys: 0, programs: 0, tokens: 0 })
    expect(await works(service.db, token)).toBe(false)
    expect(secret).not.toBe('')
    expect(await service.db.sql('select from platform.app_secrets where key_id = $1', [clientId])).toEqual([])
    expect((await team.admin.send('GET', `${ROOT}/${app}`)).status).toBe(404)
    expect((await auditOf(app)).map(({ action }) => action)).toEqual(['app.program_requested', 'app.deleted'])
  })

  test('after an app was deleted, only operators see its history', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    await team.admin.send('DELETE', `${ROOT}/${app}`, NAMED)
    const path = `/platform/apps/${app}`
    for (const world of ['live', 'test'] as const) {
      const { status, list } = await service.operator(world)('GET', `${path}/history`)
      expect([status, list.map(({ attributes }) => attributes['action'])]).toEqual([200, ['app.deleted']])
    }
    expect((await service.operator()('GET', path)).status).toBe(404)
    expect((await team.owner.send('GET', `${ROOT}/${app}/history`)).status).toBe(404)
  })

  test.each([
    ['first_approved_at', 'was approved'],
    ['first_live_token_at', 'has issued a live token'],
    ['first_installed_at', 'was installed'],
  ])('409 if the app has a %s; the error says to disable it instead', async (column, reason) => {
    const team = await aTeam(service)
    const app = await appOf(team)
    await service.db.sql(`update platform.apps set ${column} = now() where id = $1`, [app])
    const response = await team.owner.send('DELETE', `${ROOT}/${app}`, NAMED)
    expect(response).toMatchObject({
      status: 409,
      error: {
        type: 'illegal_transition',
        message: expect.stringContaining(reason),
        remediation: expect.stringContaining('Disable'),
        details: { from: 'active', event: 'delete', allowed: ['disable'] },
      },
    })
    expect((await team.owner.send('GET', `${ROOT}/${app}`)).data.attributes['deletable']).toBe(false)
  })

  test('409 for an app whose approval was withdrawn, and for a suspended app', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    await service.operator()('POST', `/platform/apps/${app}/approve`)
    await service.operator()('POST', `/platform/apps/${app}/unapprove`)
    expect((await team.owner.send('DELETE', `${ROOT}/${app}`, NAMED)).status).toBe(409)
    const suspended = await appOf(team, { state: 'suspended' })
    expect(await team.owner.send('DELETE', `${ROOT}/${suspended}`, NAMED)).toMatchObject({
      status: 409,
      error: { remediation: expect.stringContaining('already rejected'), details: { from: 'suspended', allowed: [] } },
    })
  })

  test.each([
    ['another name', { name: 'Deal Desks' }, '422 validation_error'],
    ['the name in lower case', { name: 'deal desk' }, '422 validation_error'],
    ['an empty name', { name: '' }, '422 validation_error'],
    ['no name', {}, '422 validation_error'],
    ['a name that is a number', { name: 1 }, '422 validation_error'],
  ])('422 with %s, and nothing is deleted', async (_, body, refusal) => {
    const team = await aTeam(service)
    const app = await appOf(team)
    const { status, error } = await team.owner.send('DELETE', `${ROOT}/${app}`, body)
    expect(`${status} ${error.type}`).toBe(refusal)
    expect((await team.owner.send('GET', `${ROOT}/${app}`)).data.attributes['deletable']).toBe(true)
    expect(await auditOf(app)).toEqual([])
  })

  test('a deleted app is in no list, and cannot be changed or deleted again', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    await team.owner.send('DELETE', `${ROOT}/${app}`, NAMED)
    expect((await team.owner.send('GET', ROOT)).list).toEqual([])
    expect((await service.operator()('GET', `/platform/apps/${app}`)).status).toBe(404)
    const tries = [
      await team.owner.send('DELETE', `${ROOT}/${app}`, NAMED),
      await team.owner.send('PATCH', `${ROOT}/${app}`, { name: 'Again' }),
      await team.owner.send('POST', `${ROOT}/${app}/enable`),
      await service.operator()('POST', `/platform/apps/${app}/approve`),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('403 for a developer, 404 for a stranger', async () => {
    const team = await aTeam(service)
    const app = await appOf(team)
    expect((await team.developer.send('DELETE', `${ROOT}/${app}`, NAMED)).status).toBe(403)
    expect((await (await aStranger(service))('DELETE', `${ROOT}/${app}`, NAMED)).status).toBe(404)
  })
})
