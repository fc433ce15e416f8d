import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { clientCredentials } from './flow.ts'
import { refusalOf, type Send } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** Routes for tokens that also exist under the app's path, for a signed-in person on the app's team. */

let stage: Stage
let app: App
let token: Send
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:referral_codes', 'write:referral_codes'] })
  token = stage.api((await clientCredentials(stage, app.key)).access_token)
})
afterAll(() => stage.close())

const pathOf = (path: string, of: App = app) => `/portal/api/apps/${of.id}${path}`

async function anOffering(): Promise<string> {
  const id = newId('offering')
  const company = await stage.company()
  const security = { type: 'safe', terms: { valuation_cap: '8000000' } }
  await stage.sendFact('offering.created', {
    id,
    company,
    currency: 'usd',
    exemption: 'reg_cf',
    security,
    listed: true,
  })
  await stage.sendFact('offering.opened', { id })
  return id
}

/** People who may not call these routes: a stranger, a member of another team, and a former member. */
async function outsiders(): Promise<readonly Person[]> {
  const left = await stage.member(app.team, 'developer')
  const members = `/portal/api/organizations/${app.team.organization}/members/${left.account}`
  expect((await app.team.owner.portal('DELETE', members)).status).toBeLessThan(300)
  return [await stage.person(), (await stage.team()).owner, left]
}

describe('POST /portal/api/apps/{id}/sandbox/…', () => {
  test('make the same moves as a token’s routes, from the investment to its execution, and show the caused events', async () => {
    const { portal } = await stage.member(app.team, 'developer')
    const { user: investor } = await stage.person()
    const wanted = { offering: await anOffering(), investor, amount_cents: 25_000 }
    const made = await portal('POST', pathOf('/sandbox/investments'), wanted)
    expect([made.status, made.data]).toMatchObject([201, { status: 'active', investor: { id: investor } }])
    expect(made.meta['events']).toMatchObject([{ event: 'investment.created' }])
    const move = (name: string, body?: object) =>
      portal('POST', pathOf(`/sandbox/investments/${made.data.id}/${name}`), body)
    for (const name of ['pay', 'verify_identity', 'sign', 'confirm']) expect((await move(name)).status).toBe(200)
    const done = await move('execute')
    expect([done.data, done.meta['events']]).toMatchObject([{ status: 'executed' }, [{ event: 'investment.executed' }]])
    const again = await token('POST', `/sandbox/investments/${made.data.id}/execute`)
    expect(refusalOf(await move('execute'))).toEqual(refusalOf(again))
    expect(refusalOf(await move('change_amount', { amount_cents: 1 }))).toBe('422 validation_error')
  })

  test('exist for every operation of an app’s token, and not for operations of the operator only', async () => {
    const { paths } = (await (await fetch(`${stage.service.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    }
    const moves = (prefix: string) =>
      Object.entries(paths)
        .filter(([path]) => path.startsWith(prefix))
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path.slice(prefix.length)}`))
        .toSorted()
    const operators = ['post clock', 'post installations']
    const peoples = ['get records', 'post company']
    const portals = moves('/portal/api/apps/{app_id}/sandbox/').filter((move) => !peoples.includes(move))
    expect(portals).toEqual(moves('/sandbox/').filter((move) => !operators.includes(move)))
    const { portal } = app.team.owner
    expect((await portal('POST', pathOf('/sandbox/clock'), { advance: 'P1D' })).status).toBe(405)
    expect((await portal('GET', pathOf('/sandbox/clock'))).data).toMatchObject({ ahead: expect.any(String) })
  })

  test('suggest open offerings of the public catalogue, and no people in a world without a demo', async () => {
    const offering = await anOffering()
    const { data } = await app.team.owner.portal('GET', pathOf('/sandbox/records'))
    expect(data.attributes).toMatchObject({ people: [], examples: [] })
    const listed = () =>
      app.team.owner.portal('GET', pathOf('/sandbox/records')).then((answer) => JSON.stringify(answer.data))
    await expect.poll(listed).toContain(offering)
    await app.team.owner.portal('POST', pathOf(`/sandbox/offerings/${offering}/closing`))
    await expect.poll(listed).not.toContain(offering)
  })

  test('accept an Idempotency-Key once, and not from a former member of the team', async () => {
    const member = await stage.member(app.team, 'developer')
    const wanted = { offering: await anOffering(), investor: (await stage.person()).user, amount_cents: 30_000 }
    const headers = { 'idempotency-key': newId('request') }
    const play = () => member.portal('POST', pathOf('/sandbox/investments'), wanted, headers)
    const [first, second] = [await play(), await play()]
    expect([second.headers.get('idempotent-replayed'), second.data.id]).toEqual(['true', first.data.id])
    await app.team.owner.portal(
      'DELETE',
      `/portal/api/organizations/${app.team.organization}/members/${member.account}`,
    )
    expect(refusalOf(await play())).toBe('404 not_found')
  })

  test('answer 404 outside the team and for live records, 403 for a suspended app, 409 for a disabled app, 401 with a token', async () => {
    const offering = await anOffering()
    const path = pathOf(`/sandbox/offerings/${offering}/closing`)
    for (const { portal } of await outsiders()) {
      expect(refusalOf(await portal('POST', path))).toBe('404 not_found')
      expect(refusalOf(await portal('GET', pathOf('/sandbox/clock')))).toBe('404 not_found')
      expect(refusalOf(await portal('GET', pathOf('/sandbox/records')))).toBe('404 not_found')
    }
    expect(refusalOf(await token('POST', path))).toBe('401 invalid_token')
    const live = await stage.company({}, 'live')
    const elsewhere = newId('offering')
    const terms = {
      currency: 'usd',
      exemption: 'reg_cf',
      security: { type: 'safe', terms: { valuation_cap: '8000000' } },
    }
    await stage.sendFact('offering.created', { id: elsewhere, company: live, ...terms, listed: true }, 'live')
    const { portal } = app.team.owner
    expect(refusalOf(await portal('POST', pathOf(`/sandbox/offerings/${elsewhere}/open`)))).toBe('404 not_found')
    const stopped = await stage.app({ team: app.team })
    await stage.operator('POST', `/platform/apps/${stopped.id}/suspend`, { reason: 'A test.' })
    const closeOffering = () => portal('POST', pathOf(`/sandbox/offerings/${offering}/closing`, stopped))
    expect(refusalOf(await closeOffering())).toBe('403 app_suspended')
    await stage.operator('POST', `/platform/apps/${stopped.id}/lift`)
    await portal('POST', pathOf('/disable', stopped))
    const disabled = await closeOffering()
    expect(refusalOf(disabled)).toBe('409 illegal_transition')
    expect(disabled.error.details).toEqual({ from: 'disabled', event: 'play', allowed: ['enable'] })
    expect((await portal('POST', path)).status).toBe(200)
  })

  test('answer 409 to the team of an organization that was ended', async () => {
    const ended = await stage.app()
    await stage.operator('POST', `/platform/organizations/${ended.team.organization}/end`, { reason: 'A test.' })
    const path = pathOf(`/sandbox/offerings/${await anOffering()}/closing`, ended)
    const refused = await ended.team.owner.portal('POST', path)
    expect(refusalOf(refused)).toBe('409 illegal_transition')
    expect(refused.error.details).toEqual({ from: 'ended', event: 'play', allowed: [] })
  })
})

describe('GET /portal/api/apps/{id}/referral_codes', () => {
  test('return the codes and statistics that the app’s own token gets, for each mode', async () => {
    const { data: made } = await token('POST', '/referral_codes', { name: 'Spring newsletter' })
    const { portal } = await stage.member(app.team, 'developer')
    const own = await token('GET', '/referral_codes')
    const listed = await portal('GET', pathOf('/referral_codes?mode=test'))
    expect([listed.status, listed.list, listed.meta['quota']]).toEqual([200, own.list, own.meta['quota']])
    expect((await portal('GET', pathOf('/referral_codes'))).list).toEqual([])
    const stats = await token('GET', `/referral_codes/${made.id}/stats`)
    const { request_id: _, ...meta } = stats.meta
    const shown = await portal('GET', pathOf(`/referral_codes/${made.id}/stats?mode=test`))
    expect([shown.status, shown.list, shown.meta]).toMatchObject([200, stats.list, meta])
    expect(refusalOf(await portal('GET', pathOf(`/referral_codes/${made.id}/stats`)))).toBe('404 not_found')
    expect(refusalOf(await portal('GET', pathOf('/referral_codes?mode=test&cursor=x')))).toBe('400 invalid_request')
  })

  test('answer 404 outside the team and for the code of another app, and the team of a suspended app can read', async () => {
    const { data: made } = await token('POST', '/referral_codes', { name: 'Autumn newsletter' })
    const stats = `/referral_codes/${made.id}/stats?mode=test`
    for (const { portal } of await outsiders()) {
      expect(refusalOf(await portal('GET', pathOf('/referral_codes?mode=test')))).toBe('404 not_found')
      expect(refusalOf(await portal('GET', pathOf(stats)))).toBe('404 not_found')
    }
    const other = await stage.app({ team: app.team })
    const { portal } = app.team.owner
    expect(refusalOf(await portal('GET', pathOf(stats, other)))).toBe('404 not_found')
    expect((await portal('GET', pathOf('/referral_codes?mode=test', other))).list).toEqual([])
    await stage.operator('POST', `/platform/apps/${other.id}/suspend`, { reason: 'A test.' })
    expect((await portal('GET', pathOf('/referral_codes?mode=test', other))).status).toBe(200)
  })
})
