import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { consent } from '../flow.ts'
import { aCompanyOf } from '../installing.ts'
import { refusalOf, type Send, sender } from '../sender.ts'
import type { App, Key, Person } from '../stage.ts'
import { anInvestment, anOffering, type EventStage, openEventStage } from './stage.ts'

/** Who receives which events, and how an open stream ends when the reader loses access. */

const SCOPES = ['read:webhooks', 'read:companies', 'read:investments']

let stage: EventStage
let founder: Person
let investor: Person
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
})
afterAll(() => stage?.close())

const basicOf = ({ clientId, secret }: Pick<Key, 'clientId' | 'secret'>) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

const bearerOf = (token: string) => `Bearer ${token}`

type More = { readonly query?: string; readonly headers?: Readonly<Record<string, string>>; readonly method?: string }

async function streaming(authorization: string, { query = '', headers = {}, method = 'GET' }: More = {}) {
  const url = `${stage.service.url}/events/stream${query}`
  const stream = await openStream(url, { method, headers: { authorization, ...headers } })
  onTestFinished(() => stream.close())
  if (stream.status === 200 && method === 'GET') await expect.poll(() => stream.lastId()).not.toBe('')
  return stream
}

const from = (stream: OpenStream) => ({ headers: { 'last-event-id': stream.lastId() } })

/** Installs an app on a company with an open offering. */
async function installApp(scopes: readonly string[] = SCOPES) {
  const app = await stage.partner(scopes)
  const target = await aCompanyOf(stage, founder)
  const installation = await stage.install(app, founder, target)
  const offering = await anOffering(stage, target.target_id)
  await stage.settle()
  return { app, company: target.target_id, installation, offering }
}

const invest = (offering: string, by: Person = investor) => anInvestment(stage, { offering, investor: by })

/** Returns the name and the installation of each event. */
const namesAndReceivers = (stream: OpenStream) =>
  eventsOf(stream).map(({ attributes }) => `${attributes.event} ${attributes.installation_id}`)

const reasons = ({ blocks }: OpenStream) => blocks.flatMap(({ event, data }) => (event === 'end' ? [data] : []))

const ENDED = ['{"reason":"credential_ended"}']

async function installationToken({ key }: App, installation: string, scopes = SCOPES): Promise<string> {
  const server: Send = sender(stage.service.url, { authorization: basicOf(key) })
  const { token } = await server('POST', `/installations/${installation}/tokens`, { scopes })
  return token.access_token
}

async function teamToken({ key, team }: App, person: Person = team.owner): Promise<string> {
  const { access_token } = await consent(stage, key, person, { scope: 'read:webhooks' })
  // The consent creates a connection. Its events are settled now, so that a stream opened later does not send them.
  await stage.settle()
  return access_token
}

const asServer = ({ key }: App): Send => sender(stage.service.url, { authorization: basicOf(key) })

describe('the events in a stream', () => {
  test('a server key gets the events of the app’s installations except users’ connections, and a team member gets all events', async () => {
    const { app, installation, offering } = await installApp()
    const connected = await stage.person()
    await consent(stage, app.key, connected, { scope: 'read:investments' })
    await stage.settle()
    const [server, team] = [await streaming(basicOf(app.key)), await streaming(bearerOf(await teamToken(app)))]
    await invest(offering, connected)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(team)).toHaveLength(4)
    const both = ['investment.changed', 'investment.created']
    await expect.poll(() => namesAndReceivers(server).toSorted()).toEqual(both.map((name) => `${name} ${installation}`))
    const ofConnection = eventsOf(team).filter(({ attributes }) => attributes.installation_id !== installation)
    expect(ofConnection.map(({ attributes }) => attributes.event).toSorted()).toEqual(both)
    const listed = (await asServer(app)('GET', '/events?types=investment.*')).list
    expect(new Set(listed.map(({ attributes }) => attributes['installation_id']))).toEqual(new Set([installation]))
    const hidden = ofConnection[0]?.id ?? ''
    const other = String(ofConnection[0]?.attributes.installation_id)
    const answer = await asServer(app)('GET', `/events/${hidden}?installation_id=${other}`)
    expect(refusalOf(answer)).toBe('404 not_found')
  })

  test('an installation token gets only the events of its own installation', async () => {
    const { app, installation, offering } = await installApp()
    const elsewhere = await aCompanyOf(stage, founder)
    const other = await stage.install(app, founder, elsewhere)
    await stage.settle()
    const token = await installationToken(app, installation)
    const stream = await streaming(bearerOf(token))
    await anOffering(stage, elsewhere.target_id)
    await invest(offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toHaveLength(2)
    expect(namesAndReceivers(stream).every((each) => each.endsWith(installation))).toBe(true)
    const api = stage.api(token)
    expect((await api('GET', `/events?installation_id=${other}`)).list).toEqual([])
    const [foreign] = (await asServer(app)('GET', `/events?installation_id=${other}`)).list
    expect(refusalOf(await api('GET', `/events/${foreign?.id}`))).toBe('404 not_found')
  })

  test('another app and the other world get none of these events', async () => {
    const [one, two] = [await installApp(), await installApp()]
    const live = await stage.keyOf(one.app, { world: 'live' })
    const streams = [await streaming(basicOf(two.app.key)), await streaming(basicOf(live))]
    const own = await streaming(basicOf(one.app.key))
    await invest(one.offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(own)).toHaveLength(2)
    const id = eventsOf(own)[0]?.id ?? ''
    for (const by of [asServer(two.app), sender(stage.service.url, { authorization: basicOf(live) })]) {
      expect(refusalOf(await by('GET', `/events/${id}`))).toBe('404 not_found')
      expect((await by('GET', '/events')).list.map((event) => event.id)).not.toContain(id)
    }
    expect(streams.map(namesAndReceivers)).toEqual([[], []])
    const foreign = await streaming(basicOf(two.app.key), from(own))
    expect([foreign.status, foreign.text()]).toEqual([400, expect.stringContaining('invalid_request')])
  })

  test('a user who is not on the team and a token without the scope get 403, and HTTP Basic from a browser gets 401', async () => {
    const { app, installation } = await installApp()
    const stranger = await consent(stage, app.key, await stage.person(), { scope: 'read:webhooks' })
    const narrow = await installationToken(app, installation, ['read:companies'])
    const answers = [
      await streaming(bearerOf(stranger.access_token)),
      await streaming(bearerOf(narrow)),
      await streaming(basicOf(app.key), { headers: { origin: 'https://app.example.com' } }),
      await streaming(basicOf(app.key), { headers: { 'sec-fetch-site': 'none' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401, 401])
    expect(answers.every(({ headers }) => headers['content-type']?.includes('json'))).toBe(true)
  })
})

describe('while a stream is open', () => {
  /** Expects that the stream sends no later events and ends with a reason. */
  async function endsBy(authorization: string, offering: string, change: () => Promise<unknown>) {
    const stream = await streaming(authorization)
    await invest(offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toHaveLength(2)
    await change()
    await invest(offering)
    await stage.settle()
    await expect.poll(() => stream.isOver()).toBe(true)
    expect([reasons(stream), namesAndReceivers(stream).length]).toEqual([ENDED, 2])
    return stream
  }

  test('a revoked token ends the stream', async () => {
    const { app, installation, offering } = await installApp()
    const token = await installationToken(app, installation)
    const { clientId, secret } = app.key
    const form = new URLSearchParams({ token, client_id: clientId, client_secret: secret })
    await endsBy(bearerOf(token), offering, () =>
      fetch(`${stage.service.url}/oauth/revoke`, { method: 'POST', body: form }),
    )
  })

  test('a disabled account ends the stream', async () => {
    const { app, offering } = await installApp()
    const member = await stage.member(app.team, 'developer')
    await endsBy(bearerOf(await teamToken(app, member)), offering, () =>
      stage.operator('POST', `/platform/accounts/${member.account}/disable`),
    )
  })

  test('a member who is removed from the team loses the stream', async () => {
    const { app, offering } = await installApp()
    const member = await stage.member(app.team, 'developer')
    const path = `/portal/api/organizations/${app.team.organization}/members/${member.account}`
    await endsBy(bearerOf(await teamToken(app, member)), offering, async () => {
      expect((await app.team.owner.portal('DELETE', path)).status).toBeLessThan(300)
    })
  })

  test('a revoked key ends the stream', async () => {
    const { app, offering } = await installApp()
    await stage.keyOf(app)
    const path = `/portal/api/apps/${app.id}/keys/${app.key.clientId}/revoke`
    await endsBy(basicOf(app.key), offering, async () => {
      expect((await app.team.owner.portal('POST', path)).status).toBeLessThan(300)
    })
  })

  test('a suspended app loses the stream, and continues after the last id when the suspension is lifted', async () => {
    const { app, offering } = await installApp()
    const stream = await endsBy(basicOf(app.key), offering, () =>
      stage.operator('POST', `/platform/apps/${app.id}/suspend`, { reason: 'A look at it' }),
    )
    expect((await streaming(basicOf(app.key), from(stream))).status).toBe(401)
    await stage.operator('POST', `/platform/apps/${app.id}/lift`)
    const again = await streaming(basicOf(app.key), from(stream))
    await expect.poll(() => namesAndReceivers(again)).toHaveLength(2)
  })

  test('a revoked installation ends its tokens’ streams, and other streams get its revocation but none of its later events', async () => {
    const { app, installation, offering } = await installApp()
    const own = await streaming(bearerOf(await installationToken(app, installation)))
    const server = await streaming(basicOf(app.key))
    await invest(offering)
    const owner = await stage.api(
      (await consent(stage, app.key, founder, { scope: 'write:installations' })).access_token,
    )
    expect((await owner('DELETE', `/installations/${installation}`)).status).toBe(200)
    await invest(offering)
    await stage.settle()
    await expect.poll(() => own.isOver()).toBe(true)
    expect([reasons(own), namesAndReceivers(own)]).toEqual([ENDED, []])
    await expect.poll(() => namesAndReceivers(server)).toContain(`installation.revoked ${installation}`)
    expect(namesAndReceivers(server).filter((each) => each.endsWith(installation))).toEqual([
      `installation.revoked ${installation}`,
    ])
  })

  test('a lost scope stops the events that require this scope at once, and other events continue', async () => {
    const { app, installation, offering } = await installApp()
    const stream = await streaming(basicOf(app.key))
    await stage.service.db.sql(`update test.installations set scopes = '{read:investments}' where id = $1`, [
      installation,
    ])
    await invest(offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toEqual([`investment.changed ${installation}`])
  })

  test('an email address is sent only while the installation has read:investors:pii', async () => {
    const { app, installation, offering } = await installApp()
    const stream = await streaming(basicOf(app.key), { query: '?types=investment.created' })
    const emails = () =>
      eventsOf(stream).map(({ attributes }) => {
        const { investor: person } = attributes.payload['data'] as { investor: { email?: string } }
        return person.email ?? null
      })
    const grantScopes = (more: readonly string[]) =>
      stage.service.db.sql(
        `update test.installations set scopes = $2, pii_by = case when cardinality($2::text[]) > 3 then 'approval' end where id = $1`,
        [installation, [...SCOPES, ...more]],
      )
    await grantScopes(['read:investors:pii'])
    await invest(offering)
    await stage.settle()
    await expect.poll(emails).toEqual([investor.email])
    await grantScopes([])
    await invest(offering)
    await stage.settle()
    await expect.poll(emails).toEqual([investor.email, null])
    stream.close()
    await grantScopes(['read:investors:pii'])
    const list = await asServer(app)('GET', '/events?types=investment.created&order=oldest')
    expect(list.list.map(({ attributes }) => JSON.stringify(attributes).includes(investor.email))).toEqual([true, true])
  })
})

describe('an earlier event', () => {
  test('is sent again with redelivery_of when it is redelivered or replayed, and only once for all endpoints of the app', async () => {
    const { app, installation, offering } = await installApp()
    const [listener] = [await stage.listen(app), await stage.listen(app)]
    const stream = await streaming(basicOf(app.key), { query: '?types=investment.created' })
    await invest(offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toEqual([`investment.created ${installation}`])
    const [first] = eventsOf(stream)
    const deliveries = `/webhook_endpoints/${listener.id}/deliveries`
    const by = asServer(app)
    const all = (await by('GET', deliveries)).list
    const delivery = all.find(({ attributes }) => attributes['event'] === 'investment.created')
    expect((await by('POST', `${deliveries}/${delivery?.id}/redeliver`)).status).toBe(202)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toHaveLength(2)
    const since = '2020-01-01T00:00:00Z'
    expect((await by('POST', `/webhook_endpoints/${listener.id}/replay`, { since })).status).toBe(202)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toHaveLength(3)
    const marks = eventsOf(stream).map(({ id, attributes }) => [id, attributes.redelivery_of])
    expect(marks).toEqual([
      [first?.id, null],
      [first?.id, delivery?.id],
      [first?.id, delivery?.id],
    ])
    expect((await by('GET', '/events?types=investment.created')).list.map((event) => event.id)).toEqual([first?.id])
  })

  test('is shown only as the current scopes allow, and only to the app that received it', async () => {
    const { app, installation, offering } = await installApp()
    const connected = await stage.person()
    await consent(stage, app.key, connected, { scope: 'read:investments' })
    const listener = await stage.listen(app)
    await invest(offering, connected)
    const received = await listener.received()
    const by = asServer(app)
    const path = `/webhook_endpoints/${listener.id}/deliveries`
    const { list } = await by('GET', path)
    const findDelivery = (wanted: boolean) =>
      list.find(({ attributes: { event, installation_id } }) => {
        return event === 'investment.created' && (installation_id === installation) === wanted
      })
    const [own, ofConnection] = [findDelivery(true), findDelivery(false)]
    const payload = async (send: Send, id: string | undefined) =>
      (await send('GET', `${path}/${id}`)).data['attributes'] as { readonly payload: unknown }
    const sent = received.find(
      (body) => body.id === own?.attributes['event_id'] && body.installation?.id === installation,
    )
    expect((await payload(by, own?.id)).payload).toEqual(sent)
    const team = stage.api(await teamToken(app))
    expect((await payload(team, ofConnection?.id)).payload).toMatchObject({ event: 'investment.created' })
    expect((await payload(by, ofConnection?.id)).payload).toBeNull()
    for (const stranger of [
      asServer((await installApp()).app),
      stage.api(await installationToken(app, installation)),
    ]) {
      expect(refusalOf(await stranger('GET', `${path}/${own?.id}`))).toBe('404 not_found')
    }
    await stage.service.db.sql(`update test.installations set scopes = '{read:investments}' where id = $1`, [
      installation,
    ])
    expect(await payload(by, own?.id)).toMatchObject({ payload: null, status: 'delivered', attempt_count: 1 })
  })

  test('is sent to two readers, each from its own position, which a client may also send in the query', async () => {
    const { app, offering } = await installApp()
    const [one, two] = [await streaming(basicOf(app.key)), await streaming(basicOf(app.key))]
    await invest(offering)
    await stage.settle()
    await expect.poll(() => [namesAndReceivers(one).length, namesAndReceivers(two).length]).toEqual([2, 2])
    const before = two.blocks[1]?.id ?? ''
    one.close()
    await invest(offering)
    await stage.settle()
    const again = await streaming(basicOf(app.key), from(one))
    const answer = await streaming(basicOf(app.key), { query: `?last_event_id=${encodeURIComponent(before)}` })
    await expect.poll(() => [namesAndReceivers(again).length, namesAndReceivers(answer).length]).toEqual([2, 3])
    expect(eventsOf(two)).toEqual([...eventsOf(one), ...eventsOf(again)])
  })

  test('is not sent after an invalid id: 400 for an id never issued, 410 for an entry that is no longer stored, also for HEAD', async () => {
    const { app, offering } = await installApp()
    const stream = await streaming(basicOf(app.key))
    await invest(offering)
    await invest(offering)
    await stage.settle()
    await expect.poll(() => namesAndReceivers(stream)).toHaveLength(4)
    const id = stream.blocks[1]?.id ?? ''
    const openAfter = (lastId: string, method?: string) =>
      streaming(basicOf(app.key), { headers: { 'last-event-id': lastId }, ...(method === undefined ? {} : { method }) })
    for (const wrong of ['1', 'evt_000000000000000000000000', `${id}x`, id.slice(1)]) {
      expect((await openAfter(wrong)).status).toBe(400)
    }
    expect([(await openAfter(id)).status, (await openAfter(id, 'HEAD')).status]).toEqual([200, 200])
    const place = `where event_id = '${eventsOf(stream)[0]?.id}'`
    await stage.service.db.sql(
      `update test.event_stream_entries set event_id = 'evt_000000000000000000000000' ${place}`,
    )
    const gone = await openAfter(id)
    await expect.poll(() => gone.isOver()).toBe(true)
    expect([gone.status, JSON.parse(gone.text()).error]).toMatchObject([410, { type: 'gone' }])
    expect((await openAfter(id, 'HEAD')).status).toBe(410)
    // The last id never expires.
    await stage.advanceClock('P100D')
    await stage.service.db.sql('delete from test.event_stream_entries')
    expect((await openAfter(stream.lastId())).status).toBe(200)
  })
})

describe('GET /events', () => {
  test('filters by type, installation, subject and time, in either order, page by page', async () => {
    const { app, installation, offering, company } = await installApp()
    const by = asServer(app)
    const investments = [await invest(offering), await invest(offering), await invest(offering)]
    await stage.settle()
    const subjects = async (query: string) => {
      const { list, meta } = await by('GET', `/events?types=investment.created&${query}`)
      const ids = list.map(({ attributes }) => (attributes['payload'] as { data: { id: string } }).data.id)
      return { ids, cursor: meta['next_cursor'], more: meta['has_more'] }
    }
    expect(await subjects('order=oldest')).toEqual({ ids: investments, cursor: null, more: false })
    expect((await subjects('')).ids).toEqual(investments.toReversed())
    const first = await subjects('order=oldest&per_page=2')
    expect([first.ids, first.more]).toEqual([investments.slice(0, 2), true])
    expect((await subjects(`order=oldest&per_page=2&cursor=${first.cursor}`)).ids).toEqual(investments.slice(2))
    expect(refusalOf(await by('GET', `/events?order=newest&cursor=${first.cursor}`))).toBe('400 invalid_request')
    expect((await subjects(`subject_id=${investments[1]}`)).ids).toEqual([investments[1]])
    expect((await subjects(`subject_id=${company}&installation_id=${installation}`)).ids).toHaveLength(3)
    expect((await subjects(`installation_id=inst_000000000000000000000000`)).ids).toEqual([])
    const all = (await by('GET', '/events?order=oldest&types=investment.created')).list
    const times = all.map(({ attributes }) => String(attributes['created_at']))
    expect((await subjects(`since=${times[1]}`)).ids).toEqual(investments.slice(1).toReversed())
    expect((await subjects(`until=${times[1]}&order=oldest`)).ids).toEqual(investments.slice(0, 1))
    expect(refusalOf(await by('GET', '/events?types=investment.sold'))).toBe('400 invalid_request')
    expect(refusalOf(await by('GET', `/events?subject_id=${investor.user}`))).toBe('400 invalid_request')
    const one = await by('GET', `/events/${all[0]?.id}`)
    expect(one.data).toEqual(all[0])
  })

  test('shows the payload that an endpoint received', async () => {
    const { app, offering } = await installApp()
    const listener = await stage.listen(app)
    await invest(offering)
    const received = await listener.received()
    const { list } = await asServer(app)('GET', '/events?types=investment.*&order=oldest')
    const payloads = list.map(({ attributes }) => attributes['payload'] as { created_at: string })
    expect(payloads.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))).toEqual(received)
  })
})
