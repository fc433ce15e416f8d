import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consent } from '../flow.ts'
import { aCompanyOf } from '../installing.ts'
import type { Send } from '../sender.ts'
import type { App, Person } from '../stage.ts'
import { anOffering, type EventStage, openEventStage } from './stage.ts'

/**
 * If an app changes endpoints for a person on its team, the changes are in that person's activity, like all other
 * changes.
 */

let stage: EventStage
let app: App
let owner: Person
let api: Send
beforeAll(async () => {
  stage = await openEventStage()
  app = await stage.partner(['read:profile', 'read:companies'])
  owner = app.team.owner
  const { access_token } = await consent(stage, app.key, owner, { scope: 'write:webhooks read:profile' })
  api = stage.api(access_token)
})
afterAll(() => stage.close())

type Entry = Readonly<Record<'action' | 'status' | 'resource_type' | 'resource_id', string>>

/** Returns the entries, oldest first. */
const activity = async (send = api, pattern = 'webhook_endpoints.*'): Promise<readonly Entry[]> => {
  const { list } = await send('GET', `/activity?action_pattern=${pattern}&per_page=100`)
  return list.map(({ attributes }) => attributes as unknown as Entry).toReversed()
}
const actions = async () => (await activity()).map(({ action }) => action)

/** Waits, because the service records a test delivery after it was sent, and a rejection after the response. */
const untilTold = (...names: readonly string[]) => expect.poll(actions).toEqual(expect.arrayContaining([...names]))

describe('GET /activity', () => {
  test('has an entry with its own name for every change of an endpoint, and no entry for reading', async () => {
    const target = await aCompanyOf(stage, await stage.person())
    await stage.sendFact('company.person_set', { company: target.target_id, user: owner.user, role: 'founder' })
    const installing = await consent(stage, app.key, owner, {
      scope: 'write:webhooks read:profile write:installations',
    })
    await stage.api(installing.access_token)('POST', '/installations', target)
    const listener = await stage.listen(app, { events: ['offering.opened'] })
    const before = (await activity()).length
    const body = { url: 'https://hooks.example.org/', events: ['offering.opened'] }
    const { data } = await api('POST', '/webhook_endpoints', { ...body, mode: 'test' })
    const path = `/webhook_endpoints/${data.id}`
    await api('GET', path)
    await api('GET', '/webhook_endpoints')
    await api('PATCH', path, { events: ['offering.opened', 'offering.closed'] })
    await api('PATCH', path, {})
    await api('POST', `${path}/rotate_secret`)
    await api('POST', `${path}/reenable`)
    await api('POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' })
    await api('DELETE', path)
    await anOffering(stage, target.target_id)
    await listener.received()
    const own = `/webhook_endpoints/${listener.id}`
    const { list } = await api('GET', `${own}/deliveries`)
    const again = await api('POST', `${own}/deliveries/${list[0]?.id}/redeliver`)
    await api('POST', `${own}/test`)
    await untilTold('webhook_endpoints.test')
    const recorded = (await activity()).slice(before)
    const on = { resource_type: 'webhook_endpoint', resource_id: data.id, status: 'success' }
    expect(recorded).toMatchObject([
      { ...on, action: 'webhook_endpoints.create' },
      { ...on, action: 'webhook_endpoints.update', changed_fields: ['events'] },
      { ...on, action: 'webhook_endpoints.rotate_secret' },
      { ...on, action: 'webhook_endpoints.reenable' },
      { ...on, action: 'webhook_endpoints.replay' },
      { ...on, action: 'webhook_endpoints.delete' },
      { action: 'webhook_endpoints.deliveries.redeliver', resource_type: 'delivery', resource_id: again.data.id },
      { action: 'webhook_endpoints.test', resource_id: listener.id, status: 'success' },
    ])
    expect(JSON.stringify(recorded)).not.toMatch(/whsec_|hooks\.example/)
  })

  test('records a rejected request as denied for a caller outside the team, and as failure for an unknown endpoint', async () => {
    const stranger = await stage.person()
    const { access_token } = await consent(stage, app.key, stranger, { scope: 'write:webhooks read:profile' })
    const outside = stage.api(access_token)
    await outside('POST', '/webhook_endpoints', { url: 'https://hooks.example.org/', events: ['offering.opened'] })
    await api('DELETE', '/webhook_endpoints/whe_000000000000000000000000')
    await expect
      .poll(() => activity(outside))
      .toMatchObject([{ action: 'webhook_endpoints.create', status: 'denied', resource_type: 'webhook_endpoints' }])
    await expect
      .poll(async () => (await activity()).at(-1))
      .toMatchObject({ action: 'webhook_endpoints.delete', status: 'failure' })
  })

  test('has no entries for actions with an installation’s token', async () => {
    const founder = await stage.person()
    const target = await aCompanyOf(stage, founder)
    const id = await stage.install(app, founder, target)
    const { access_token } = await consent(stage, app.key, founder, { scope: 'write:installations read:profile' })
    const minted = await stage.api(access_token)('POST', `/installations/${id}/tokens`)
    const bearer = String((minted as unknown as { token?: { access_token: string } }).token?.access_token)
    const body = { url: 'https://hooks.example.org/', events: ['offering.opened'] }
    expect((await stage.api(bearer)('POST', '/webhook_endpoints', body)).status).toBe(201)
    expect(await activity(stage.api(access_token))).toEqual([])
  })
})
