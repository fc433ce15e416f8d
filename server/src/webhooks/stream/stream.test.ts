import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Person, Send } from '#access/installations/testing/api-stage.ts'
import type { Id } from '#kernel/ids.ts'
import { eventsOf, type OpenStream, openStream } from '#test/event-source.ts'
import { type EndpointStage, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'
import { happened, settled } from './testing/stage.ts'

let stage: EndpointStage
let team: Team
let founder: Person
let installing: Send
beforeAll(async () => {
  stage = await openEndpointStage()
  team = await stage.team()
  founder = await stage.person()
  installing = await stage.as(team.test, founder)
})
afterAll(() => stage.close())

const SCOPES = ['read:webhooks', 'read:companies', 'read:investments']

/** An installation on a new company, with a token. */
async function installed(scopes: readonly string[] = SCOPES) {
  const company = await stage.company({ founder })
  const { data, token } = await installing('POST', '/installations', {
    ...{ target_type: 'company', target_id: company, scopes },
  })
  await settled(stage)
  return { id: data.id, company, token: token.access_token }
}

async function streaming(token: string, more: { readonly query?: string; readonly lastId?: string } = {}) {
  const headers = { authorization: `Bearer ${token}`, ...(more.lastId ? { 'last-event-id': more.lastId } : {}) }
  const opened = await openStream(`${stage.url}/events/stream${more.query ?? ''}`, { headers })
  onTestFinished(() => opened.close())
  return opened
}

async function opened(company: Id<'company'>): Promise<Id<'event'>> {
  return happened(stage, { name: 'offering.opened', subject: { companyId: company } })
}

const idsOf = (stream: OpenStream) => eventsOf(stream).map(({ id }) => id)

describe('an event stream', () => {
  test('sends new events as an endpoint would get them, with an id to continue from', async () => {
    const { id, company, token } = await installed()
    const stream = await streaming(token)
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    await expect.poll(() => stream.lastId()).not.toBe('')
    const event = await opened(company)
    await settled(stage)
    await expect.poll(() => idsOf(stream)).toEqual([event])
    const [first] = eventsOf(stream)
    expect(first?.attributes).toMatchObject({ event: 'offering.opened', installation_id: id, redelivery_of: null })
    expect(first?.attributes.payload).toMatchObject({
      ...{ id: event, event: 'offering.opened', mode: 'test' },
      installation: { id, target: { type: 'company', id: company } },
    })
    stream.close()
    const missed = [await opened(company), await opened(company)]
    await settled(stage)
    const again = await streaming(token, { lastId: stream.lastId() })
    await expect.poll(() => idsOf(again)).toEqual(missed)
    const last = await opened(company)
    await settled(stage)
    await expect.poll(() => idsOf(again)).toEqual([...missed, last])
  })
})
