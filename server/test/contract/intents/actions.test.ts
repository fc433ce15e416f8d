import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import { readSyndicate, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { approve, type IntentStage, openIntentStage, type Person, refusal, reviewPath } from './stage.ts'

let stage: IntentStage
let ada: Person
let grace: Person
let graces: TestBrowser
beforeAll(async () => {
  stage = await openIntentStage()
  ada = await stage.person('Ada Lovelace')
  grace = await stage.person('Grace Hopper')
  graces = await stage.browser(grace)
})
afterAll(() => stage?.close())

/** Creates a syndicate that two people run, so that one proposes and the other approves. */
async function aSyndicate(settings: Parameters<IntentStage['syndicate']>[0] = {}): Promise<Id<'syndicate'>> {
  const syndicateId = await stage.syndicate({ full_access: ada, ...settings })
  const permission = 'full_access' as const
  await stage.arrange((tx) => setManager(tx, { syndicateId, userId: grace.user, permission }, occasionAt()))
  return syndicateId
}

async function propose(action_name: string, resource_id: string, params: object = {}) {
  const api = await stage.as(ada)
  return api('POST', '/intents', { action_name, resource_type: 'syndicate', resource_id, params })
}

async function resultOf(id: string) {
  const { data } = await (await stage.as(ada))('GET', `/intents/${id}`)
  return [data.attributes['status'], data.attributes['execution_result']]
}

test('syndicates.finalize_deal closes the deal and sends offering.closed', async () => {
  const syndicate = await aSyndicate()
  const deal = await stage.deal(syndicate, { status: 'closing' })
  const { data } = await propose('syndicates.finalize_deal', syndicate, { fundraise_id: deal })
  await approve(graces, data.id)
  expect(await resultOf(data.id)).toEqual(['executed', { offering: deal, status: 'closed' }])
  expect(await stage.events('offering.closed', deal)).toBe(1)
})

test('the review page of a testing-the-waters deal names reservations, never investments', async () => {
  const syndicate = await aSyndicate()
  const deal = await stage.deal(syndicate, { testing_the_waters: true })
  const { data } = await propose('syndicates.close_deal', syndicate, { fundraise_id: deal })
  const { text } = await graces.open(reviewPath(data.id))
  expect(text).toContain('stops taking reservations')
  expect(text).toContain('<dt>Reserved</dt>')
  expect(text).not.toMatch(/investment/i)
})

describe('syndicates.publish', () => {
  test('publishes a draft, and answers 422 for a published syndicate', async () => {
    const syndicate = await aSyndicate()
    const { data } = await propose('syndicates.publish', syndicate)
    await approve(graces, data.id)
    expect(await resultOf(data.id)).toEqual(['executed', { syndicate, published: true }])
    expect(await readSyndicate(stage.service.db.databases.test.reads, syndicate)).toMatchObject({ published: true })
    const again = await propose('syndicates.publish', syndicate)
    expect([refusal(again), again.error.message]).toEqual([
      [422, 'validation_error'],
      'The syndicate is published already.',
    ])
  })
})

describe('syndicates.remove_member', () => {
  test('removes the member, with syndicate_member.left', async () => {
    const syndicate = await aSyndicate()
    const member_id = await stage.arrange((tx) => makeMembership(tx, { syndicate, status: 'member' }))
    const { data } = await propose('syndicates.remove_member', syndicate, { member_id })
    await approve(graces, data.id)
    expect(await resultOf(data.id)).toEqual(['executed', { membership: member_id, status: 'removed' }])
    expect(await stage.events('syndicate_member.left', member_id)).toBe(1)
  })

  test('removes a manager, who then no longer runs the syndicate, but answers 422 for the only manager with full access', async () => {
    const syndicate = await aSyndicate()
    const other = await stage.person('Oscar')
    const member_id = await stage.arrange(async (tx) => {
      await setManager(tx, { syndicateId: syndicate, userId: other.user, permission: 'operator' }, occasionAt())
      return makeMembership(tx, { syndicate, user: other.user, status: 'member' })
    })
    const { data } = await propose('syndicates.remove_member', syndicate, { member_id })
    expect(data.attributes['impact_summary']).toContain('and stops running it')
    await approve(graces, data.id)
    const { managers } = (await readSyndicate(stage.service.db.databases.test.reads, syndicate)) ?? {}
    expect(managers?.map(({ user }) => user)).not.toContain(other.user)

    const alone = await stage.syndicate({ full_access: ada })
    const own = await stage.arrange((tx) => makeMembership(tx, { syndicate: alone, user: ada.user, status: 'member' }))
    expect(refusal(await propose('syndicates.remove_member', alone, { member_id: own }))).toEqual([
      422,
      'validation_error',
    ])
  })

  test('answers 422 for another syndicate’s member and for an applicant', async () => {
    const syndicate = await aSyndicate()
    const elsewhere = await stage.arrange((tx) => makeMembership(tx, { status: 'member' }))
    const pending = await stage.arrange((tx) => makeMembership(tx, { syndicate }))
    for (const member_id of [elsewhere, pending]) {
      const answer = await propose('syndicates.remove_member', syndicate, { member_id })
      expect(refusal(answer)).toEqual([422, 'validation_error'])
    }
  })

  test('cannot remove a person who left before the approval, which the page shows', async () => {
    const syndicate = await aSyndicate()
    const member_id = await stage.arrange((tx) => makeMembership(tx, { syndicate, status: 'member' }))
    const { data } = await propose('syndicates.remove_member', syndicate, { member_id })
    await stage.service.db.sql(`update test.memberships set status = 'left' where id = $1`, [member_id])
    expect((await graces.open(reviewPath(data.id))).text).toContain('This can no longer be done')
  })
})

describe('syndicates.delete_draft', () => {
  test('deletes the draft with its managers and apps, so it is not found and its slug is free', async () => {
    const syndicate = await aSyndicate({ slug: 'engine-drafts' })
    const installed = await stage.installed({ syndicate })
    const { data } = await propose('syndicates.delete_draft', syndicate)
    await approve(graces, data.id)
    expect(await resultOf(data.id)).toEqual(['executed', { syndicate, deleted: true }])
    expect((await installed('GET', '/intents')).status).toBe(401)
    const { reads } = stage.service.db.databases.test
    expect(await readSyndicate(reads, syndicate)).toBeNull()
    expect(refusal(await propose('syndicates.publish', syndicate))).toEqual([404, 'not_found'])
    await stage.arrange((tx) => makeSyndicate(tx, { slug: 'engine-drafts' }))
  })

  test('answers 422 for a syndicate that is published, runs deals, or has members other than its managers', async () => {
    const published = await aSyndicate({ published: true })
    const withDeal = await aSyndicate()
    await stage.deal(withDeal)
    const withMember = await aSyndicate()
    await stage.arrange((tx) => makeMembership(tx, { syndicate: withMember, status: 'member' }))
    const codes: unknown[] = []
    for (const syndicate of [published, withDeal, withMember]) {
      const { error } = await propose('syndicates.delete_draft', syndicate)
      codes.push((error.details as { fields: { code: string }[] }).fields[0]?.code)
    }
    expect(codes).toEqual(['not_a_draft', 'has_deals', 'has_members'])
  })
})
