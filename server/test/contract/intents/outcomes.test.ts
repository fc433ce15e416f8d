import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expireDueIntents } from '#hosted/intents/index.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import { endManager, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeMembership } from '#test/syndicates.ts'
import { sender } from '../sender.ts'
import { approve, type IntentStage, openIntentStage, type Person, reviewPath } from './stage.ts'

let stage: IntentStage
let ada: Person
let grace: Person
let adas: TestBrowser
let graces: TestBrowser
beforeAll(async () => {
  stage = await openIntentStage()
  ada = await stage.person('Ada Lovelace')
  grace = await stage.person('Grace Hopper')
  adas = await stage.browser(ada)
  graces = await stage.browser(grace)
})
afterAll(() => stage?.close())

/** Creates a syndicate that two people run: one proposes, the other decides. */
async function aSyndicate(): Promise<Id<'syndicate'>> {
  const syndicateId = await stage.syndicate({ full_access: ada })
  const permission = 'full_access' as const
  await stage.arrange((tx) => setManager(tx, { syndicateId, userId: grace.user, permission }, occasionAt()))
  return syndicateId
}

async function propose(action_name: string, resource_id: string, params: object = {}): Promise<string> {
  const api = await stage.as(ada)
  return (await api('POST', '/intents', { action_name, resource_type: 'syndicate', resource_id, params })).data.id
}

const audit = (id: string) =>
  stage.service.db.sql<{ action: string; why: string | null }>(
    `select action, details ->> 'why' as why from platform.audit_entries where subject = $1 order by id`,
    [id],
  )

const events = (id: string) =>
  stage.service.db.sql<{ name: string; data: object; owner: string | null; app: boolean }>(
    `select name, data, user_id as owner, app_id is not null as app from test.events
      where name like 'intent.%' and data ->> 'id' = $1 order by recorded_at`,
    [id],
  )

describe('the events for the proposing app', () => {
  test('are intent.approved and then intent.executed, or intent.expired, each sent once, for the user who proposed', async () => {
    const syndicate = await aSyndicate()
    const done = await propose('syndicates.delete_draft', syndicate)
    await approve(graces, done)
    const about = { app: true, owner: ada.user }
    const dataOf = (id: string, status: string, of: string) => ({
      ...{ id, action: 'syndicates.delete_draft', status, resource: { type: 'syndicate', id: of } },
    })
    expect(await events(done)).toEqual([
      { ...about, name: 'intent.approved', data: dataOf(done, 'approved', syndicate) },
      { ...about, name: 'intent.executed', data: dataOf(done, 'executed', syndicate) },
    ])
    const other = await aSyndicate()
    const late = await propose('syndicates.delete_draft', other)
    await stage.service.db.sql(`update test.intents set expires_at = test.world_now() where id = $1`, [late])
    await stage.arrange((tx) => expireDueIntents(tx, 100))
    await stage.arrange((tx) => expireDueIntents(tx, 100))
    expect(await events(late)).toEqual([{ ...about, name: 'intent.expired', data: dataOf(late, 'expired', other) }])
  })
})

describe('a person who no longer runs the syndicate', () => {
  test('sees the outcome of deleting a draft as the approver or the proposer, and other people get 403', async () => {
    const syndicate = await aSyndicate()
    const mary = await stage.person('Mary')
    const manager = { syndicateId: syndicate, userId: mary.user, permission: 'full_access' } as const
    await stage.arrange((tx) => setManager(tx, manager, occasionAt()))
    const id = await propose('syndicates.delete_draft', syndicate)
    await approve(graces, id)
    const seen = await graces.open(reviewPath(id))
    expect([seen.status, seen.text.includes('<h1>Done</h1>'), seen.text.includes('Run by')]).toEqual([200, true, true])
    const own = await adas.open(reviewPath(id))
    expect([own.status, own.text.includes('<h1>Done</h1>'), own.text.includes('Run by')]).toEqual([200, true, false])
    expect((await (await stage.browser(mary)).open(reviewPath(id))).status).toBe(403)
  })

  test('is redirected to the outcome after approving their own removal', async () => {
    const syndicate = await aSyndicate()
    const user = grace.user
    const member_id = await stage.arrange((tx) => makeMembership(tx, { syndicate, user, status: 'member' }))
    const id = await propose('syndicates.remove_member', syndicate, { member_id })
    const { location } = await approve(graces, id)
    const seen = await graces.open(location ?? '')
    expect([seen.status, seen.text.includes('<h1>Done</h1>')]).toEqual([200, true])
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('can take back an intent that they proposed, but sees no figures', async () => {
    const syndicate = await aSyndicate()
    const deal = await stage.deal(syndicate)
    const id = await propose('syndicates.close_deal', syndicate, { fundraise_id: deal })
    await stage.arrange((tx) => endManager(tx, { syndicateId: syndicate, userId: ada.user }))
    const { status, text } = await adas.open(reviewPath(id))
    expect(status).toBe(200)
    for (const words of ['You no longer run the syndicate', 'Take it back']) expect(text).toContain(words)
    for (const words of ['Committed', 'value="approve"']) expect(text).not.toContain(words)
    await adas.submit(reviewPath(id), { decision: 'reject' })
    expect(await stage.stateOf(id)).toBe('rejected')
    expect((await adas.open(reviewPath(id))).text).toContain('<h1>Rejected</h1>')
  })
})

describe('an expired intent names its reason', () => {
  test('when the draft was deleted, in the same transaction, because no manager is left to decide', async () => {
    const syndicate = await aSyndicate()
    const other = await propose('syndicates.publish', syndicate)
    const id = await propose('syndicates.delete_draft', syndicate)
    await approve(graces, id)
    expect(await stage.stateOf(other)).toBe('expired')
    expect((await audit(other)).at(-1)).toEqual({ action: 'intent.expired', why: 'draft_deleted' })
    expect((await adas.open(reviewPath(other))).text).toContain('It expired: the draft was deleted. Nothing was done.')
  })

  test('when the app lost its access', async () => {
    const syndicate = await aSyndicate()
    const installed = await stage.installed({ syndicate }, undefined, await stage.client())
    const path = `/syndicates/${syndicate}/deals/${await stage.deal(syndicate)}/close`
    const { id } = (await installed('POST', path)).meta['close_deal_intent'] as { id: string }
    await graces.open(`/settings/apps/${installed.id}/remove`)
    await graces.submit(`/settings/apps/${installed.id}/remove`, {})
    expect((await graces.open(reviewPath(id))).text).toContain('It expired: the app lost its access.')
  })

  test('when its time was up, and all times on the page are by the world’s clock', async () => {
    const syndicate = await aSyndicate()
    const id = await propose('syndicates.publish', syndicate)
    expect((await graces.open(reviewPath(id))).text).toMatch(/it expires <time [^>]*>in 7 days<\/time>/)
    await stage.pass('3 days')
    const { text } = await graces.open(reviewPath(id))
    expect(text.match(/>3 days ago<\/time>/g)).toHaveLength(2)
    expect(text).not.toContain('just now')
    await stage.pass('4 days')
    expect((await graces.open(reviewPath(id))).text).toContain('It expired: nobody decided in time.')
    await stage.arrange((tx) => expireDueIntents(tx, 100))
    expect((await graces.open(reviewPath(id))).text).toMatch(
      /Expired: nobody decided in time <span[^>]*><time[^>]*>just now/,
    )
  })
})

test('"Not you?" on the page for a stranger leads back to the review', async () => {
  const id = await propose('syndicates.publish', await aSyndicate())
  const { status, text } = await (await stage.browser(await stage.person())).open(reviewPath(id))
  expect([status, text.includes(`name="return_to" value="${reviewPath(id)}"`)]).toEqual([403, true])
})

test('an approved removal fails if the member leaves the platform before the execution, as the audit and the decider’s activity show', async () => {
  const leaving = await stage.person('Leah Leaving')
  const syndicate = await aSyndicate()
  const user = leaving.user
  const member_id = await stage.arrange((tx) => makeMembership(tx, { syndicate, user, status: 'member' }))
  const id = await propose('syndicates.remove_member', syndicate, { member_id })
  // This is the state after the process died between approval and execution.
  await stage.service.db.sql(
    `update test.intents set state = 'approved', decided_by = $2, decided_at = test.world_now(),
            approved_digest = sha256('x') where id = $1`,
    [id, grace.user],
  )
  const occurred_at = new Date().toISOString()
  const fact = { id: 'leah-left', type: 'user.deactivated', occurred_at, data: { id: leaving.user } }
  const asHost = sender(stage.service.url, { authorization: `Bearer ${stage.service.operatorKeys.test}` })
  expect((await asHost('POST', '/platform/facts', [fact])).meta['applied']).toBe(1)
  expect(await stage.stateOf(id)).toBe('failed')
  expect((await audit(id)).at(-1)).toEqual({ action: 'intent.failed', why: 'person_left' })
  expect((await events(id)).map(({ name, owner }) => [name, owner])).toEqual([['intent.failed', ada.user]])
  for (const person of [ada, grace]) {
    const api = await stage.as(person, ['read:profile'])
    const entries = (await api('GET', '/activity')).list.filter(({ attributes }) => attributes['intent'] === id)
    const failed = entries.filter(({ attributes }) => attributes['status'] === 'failure')
    expect(failed.map(({ attributes }) => attributes['action'])).toEqual(['syndicates.remove_member'])
  }
})
