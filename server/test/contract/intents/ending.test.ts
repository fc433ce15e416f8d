import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConnection } from '#access/tokens/testing/stage.ts'
import { expireDueIntents } from '#hosted/intents/index.ts'
import type { Id } from '#kernel/ids.ts'
import { setManager } from '#market/syndicates/index.ts'
import { anAccount } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeMembership } from '#test/syndicates.ts'
import { type Send, sender } from '../sender.ts'
import { approve, type IntentStage, openIntentStage, type Person, reviewPath } from './stage.ts'

let stage: IntentStage
let ada: Person
let grace: Person
let syndicate: Id<'syndicate'>
beforeAll(async () => {
  stage = await openIntentStage()
  ada = await stage.person('Ada Lovelace')
  grace = await stage.person('Grace Hopper')
  syndicate = await stage.syndicate({ full_access: ada })
  await stage.arrange((tx) =>
    setManager(tx, { syndicateId: syndicate, userId: grace.user, permission: 'full_access' }, occasionAt()),
  )
})
afterAll(() => stage?.close())

async function proposedBy(send: Send): Promise<Id<'intent'>> {
  const deal = await stage.deal(syndicate)
  const { meta } = await send('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
  return (meta['close_deal_intent'] as { id: Id<'intent'> }).id
}

const operator = (method: 'POST' | 'GET', path: string, body?: unknown) =>
  sender(stage.service.url, { authorization: `Bearer ${stage.service.operatorKeys.live}` })(method, path, body)

async function whyOf(id: string) {
  const rows = await stage.service.db.sql<{ why: string | null }>(
    `select details ->> 'why' as why from platform.audit_entries where subject = $1 and action = 'intent.expired'`,
    [id],
  )
  return rows.map(({ why }) => why)
}

describe('pending intents expire', () => {
  test('after seven days of the world’s clock: readers see it at once, the audit and the activity show it after a worker ran', async () => {
    const api = await stage.as(ada, ['write:syndicates', 'read:profile'])
    const id = await proposedBy(api)
    await stage.pass('6 days 23 hours')
    expect((await (await stage.as(ada))('GET', `/intents/${id}`)).data.attributes['status']).toBe('pending')
    await stage.pass('1 hour')
    const later = await stage.as(ada, ['write:syndicates', 'read:profile'])
    expect((await later('GET', `/intents/${id}`)).data.attributes['status']).toBe('expired')
    expect((await later('GET', '/intents?status=expired')).list.map((one) => one.id)).toContain(id)
    const browser = await stage.browser(grace)
    expect((await browser.open(reviewPath(id))).text).toContain('<h1>Expired</h1>')
    await browser.submit(reviewPath(id), { decision: 'approve', shown: '' })
    await stage.arrange((tx) => expireDueIntents(tx, 10))
    expect(await stage.stateOf(id)).toBe('expired')
    expect(await whyOf(id)).toEqual(['time'])
    const recorded = (await later('GET', '/activity')).list.filter(({ attributes }) => attributes['intent'] === id)
    expect(recorded.map(({ attributes }) => [attributes['actor_type'], attributes['action']])).toContainEqual([
      'system',
      'intents.expire',
    ])
  })

  test('with the installation that proposed them, but not with another installation', async () => {
    const [app, other] = [await stage.client(), await stage.client()]
    const gone = await stage.installed({ syndicate }, undefined, app)
    const stays = await stage.installed({ syndicate }, undefined, other)
    const [id, kept] = [await proposedBy(gone), await proposedBy(stays)]
    const browser = await stage.browser(grace)
    await browser.open(`/settings/apps/${gone.id}/remove`)
    await browser.submit(`/settings/apps/${gone.id}/remove`, {})
    expect([await stage.stateOf(id), await stage.stateOf(kept)]).toEqual(['expired', 'pending'])
    expect(await whyOf(id)).toEqual(['installation_revoked'])
    expect((await gone('POST', `/syndicates/${syndicate}/deals/${await stage.deal(syndicate)}/close`)).status).toBe(401)
  })

  test('with the user’s connection, ended by DELETE /connected-apps/{id}, while another user’s intents stay', async () => {
    const app = await stage.client()
    const api = await stage.as(ada, ['write:syndicates', 'write:profile'], app)
    const [id, kept] = [await proposedBy(api), await proposedBy(await stage.as(grace, undefined, app))]
    expect((await api('DELETE', `/connected-apps/${app.app}`)).status).toBe(200)
    expect([await stage.stateOf(id), await stage.stateOf(kept)]).toEqual(['expired', 'pending'])
  })

  test('when their connection is revoked, but not when a connection with other scopes replaces it', async () => {
    const app = await stage.client()
    const id = await proposedBy(await stage.as(ada, undefined, app))
    await aConnection(stage.service.db, app, { user: ada.user, scopes: ['read:syndicates', 'write:profile'] })
    expect(await stage.stateOf(id)).toBe('pending')
    const newer = await stage.as(ada, ['read:syndicates', 'write:profile'], app)
    expect((await newer('GET', `/intents/${id}`)).status).toBe(200)
    await newer('DELETE', `/connected-apps/${app.app}`)
    expect(await stage.stateOf(id)).toBe('expired')
  })

  test('when their app is suspended, and stay expired when the suspension is lifted', async () => {
    const app = await stage.client()
    const id = await proposedBy(await stage.installed({ syndicate }, undefined, app))
    await operator('POST', `/platform/apps/${app.app}/suspend`, { reason: 'x' })
    expect([await stage.stateOf(id), await whyOf(id)]).toEqual(['expired', ['app_stopped']])
    await operator('POST', `/platform/apps/${app.app}/lift`)
    expect(await stage.stateOf(id)).toBe('expired')
  })

  test('when the team disables their app', async () => {
    const app = await stage.client()
    const id = await proposedBy(await stage.as(ada, undefined, app))
    const account = await anAccount(stage.service.db)
    await stage.service.db.sql(
      `insert into platform.organization_members (organization_id, account_id, role)
       select organization_id, $2, 'owner' from platform.apps where id = $1`,
      [app.app, account],
    )
    const browser = await stage.browser({ ...ada, account })
    const me = JSON.parse((await browser.open('/portal/api/me')).text) as { meta: { csrf: string } }
    const cookie = `portico=${browser.cookies.get('portico')}`
    const headers = { cookie, origin: stage.service.url, 'x-portico-csrf': me.meta.csrf }
    const answer = await sender(stage.service.url, headers)('POST', `/portal/api/apps/${app.app}/disable`)
    expect(answer.status).toBe(200)
    expect([await stage.stateOf(id), await whyOf(id)]).toEqual(['expired', ['app_stopped']])
  })

  test('when the organization of their app ends', async () => {
    const app = await stage.client()
    const id = await proposedBy(await stage.installed({ syndicate }, undefined, app))
    const [row] = await stage.service.db.sql<{ id: string }>(
      'select organization_id as id from platform.apps where id = $1',
      [app.app],
    )
    const ended = await operator('POST', `/platform/organizations/${row?.id}/end`, { reason: 'x' })
    expect(ended.status).toBe(200)
    expect(await stage.stateOf(id)).toBe('expired')
  })
})

describe('a person who leaves', () => {
  test('has their texts and their name erased, and the outcomes of the intents stay', async () => {
    const leaving = await stage.person('Leah Leaving')
    const member_id = await stage.arrange(async (tx) => {
      const permission = 'full_access' as const
      await setManager(tx, { syndicateId: syndicate, userId: leaving.user, permission }, occasionAt())
      return makeMembership(tx, { syndicate, user: leaving.user, status: 'member' })
    })
    const own = await proposedBy(await stage.as(leaving))
    const removal = { action_name: 'syndicates.remove_member', resource_type: 'syndicate', resource_id: syndicate }
    const { data } = await (await stage.as(ada))('POST', '/intents', { ...removal, params: { member_id } })
    const done = await proposedBy(await stage.as(ada))
    const browser = await stage.browser(leaving)
    await browser.open(reviewPath(done))
    await browser.submit(reviewPath(done), { decision: 'reject', reason: 'I am Leah' })
    const fact = {
      id: 'leah-leaves',
      type: 'user.deactivated',
      occurred_at: new Date().toISOString(),
      data: { id: leaving.user },
    }
    const recorded = sender(stage.service.url, { authorization: `Bearer ${stage.service.operatorKeys.test}` })
    expect((await recorded('POST', '/platform/facts', [fact])).meta['applied']).toBe(1)
    const rows = await stage.service.db.sql<{ state: string; all: string }>(
      `select state, i::text as "all" from test.intents i where id = any($1) order by array_position($1, id)`,
      [[own, data.id, done]],
    )
    expect(rows.map(({ state }) => state)).toEqual(['expired', 'expired', 'rejected'])
    for (const { all } of rows) expect(all).not.toContain('Leah')
    expect((await (await stage.browser(grace)).open(reviewPath(data.id))).status).toBe(200)
  })
})

test('an approved intent of an installation is executed', async () => {
  const app = await stage.installed({ syndicate }, undefined, await stage.client())
  const id = await proposedBy(app)
  await approve(await stage.browser(grace), id)
  expect(await stage.stateOf(id)).toBe('executed')
})
