import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { companyFacts } from './company-facts.ts'
import { userFacts } from './fact-types.ts'
import { investmentFacts } from './investment-facts.ts'
import { offeringFacts } from './offering-facts.ts'
import { serveFeed } from './testing/feed.ts'

/** The tests of the module investments show the effects of these facts. This file tests validation, errors and outcomes. */
const feed = serveFeed([...userFacts, ...companyFacts, ...offeringFacts, ...investmentFacts])

const fact = (type: string, data: object, occurred_at = '2026-02-01T12:00:00Z') => ({
  id: `fact-${randomUUID()}`,
  type,
  occurred_at,
  data,
})

async function sendFact(world: World, type: string, data: object, occurred_at?: string) {
  const [outcome] = await feed().send([fact(type, data, occurred_at)], world)
  if (outcome === undefined) throw new Error('the response has no outcome for the fact')
  return outcome
}

async function stage(world: World, terms: object = { security: { type: 'fund', terms: {} } }) {
  const [company, offering, investor] = [newId('company'), newId('offering'), newId('user')]
  const outcomes = await feed().send(
    [
      fact('user.registered', { id: investor, name: 'Mary', email: `${investor}@example.org` }),
      fact('company.created', { id: company, name: 'Mills', page_url: 'https://example.org/mills' }),
      fact('offering.created', { id: offering, company, currency: 'usd', exemption: 'reg_cf', ...terms }),
      fact('offering.opened', { id: offering }),
    ],
    world,
  )
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']))
  return { company, offering, investor }
}

const countsIn = (world: World) =>
  feed().db.sql(`select (select count(*) from ${world}.investments) as investments,
                        (select count(*) from ${world}.events) as events, (select count(*) from ${world}.facts) as facts,
                        (select md5(string_agg(t::text, '')) from ${world}.investor_totals t) as totals`)

describe.each(WORLDS)('in the %s world', (world) => {
  test('an investment goes from commitment to execution, and each outcome lists the events of its fact', async () => {
    const { offering, investor } = await stage(world)
    const id = newId('investment')
    const steps: readonly (readonly [string, object, string?])[] = [
      ['created', { id, offering, investor, amount_cents: 25_000, currency: 'usd' }, 'investment.created'],
      ['details_changed', { id, message: 'Two\nlines', shares: { count: '10', average_price: '25' } }],
      ['identity_changed', { id, state: 'passed' }],
      ['payment_pending', { id }],
      ['amount_changed', { id, amount_cents: 30_000 }, 'investment.amount_changed'],
      ['payment_received', { id, in_escrow_cents: 30_000 }],
      ['signature_changed', { id, state: 'passed' }],
      ['confirmed', { id }],
      ['amount_changed', { id, amount_cents: 0 }, 'investment.canceled'],
      ['reinstated', { id }, 'investment.reinstated'],
      ['executed', { id }, 'investment.executed'],
    ]
    for (const [what, data, event] of steps) {
      const outcome = await sendFact(world, `investment.${what}`, data)
      expect({ what, ...outcome }).toMatchObject({ what, status: 'applied' })
      expect(outcome.events.map((caused) => caused.event)).toEqual(event === undefined ? [] : [event])
    }
  })

  test('a move sends two events; the successor has the id from the fact or a new one', async () => {
    const { company, offering, investor } = await stage(world)
    const target = newId('offering')
    const terms = { company, currency: 'usd', exemption: 'reg_cf', security: { type: 'fund', terms: {} } }
    await sendFact(world, 'offering.created', { id: target, ...terms })
    const [id, successor] = [newId('investment'), newId('investment')]
    await sendFact(world, 'investment.created', { id, offering, investor, amount_cents: 25_000, currency: 'usd' })
    const moved = await sendFact(world, 'investment.moved', { id, offering: target, successor })
    expect(moved).toMatchObject({ status: 'applied' })
    expect(moved.events.map(({ event }) => event)).toEqual(['investment.created', 'investment.converted'])
    expect(await sendFact(world, 'investment.moved', { id: successor, offering })).toMatchObject({ status: 'applied' })
    const chain = await feed().db.sql(
      `select i.offering_id, i.status from ${world}.investments i where i.investor_id = $1 order by i.status, i.offering_id = $2`,
      [investor, offering],
    )
    expect(chain).toEqual([
      { offering_id: offering, status: 'active' },
      { offering_id: target, status: 'converted' },
      { offering_id: offering, status: 'converted' },
    ])
    expect(await sendFact(world, 'investment.moved', { id, offering: target })).toMatchObject({ status: 'refused' })
  })

  test('a fact about an investment of the other world is rejected as unknown', async () => {
    const other = world === 'test' ? 'live' : 'test'
    const { offering, investor } = await stage(other)
    const id = newId('investment')
    const committed = { id, offering, investor, amount_cents: 25_000, currency: 'usd' }
    expect(await sendFact(world, 'investment.created', committed)).toMatchObject({
      error: { type: 'unknown_reference', field: 'data.investor' },
    })
    await sendFact(other, 'investment.created', committed)
    expect(await sendFact(world, 'investment.canceled', { id })).toMatchObject({
      status: 'refused',
      error: { type: 'unknown_reference', field: 'data.id', details: { id } },
    })
  })
})

describe('a fact with a wrong field', () => {
  async function expectRefused(type: string, data: object, error: object) {
    const before = await countsIn('test')
    expect(await sendFact('test', type, data)).toMatchObject({ status: 'refused', events: [], error })
    expect(await countsIn('test')).toEqual(before)
  }

  test.each([
    ['with an amount beyond 2^53', { amount_cents: 9_007_199_254_741_000 }, 'data.amount_cents'],
    ['with a negative amount', { amount_cents: -100 }, 'data.amount_cents'],
    ['with cents that are not whole units', { amount_cents: 25_050 }, 'data.amount_cents'],
    ['with an amount of zero', { amount_cents: 0 }, 'data.amount_cents'],
    ['with an amount as text', { amount_cents: '25000' }, 'data.amount_cents'],
    ['in another currency', { currency: 'eur' }, 'data.currency'],
    ['with a currency in upper case', { currency: 'USD' }, 'data.currency'],
    ['without a currency', { currency: undefined }, 'data.currency'],
    ['with a right-to-left override in the message', { message: 'abc\u202edef' }, 'data.message'],
    ['through an entity with a line break', { entity_name: 'A\nB' }, 'data.entity_name'],
    ['with an unknown state of a check', { identity: 'maybe' }, 'data.identity'],
    ['with an unknown field', { amount: 250 }, 'data.amount'],
    ['under an id of another kind', { id: newId('offering') }, 'data.id'],
  ])('a commitment is rejected, the error names the field, and nothing is stored: %s', async (_, wrong, field) => {
    const { offering, investor } = await stage('test')
    const data = { id: newId('investment'), offering, investor, amount_cents: 25_000, currency: 'usd', ...wrong }
    await expectRefused('investment.created', data, { type: 'invalid_fact', field })
  })

  test('a fact that is sent before a fact it depends on is rejected', async () => {
    const id = newId('investment')
    for (const { type } of investmentFacts.filter((each) => each.type !== 'investment.created')) {
      const more: Record<string, object> = {
        'investment.amount_changed': { amount_cents: 100 },
        'investment.payment_received': { in_escrow_cents: 100 },
        'investment.converted': { to: null },
        'investment.conversion_resolved': { to: newId('investment') },
        'investment.moved': { offering: (await stage('test')).offering },
        'investment.details_changed': { message: 'Hello' },
      }
      const data = /(identity|accreditation|signature|review)_changed$/.test(type) ? { state: 'passed' } : more[type]
      await expectRefused(type, { id, ...data }, { type: 'unknown_reference', field: 'data.id' })
    }
  })

  test('a commitment to an offering that is not open is rejected with the offering’s state and allowed moves', async () => {
    const { offering, investor } = await stage('test')
    await sendFact('test', 'offering.closing', { id: offering })
    const data = { id: newId('investment'), offering, investor, amount_cents: 25_000, currency: 'usd' }
    await expectRefused('investment.created', data, {
      type: 'illegal_transition',
      details: { from: 'closing', event: 'invest', allowed: ['close', 'cancel'] },
    })
  })

  test('an illegal move is rejected with the state, the event and the allowed moves', async () => {
    const { offering, investor } = await stage('test')
    const id = newId('investment')
    await sendFact('test', 'investment.created', { id, offering, investor, amount_cents: 25_000, currency: 'usd' })
    await sendFact('test', 'investment.executed', { id })
    await expectRefused(
      'investment.amount_changed',
      { id, amount_cents: 0 },
      {
        type: 'illegal_transition',
        details: { from: 'executed', event: 'change_amount_to_zero', allowed: ['change_amount'] },
      },
    )
  })

  test('a second fact that creates the same investment is rejected', async () => {
    const { offering, investor } = await stage('test')
    const data = { id: newId('investment'), offering, investor, amount_cents: 25_000, currency: 'usd' }
    await sendFact('test', 'investment.created', data)
    await expectRefused('investment.created', data, { type: 'invalid_fact', field: 'data.id', code: 'already_exists' })
  })

  test('a reinstatement after the grace period is rejected', async () => {
    const { offering, investor } = await stage('test')
    const id = newId('investment')
    const data = { id, offering, investor, amount_cents: 25_000, currency: 'usd' }
    await sendFact('test', 'investment.created', data)
    await sendFact('test', 'investment.canceled', { id }, '2026-02-02T12:00:00Z')
    const late = await sendFact('test', 'investment.reinstated', { id }, '2026-02-09T12:00:00.000001Z')
    expect(late).toMatchObject({ status: 'refused', error: { type: 'illegal_transition' } })
    const intime = await sendFact('test', 'investment.reinstated', { id }, '2026-02-09T14:00:00+02:00')
    expect(intime).toMatchObject({ status: 'applied' })
  })
})
