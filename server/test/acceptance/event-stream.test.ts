import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { demoData } from './data-directory.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { startService } from './service.ts'

type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly keys: readonly Client[] }[]
  readonly people: { readonly founder: Credentials; readonly investor: { readonly id: string } }
  readonly ids: { readonly company: string; readonly offering_public: string }
}

function clientOf({ apps }: Demo): Client {
  const [client] = apps[0]?.keys ?? []
  if (client === undefined) throw new Error('the demo has no key')
  return client
}

async function post(url: string, token: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
}

async function install(demo: Demo): Promise<void> {
  const { founder } = demo.people
  const { access_token } = await connect(demo.base_url, founder, {
    client: clientOf(demo),
    scopes: ['write:installations'],
  })
  await post(`${demo.base_url}/installations`, access_token, {
    target_type: 'company',
    target_id: demo.ids.company,
  })
}

const invest = ({ base_url, operator_keys, ids, people }: Demo) =>
  post(`${base_url}/sandbox/investments`, operator_keys.test, {
    ...{ offering: ids.offering_public, investor: people.investor.id, amount_cents: 25_000 },
  })

const createdIn = (stream: OpenStream) =>
  eventsOf(stream).filter(({ attributes }) => attributes.event === 'investment.created')

test('a stream sends the demo’s events, continues after an id without repeats, and ends with a last event when the service stops', async () => {
  const data = await demoData()
  const service = await startService({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' })
  const demo: Demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  const { client_id, client_secret } = clientOf(demo)
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const open = async (headers: Record<string, string> = {}) => {
    const stream = await openStream(`${demo.base_url}/events/stream`, { headers: { authorization, ...headers } })
    onTestFinished(() => stream.close())
    expect(stream.status).toBe(200)
    return stream
  }
  await install(demo)

  const first = await open()
  await expect.poll(() => first.lastId()).not.toBe('')
  await invest(demo)
  await expect.poll(() => createdIn(first).length).toBe(1)
  const lastId = first.lastId()
  const [seen] = createdIn(first)

  await invest(demo)
  const continued = await open({ 'last-event-id': lastId })
  await expect.poll(() => createdIn(continued).length).toBe(1)
  expect(createdIn(continued)[0]?.id).not.toBe(seen?.id)
  const one = await fetch(`${demo.base_url}/events/${seen?.id}`, { headers: { authorization } })
  expect(await one.json()).toMatchObject({ data: { id: seen?.id, attributes: { event: 'investment.created' } } })

  const stalled = await open()
  stalled.pause()
  expect(await service.end('SIGTERM')).toBe(0)
  for (const stream of [first, continued]) {
    await expect.poll(() => stream.isOver()).toBe(true)
    expect(stream.blocks.at(-1)).toEqual({ event: 'end', data: '{"reason":"server_closing"}' })
  }
}, 180_000)
