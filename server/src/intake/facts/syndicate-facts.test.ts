import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { confirmInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { applyFact } from './apply-fact.ts'
import { FOUNDER, INVESTMENT, INVESTOR, MANAGER, MEMBER, OFFERING, OPERATOR, SYNDICATE } from './examples.ts'
import { FACT_GROUPS, factRules } from './fact-types.ts'

const GROUPS = FACT_GROUPS.filter(({ heading }) => /^(Syndicates|Memberships|Join s|Investment s)/.test(heading))
const rules = factRules(FACT_SETTINGS)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  for (const world of WORLDS) {
    await db.databases[world].transaction(async (tx) => {
      for (const id of [FOUNDER, INVESTOR, MANAGER, MEMBER, OPERATOR]) await makeUser(tx, { id })
      await makeOffering(tx, { id: OFFERING })
      await makeInvestment(tx, { id: INVESTMENT, offering: OFFERING, investor: INVESTOR })
      await confirmInvestment(tx, { id: INVESTMENT }, occasionAt())
    })
  }
})
afterAll(() => db.close())

function sendFact({ type, data }: { readonly type: string; readonly data: unknown }, world: World = 'test') {
  const fact = { id: newId('request'), type, occurred_at: '2026-06-01T12:00:00Z', data }
  return applyFact(db.databases[world], rules, fact)
}

/** The names of the events that each fact's example causes. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'membership.invited': ['syndicate_member.invited'],
  'membership.reinvited': ['syndicate_member.reinvited'],
  'membership.applied': ['syndicate_member.applied'],
  'membership.approved': ['syndicate_member.approved', 'syndicate_member.joined'],
  'membership.joined': ['syndicate_member.joined'],
  'membership.payment_failed': ['syndicate_member.left'],
  'membership.left': ['syndicate_member.left'],
  'membership.removed': ['syndicate_member.left'],
  'membership.declined': ['syndicate_member.declined'],
  'membership.withdrawn': ['syndicate_member.declined'],
  'join_session.pending_approval': ['syndicate_member.applied', 'join_session.pending_approval'],
  'join_session.completed': ['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'],
  'join_session.rejected': ['syndicate_member.declined', 'join_session.rejected'],
  'join_session.ineligible': ['join_session.ineligible'],
  'join_session.canceled': ['join_session.canceled'],
  'join_session.expired': ['join_session.expired'],
  'investment_session.created': ['investment_session.created'],
  'investment_session.started': ['investment_session.started'],
  'investment_session.completed': ['investment_session.completed'],
  'investment_session.expired': ['investment_session.expired'],
  'investment_session.canceled': ['investment_session.canceled'],
}

describe.each(WORLDS)('in the %s world all examples are applied in order', (world) => {
  describe.each(GROUPS)('$heading', ({ stage, facts }) => {
    beforeAll(async () => {
      for (const fact of stage) expect(await sendFact(fact, world)).toMatchObject({ status: 'applied' })
    })

    test.each(facts)('$type', async ({ type, example }) => {
      const outcome = await sendFact({ type, data: example }, world)
      expect(outcome).toMatchObject({ status: 'applied' })
      expect(outcome.events.map(({ event }) => event)).toEqual(EVENTS[type] ?? [])
    })
  })
})

describe('wrong facts', () => {
  const created = { id: newId('syndicate'), name: 'Angels', slug: 'angels' }
  const session = { id: newId('investmentSession'), offering: OFFERING, expires_at: '2099-01-01T00:00:00Z' }
  test.each([
    ['syndicate.created', { ...created, name: 'Evil\u202eslegnA' }, 'data.name'],
    ['syndicate.created', { ...created, slug: 'With Spaces' }, 'data.slug'],
    [
      'syndicate.created',
      { ...created, fund: { type: 'annual_subscription', amount_per_deal_cents: 150 } },
      'data.fund',
    ],
    ['syndicate.created', { ...created, fund: { type: 'traditional_fund' } }, 'data.fund'],
    ['syndicate.created', { ...created, launch: true }, 'data.launch'],
    ['syndicate.manager_set', { syndicate: SYNDICATE, user: MANAGER, permission: 'owner' }, 'data.permission'],
    ['membership.invited', { syndicate: SYNDICATE, email: 'no email address', invited_by: MANAGER }, 'data.email'],
    ['membership.applied', { id: 'mem_short', syndicate: SYNDICATE, user: MEMBER }, 'data.id'],
    ['membership.approved', { id: newId('membership') }, 'data.approved_by'],
    ['join_session.ineligible', { id: newId('joinSession'), reason: 'mood' }, 'data.reason'],
    ['investment_session.created', { ...session, email: 'a@b.c', allocation_cents: 2 ** 53 }, 'data.allocation_cents'],
    ['investment_session.created', { ...session, email: 'a@b.c', allocation_cents: 150 }, 'data.allocation_cents'],
    ['investment_session.created', session, 'data.email'],
  ])('a fact %s with %j is rejected, and the error names the field %s', async (type, data, field) => {
    const outcome = await sendFact({ type, data })
    expect(outcome).toMatchObject({ status: 'refused', error: { type: 'invalid_fact' } })
    expect(outcome.status === 'refused' && outcome.error.field?.startsWith(field)).toBe(true)
  })

  test('a fact with an id of the other world is rejected as unknown', async () => {
    const id = newId('syndicate')
    expect(await sendFact({ type: 'syndicate.created', data: { ...created, id } }, 'live')).toMatchObject({
      status: 'applied',
    })
    expect(await sendFact({ type: 'syndicate.updated', data: { id, name: 'Here' } })).toMatchObject({
      status: 'refused',
      error: { type: 'unknown_reference', field: 'data.id' },
    })
  })
})
