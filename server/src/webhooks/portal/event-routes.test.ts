import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse, Person, Send } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { eventsOf } from '#test/event-source.ts'
import { happened, settled } from '../stream/testing/stage.ts'
import { type EndpointStage, endpointIn, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'
import { streamAs } from '../testing/made-deliveries.ts'

let stage: EndpointStage
let team: Team
let member: Person
let send: Send
let founder: Person
let company: Id<'company'>
let installation: string
beforeAll(async () => {
  stage = await openEndpointStage()
  team = await stage.team()
  member = await stage.teammate(team.test)
  send = await stage.signedIn(member)
  founder = await stage.person()
  company = await stage.company({ founder })
  const scopes = ['read:companies', 'read:investments', 'read:webhooks']
  const installing = await stage.as(team.test, founder)
  const { data } = await installing('POST', '/installations', { target_type: 'company', target_id: company, scopes })
  installation = data.id
  await settled(stage)
})
afterAll(() => stage.close())

const path = (more = '', of: Team = team) => `/portal/api/apps/${of.test.app}${more}`
type View = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
const viewOf = ({ data }: ApiResponse): View => data as unknown as View
const idsIn = ({ list }: ApiResponse) => list.map(({ id }) => id)
const refusal = ({ status, error }: ApiResponse) => `${status} ${error.type}`

const INVESTOR = { id: newId('user'), name: 'Grace Hopper', email: 'grace@example.org' }

/** Records an event of a company that the app is installed on. */
async function anEvent(name: 'offering.opened' | 'investment.created' = 'offering.opened') {
  const identity = name === 'investment.created' ? { identity: { investor: INVESTOR } } : {}
  const id = await happened(stage, { name, subject: { companyId: company }, ...identity })
  await settled(stage)
  return id
}

describe('an app’s events, for its team', () => {
  test('are listed by mode, type and time, and each is shown with its deliveries', async () => {
    const body = { url: 'https://hooks.example.com/', events: ['offering.opened'], mode: 'test' }
    const endpoint = endpointIn(await send('POST', path('/webhook_endpoints'), body)).id
    const id = await anEvent()
    const listed = await send('GET', path('/events?mode=test&types=offering.*&per_page=1'))
    expect([listed.status, idsIn(listed)]).toEqual([200, [id]])
    expect(idsIn(await send('GET', path('/events')))).toEqual([])
    expect(idsIn(await send('GET', path('/events?mode=test&since=2100-01-01T00:00:00Z')))).toEqual([])
    const { attributes } = viewOf(await send('GET', path(`/events/${id}`)))
    expect(attributes).toMatchObject({
      ...{ event: 'offering.opened', mode: 'test', installation_id: installation, request_id: null },
      payload: { id, event: 'offering.opened' },
      deliveries: [{ type: 'webhook_delivery', attributes: { endpoint_id: endpoint, event_id: id, mode: 'test' } }],
    })
    const [delivery] = attributes['deliveries'] as readonly View[]
    const whole = viewOf(await send('GET', path(`/webhook_deliveries/${delivery?.id}`)))
    expect(whole.attributes['payload']).toEqual(attributes['payload'])
    expect((await send('GET', path('/events?types=a.b'))).status).toBe(400)
    expect(refusal(await send('GET', path(`/events/${newId('event')}`)))).toBe('404 not_found')
  })

  test('contain only data that the installation may read now', async () => {
    const id = await anEvent('investment.created')
    const shown = async () => JSON.stringify(viewOf(await send('GET', path(`/events/${id}`))).attributes['payload'])
    expect(await shown()).not.toContain(INVESTOR.email)
    const grant = (scopes: string) =>
      stage.db.sql(`update test.installations set scopes = $2, pii_by = 'team' where id = $1`, [installation, scopes])
    await grant('{read:companies,read:investments,read:webhooks,read:investors:pii}')
    expect(await shown()).toContain(INVESTOR.email)
    await grant('{read:webhooks}')
    expect(refusal(await send('GET', path(`/events/${id}`)))).toBe('404 not_found')
    expect(idsIn(await send('GET', path('/events?mode=test&types=investment.*')))).not.toContain(id)
    await grant('{read:companies,read:investments,read:webhooks}')
  })

  test('are found by the request that caused them; an event shows that request only if the app sent it', async () => {
    const id = await anEvent()
    const request = newId('request')
    await stage.db.sql('update test.events set fact_id = $2 where id = $1', [id, request])
    const caused = `/requests/${request}/events?mode=test`
    expect(idsIn(await send('GET', path(caused)))).toEqual([id])
    expect(idsIn(await send('GET', path(`/requests/${request}/events`)))).toEqual([])
    expect(idsIn(await send('GET', path(`/requests/${newId('request')}/events?mode=test`)))).toEqual([])
    const requestOf = async () => viewOf(await send('GET', path(`/events/${id}`))).attributes['request_id']
    expect(await requestOf()).toBe(null)
    const log = (app: string) =>
      stage.db.sql(
        `insert into platform.request_log (app_id, world, request_id, started_at, method, route, status, duration_ms, credential, key_id)
         values ($1, 'test', $2, now(), 'POST', '/sandbox/investments', 201, 1, 'user', $3)`,
        [app, request, team.test.keyId],
      )
    const other = await stage.team()
    await log(other.test.app)
    expect(await requestOf()).toBe(null)
    await log(team.test.app)
    expect(await requestOf()).toBe(request)
    const theirs = await stage.signedIn(await stage.teammate(other.test))
    expect(idsIn(await theirs('GET', path(caused, other)))).toEqual([])
  })

  test('are listed in pages if one request caused many', async () => {
    const request = newId('request')
    const made: string[] = []
    for (let n = 0; n < 3; n++) made.push(await anEvent())
    await stage.db.sql('update test.events set fact_id = $2 where id = any($1)', [made, request])
    const first = await send('GET', path(`/requests/${request}/events?mode=test&per_page=2`))
    const cursor = String(first.meta['next_cursor'])
    const second = await send('GET', path(`/requests/${request}/events?mode=test&per_page=2&cursor=${cursor}`))
    expect([idsIn(first), idsIn(second), second.meta['has_more']]).toEqual([made.slice(0, 2), made.slice(2), false])
  })
})

const streaming = (person: Person, more: { readonly lastId?: string; readonly of?: Team } = {}) =>
  streamAs(stage, person, path('/events/stream?mode=test', more.of), more.lastId)

describe('the event stream, for a person on the team', () => {
  test('sends new events, and continues after the last id', async () => {
    const stream = await streaming(member)
    expect(stream.status).toBe(200)
    await expect.poll(() => stream.lastId()).not.toBe('')
    const first = await anEvent()
    await expect.poll(() => eventsOf(stream).map(({ id }) => id)).toEqual([first])
    stream.close()
    const missed = await anEvent()
    const again = await streaming(member, { lastId: stream.lastId() })
    await expect.poll(() => eventsOf(again).map(({ id }) => id)).toEqual([missed])
    expect((await streaming(member, { lastId: 'invented' })).status).toBe(400)
  })

  test('ends when the person leaves the team; other people’s streams continue', async () => {
    const leaving = await stage.teammate(team.test)
    const [left, stays] = [await streaming(leaving), await streaming(member)]
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [leaving.account])
    await expect.poll(() => left.isOver()).toBe(true)
    expect(left.blocks.at(-1)).toEqual({ event: 'end', data: '{"reason":"credential_ended"}' })
    const id = await anEvent()
    await expect.poll(() => eventsOf(stays).map((one) => one.id)).toEqual([id])
    expect(eventsOf(left)).toEqual([])
  })
})

describe('members of the team, and other callers', () => {
  test('a stranger, another team and a former member get 404; a signed-out person 401; another app sees nothing', async () => {
    const id = await anEvent()
    const routes = [
      '/events?mode=test',
      '/events/stream?mode=test',
      `/events/${id}`,
      `/requests/${newId('request')}/events`,
    ]
    const gone = await stage.teammate(team.test)
    const left = await stage.signedIn(gone)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [gone.account])
    const other = await stage.team()
    const elsewhere = await stage.signedIn(await stage.teammate(other.test))
    const stranger = await stage.signedIn(await stage.person())
    for (const each of [stranger, elsewhere, left]) {
      for (const route of routes) {
        expect([route, refusal(await each('GET', path(route)))]).toEqual([route, '404 not_found'])
      }
    }
    for (const route of routes) expect((await fetch(stage.url + path(route))).status).toBe(401)
    expect(idsIn(await elsewhere('GET', path('/events?mode=test', other)))).toEqual([])
    expect(refusal(await elsewhere('GET', path(`/events/${id}`, other)))).toBe('404 not_found')
  })

  test('events of a suspended app are not shown', async () => {
    const id = await anEvent()
    const set = (to: string) => stage.db.sql(`update platform.apps set ${to} where id = $1`, [team.test.app])
    await set(`suspended_at = now(), suspended_reason = 'a reason'`)
    expect(idsIn(await send('GET', path('/events?mode=test')))).toEqual([])
    expect(refusal(await send('GET', path(`/events/${id}`)))).toBe('404 not_found')
    await set('suspended_at = null, suspended_reason = null')
    expect((await send('GET', path(`/events/${id}`))).status).toBe(200)
  })
})
