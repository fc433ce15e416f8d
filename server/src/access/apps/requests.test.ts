import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PICKER } from '#access/scopes/index.ts'
import { anApp } from '#test/apps.ts'
import { CONDITIONS_VERSION } from './index.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { aStranger, aTeam } from './testing/team.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const ROOT = '/portal/api/apps'

async function ownedApp(more: Parameters<typeof anApp>[1] = {}) {
  const team = await aTeam(service)
  const app = await anApp(service.db, { organization: team.organization, ...more })
  return { team, app, path: `${ROOT}/${app}` }
}

describe('GET /portal/api/scopes', () => {
  test('200: the self-serve scopes in the picker’s order, with the sentence that people will read', async () => {
    const send = await aStranger(service)
    const { status, list } = await send('GET', '/portal/api/scopes')
    expect([status, list.map(({ id }) => id)]).toEqual([200, PICKER.map(({ name }) => name)])
    expect(list.find(({ id }) => id === 'write:syndicates')).toMatchObject({
      type: 'scope',
      attributes: {
        heading: 'Syndicates you manage',
        consent: expect.any(String),
        implies: expect.arrayContaining(['read:syndicates', 'write:syndicate_members']),
      },
    })
    const places = new Map(list.map(({ id, attributes }) => [id, attributes['takes_effect_on']]))
    expect(places.get('read:profile')).toEqual(['user'])
    expect(places.get('read:investments')).toEqual(['user', 'company'])
    expect(places.get('read:invite_links')).toEqual(['user', 'company', 'syndicate'])
    expect(places.get('read:referral_codes')).toEqual(['app'])
  })

  test('401 when signed out', async () => {
    expect((await (await service.as(null))('GET', '/portal/api/scopes')).status).toBe(401)
  })
})

test('GET /portal/api/usage_conditions: 200 with the version to accept and where to read it', async () => {
  const send = await aStranger(service)
  expect((await send('GET', '/portal/api/usage_conditions')).data).toEqual({
    version: CONDITIONS_VERSION,
    url: `/conditions/${CONDITIONS_VERSION}`,
  })
})

test('GET /platform/apps?open_requests=true lists the apps that GET /platform/requests lists, also those that wait for approval', async () => {
  const asked = async (path: string) => (await service.operator()('GET', path)).list
  const both = async () => {
    const apps = (await asked('/platform/apps?open_requests=true&per_page=100')).map(({ id }) => id)
    const requests = (await asked('/platform/requests?per_page=100')).map(({ attributes }) => attributes['app'])
    expect(new Set(apps)).toEqual(new Set(requests.map((app) => (app as { id: string }).id)))
    return apps
  }
  const pending = await ownedApp({ approved: false })
  const [done, asking] = [await ownedApp({ approved: true }), await ownedApp({ approved: true })]
  await asking.team.developer.send('POST', `${asking.path}/pii_request`)
  expect(await both()).toEqual(expect.arrayContaining([pending.app, asking.app]))
  expect(await both()).not.toContain(done.app)
  for (const { app } of [pending, asking])
    await service.operator()('POST', `/platform/apps/${app}/suspend`, { reason: 'Because.' })
  for (const { app } of [pending, asking]) expect(await both()).not.toContain(app)
})

describe('POST /portal/api/apps/{id}/pii_request', () => {
  test('200: the request is recorded and shown to the platform; a repeated request changes nothing', async () => {
    const { team, app, path } = await ownedApp()
    const first = await team.developer.send('POST', `${path}/pii_request`)
    expect(first.data.attributes['pii']).toEqual({ requested_at: expect.any(String), approved_at: null })
    const again = await team.developer.send('POST', `${path}/pii_request`)
    expect(again.data).toEqual(first.data)
    const waiting = await service.operator()('GET', '/platform/apps?open_requests=true')
    expect(waiting.list.map(({ id }) => id)).toContain(app)
    expect((await team.owner.send('GET', `${path}/history`)).list).toHaveLength(1)
  })

  test('404 for a stranger', async () => {
    const { path } = await ownedApp()
    expect((await (await aStranger(service))('POST', `${path}/pii_request`)).status).toBe(404)
  })
})

describe('POST /portal/api/apps/{id}/program_requests', () => {
  test('200: the request is recorded and shown to the platform; it adds no scopes by itself', async () => {
    const { team, app, path } = await ownedApp()
    const wanted = { program: 'marketing_partner', tier: 1 }
    const { data } = await team.developer.send('POST', `${path}/program_requests`, wanted)
    expect(data.attributes).toMatchObject({
      programs: [{ ...wanted, requested_at: expect.any(String), approved_at: null }],
      scopes: [],
    })
    const waiting = await service.operator()('GET', '/platform/apps?open_requests=true')
    expect(waiting.list.map(({ id }) => id)).toContain(app)
  })

  test('a higher tier can be requested while the app has the lower one', async () => {
    const { team, app, path } = await ownedApp({ approved: true })
    const programs = `/platform/apps/${app}/programs`
    await service.operator()('POST', programs, { program: 'marketing_partner', tier: 0 })
    const { data } = await team.owner.send('POST', `${path}/program_requests`, {
      program: 'marketing_partner',
      tier: 1,
    })
    expect(data.attributes['programs']).toMatchObject([{ tier: 0, approved_at: expect.any(String) }])
    const waiting = async () => (await service.operator()('GET', '/platform/apps?open_requests=true')).list
    expect((await waiting()).map(({ id }) => id)).toContain(app)
    await service.operator()('POST', programs, { program: 'marketing_partner', tier: 1 })
    expect((await waiting()).map(({ id }) => id)).not.toContain(app)
  })

  test('409 for a program in which the app is already', async () => {
    const { team, app, path } = await ownedApp()
    await service.operator()('POST', `/platform/apps/${app}/programs`, { program: 'founder' })
    expect(await team.owner.send('POST', `${path}/program_requests`, { program: 'founder' })).toMatchObject({
      status: 409,
      error: { type: 'illegal_transition', details: { event: 'request_program' } },
    })
  })

  test.each([
    [{ program: 'marketing_partner' }, 'tier'],
    [{ program: 'marketing_partner', tier: 2 }, 'tier'],
    [{ program: 'founder', tier: 0 }, 'tier'],
    [{ program: 'friends' }, 'program'],
  ])('422 for %j', async (wanted, field) => {
    const { team, path } = await ownedApp()
    const { status, error } = await team.owner.send('POST', `${path}/program_requests`, wanted)
    expect([status, error.details]).toMatchObject([422, { fields: [{ field }] }])
  })
})

describe('GET /portal/api/apps/{id}/history', () => {
  test('200: actions and actors, newest first, page by page; the platform’s keys are not named', async () => {
    const { team, app, path } = await ownedApp()
    await team.admin.send('POST', `${path}/disable`)
    await team.owner.send('POST', `${path}/enable`)
    await service.operator()('POST', `/platform/apps/${app}/suspend`, { reason: 'Stale figures shown as current.' })
    const first = await team.developer.send('GET', `${path}/history?per_page=2`)
    expect(first.list.map(({ attributes }) => attributes)).toMatchObject([
      {
        action: 'app.suspended',
        actor: { type: 'platform', id: null, name: null },
        details: { reason: 'Stale figures shown as current.' },
      },
      { action: 'app.enabled', actor: { type: 'member', id: team.owner.account, name: 'Dev' } },
    ])
    expect(JSON.stringify(first.list)).not.toContain('opk_')
    const rest = await team.developer.send('GET', `${path}/history?cursor=${String(first.meta?.['next_cursor'])}`)
    expect(rest.list).toMatchObject([{ type: 'history_entry', attributes: { action: 'app.disabled' } }])
    expect(rest.meta).toMatchObject({ has_more: false })
  })

  test('404 for a stranger; 400 for a cursor of another list', async () => {
    const { team, path } = await ownedApp()
    await anApp(service.db, { organization: team.organization })
    expect((await (await aStranger(service))('GET', `${path}/history`)).status).toBe(404)
    const { meta } = await team.owner.send('GET', `${ROOT}?per_page=1`)
    expect((await team.owner.send('GET', `${path}/history?cursor=${String(meta?.['next_cursor'])}`)).status).toBe(400)
  })
})
