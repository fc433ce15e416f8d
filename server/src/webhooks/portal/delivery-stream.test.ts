import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { OpenStream } from '#test/event-source.ts'
import { type EndpointStage, endpointIn, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'
import { type Made, makeDelivery, streamAs } from '../testing/made-deliveries.ts'

let stage: EndpointStage
let team: Team
let member: Person
let endpoint: Id<'webhookEndpoint'>
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  team = await stage.team()
  member = await stage.teammate(team.test)
  const send = await stage.signedIn(member)
  const body = { url: 'https://hooks.example.com/', events: ['offering.opened'], mode: 'test' }
  endpoint = endpointIn(await send('POST', `/portal/api/apps/${team.test.app}/webhook_endpoints`, body)).id
})

const path = (query = '') => `/portal/api/apps/${team.test.app}/webhook_deliveries/stream?mode=test${query}`
const follow = (query = '', lastId = '', by = member) => streamAs(stage, by, path(query), lastId)
const aDelivery = async (made: Partial<Made> = {}) => (await makeDelivery(stage, { of: endpoint, ...made })).id

type Row = { readonly id: string; readonly attributes: { readonly status: string } }
const shown = ({ id, attributes }: Row) => `${id} ${attributes.status}`

/** The deliveries in the first event of the stream. */
const newestIn = ({ blocks }: OpenStream) => {
  const data = blocks.find(({ event }) => event === 'newest')?.data
  return data === undefined ? null : (JSON.parse(data) as { readonly since: string | null; readonly data: Row[] })
}
const awaitNewest = async (stream: OpenStream) => {
  await expect.poll(() => newestIn(stream)).not.toBeNull()
  return newestIn(stream)
}
/** The changes that the stream sent after its first event, in order. */
const changesIn = ({ blocks }: OpenStream) =>
  blocks.flatMap(({ event, data = '' }) => {
    if (event === 'removed') return [`removed ${(JSON.parse(data) as Row).id}`]
    return event === undefined && data !== '' ? [shown(JSON.parse(data))] : []
  })

async function end(id: string, state: 'delivered' | 'exhausted'): Promise<void> {
  await stage.db.sql(
    `with ended as (delete from test.delivery_queue where id = $1
       returning id, endpoint_id, event_id, created_at, attempts, api_version)
     insert into test.delivery_history (id, endpoint_id, event_id, created_at, attempts, api_version, state)
     select id, endpoint_id, event_id, created_at, attempts, api_version, $2 from ended`,
    [id, state],
  )
}

describe('the stream of an app’s deliveries', () => {
  test('begins with the newest deliveries, then sends new ones and each change', async () => {
    const old = await aDelivery({ state: 'exhausted' })
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(await awaitNewest(stream)).toMatchObject({ since: null, data: [{ id: old, type: 'webhook_delivery' }] })
    const made = await aDelivery({ state: 'pending' })
    await expect.poll(() => changesIn(stream)).toEqual([`${made} pending`])
    await end(made, 'delivered')
    await expect.poll(() => changesIn(stream)).toEqual([`${made} pending`, `${made} delivered`])
  })

  test('continues with all changes since the last id, and rejects an id of another app or an invented one', async () => {
    const stream = await follow()
    const [a, b] = [await aDelivery({ state: 'pending' }), await aDelivery({ state: 'pending' })]
    await expect.poll(() => changesIn(stream).length).toBe(2)
    stream.close()
    await end(a, 'exhausted')
    const missed = await aDelivery()
    const again = await awaitNewest(await follow('', stream.lastId()))
    expect(again?.data.map(shown)).toEqual([`${missed} delivered`, `${b} pending`, `${a} exhausted`])
    expect((await follow('', 'invented')).status).toBe(400)
    team = await stage.team()
    member = await stage.teammate(team.test)
    expect((await follow('', stream.lastId())).status).toBe(400)
  })

  test('sends 150 missed deliveries; after more than a thousand the response is 410', async () => {
    const many = (from: number, to: number) =>
      stage.db.sql(
        `insert into test.delivery_history (id, endpoint_id, event_id, created_at, attempts, api_version, state)
         select 'dlv_' || lpad(n::text, 24, '0'), $1, $2, now(), '[]', '2026-11-01', 'delivered' from generate_series($3::int, $4::int) n`,
        [endpoint, newId('event'), from, to],
      )
    await many(1, 1)
    const stream = await follow()
    await awaitNewest(stream)
    stream.close()
    await many(2, 151)
    const newest = await awaitNewest(await follow('', stream.lastId()))
    expect(newest?.data.map(({ id }) => Number(id.slice(4)))).toEqual(Array.from({ length: 151 }, (_, n) => 151 - n))
    await many(152, 1_100)
    expect((await follow('', stream.lastId())).status).toBe(410)
    expect((await awaitNewest(await follow()))?.since).toBe(`dlv_${'1001'.padStart(24, '0')}`)
    await stage.db.sql('delete from test.delivery_history where endpoint_id = $1', [endpoint])
  })

  test('has the filters of the list, and sends the ids of deliveries that no longer fit them', async () => {
    const [waiting, done] = [await aDelivery({ state: 'pending' }), await aDelivery()]
    const stream = await follow('&status=pending')
    expect((await awaitNewest(stream))?.data.map(({ id }) => id)).toEqual([waiting])
    await end(waiting, 'delivered')
    await expect.poll(() => changesIn(stream)).toEqual([`removed ${waiting}`])
    expect((await awaitNewest(await follow('&types=offering.closed')))?.data).toEqual([])
    expect((await awaitNewest(await follow(`&q=${done}`)))?.data.map(({ id }) => id)).toEqual([done])
    expect((await follow('&status=lost')).status).toBe(400)
  })

  test('ends when the person leaves the team or the session ends; other people’s streams continue', async () => {
    const [leaving, signedOut] = [await stage.teammate(team.test), await stage.teammate(team.test)]
    const [left, ended, stays] = [await follow('', '', leaving), await follow('', '', signedOut), await follow()]
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [leaving.account])
    await stage.db.sql('delete from platform.sign_in_sessions where account_id = $1', [signedOut.account])
    for (const stream of [left, ended]) {
      await expect.poll(() => stream.isOver()).toBe(true)
      expect(stream.blocks.at(-1)).toEqual({ event: 'end', data: '{"reason":"access_ended"}' })
    }
    const id = await aDelivery()
    await expect.poll(() => changesIn(stays)).toEqual([`${id} delivered`])
    expect([changesIn(left), changesIn(ended)]).toEqual([[], []])
  })

  test('opens ten times for an app; two more requests get 429', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => follow()))
    expect(opened.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 429, 429])
  })
})
