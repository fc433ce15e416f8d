import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { FACT_GROUPS } from './fact-types.ts'
import { serveFeed } from './testing/feed.ts'

/** Mistakes of a host platform: each is rejected with a clear reason, and nothing is applied in part. */

const feed = serveFeed(FACT_GROUPS.flatMap(({ facts }) => facts))

const AT = '2026-01-15T12:00:00Z'
const fact = (type: string, data: object, occurred_at = AT) => ({ id: randomUUID(), type, occurred_at, data })

const [investor, company, offering] = [newId('user'), newId('company'), newId('offering')]
const person = { id: investor, name: 'Mary Somerville', email: 'mary@example.com' }
const page = { id: company, name: 'Engines', page_url: 'https://platform.example.org/engines' }
const sale = { id: offering, company, currency: 'usd', exemption: 'reg_cf', security: { type: 'safe', terms: {} } }
const commitment = (more: object = {}) => ({
  id: newId('investment'),
  offering,
  investor,
  amount_cents: 10_000,
  currency: 'usd',
  ...more,
})

beforeAll(async () => {
  const outcomes = await feed().send([
    fact('user.registered', person),
    fact('company.created', page),
    fact('offering.created', sale),
    fact('offering.opened', { id: offering }),
  ])
  expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([])
})

const TABLES = 'users companies offerings investments investor_totals investment_changes events facts'.split(' ')

/** A digest of all rows of these tables in one world. */
async function everything(world: World) {
  const rows = TABLES.map((table) => `(select string_agg(t::text, '' order by t::text) from ${world}.${table} t)`)
  return feed().db.sql(`select md5(concat(${rows.join()})) as digest`)
}

async function refused(sent: object, world: World = 'test') {
  const before = await everything(world)
  const [outcome] = await feed().send([sent], world)
  expect(outcome).toMatchObject({ status: 'refused', events: [] })
  expect(await everything(world)).toEqual(before)
  return outcome?.error
}

describe('a fact with a mistake', () => {
  test.each([
    ['an amount beyond 2^53', { amount_cents: 9_007_199_254_740_992 }, 'data.amount_cents', 'too_large'],
    ['a negative amount', { amount_cents: -10_000 }, 'data.amount_cents', 'too_small'],
    ['an amount of zero', { amount_cents: 0 }, 'data.amount_cents', 'too_small'],
    ['cents that are not whole units', { amount_cents: 10_050 }, 'data.amount_cents', 'not_a_multiple'],
    ['another currency than the offering’s', { currency: 'eur' }, 'data.currency', expect.any(String)],
    ['a message with a right-to-left override', { message: 'safe\u202eexe' }, 'data.message', 'invalid_format'],
    ['an entity with a control character', { entity_name: 'Holding\u0007' }, 'data.entity_name', 'invalid_format'],
  ])(
    'a commitment with this mistake is rejected, and the error names the field: %s',
    async (_what, more, field, code) => {
      expect(await refused(fact('investment.created', commitment(more)))).toMatchObject({
        type: 'invalid_fact',
        field,
        code,
      })
    },
  )

  test('a fact with a time in the far future is rejected', async () => {
    const error = await refused(fact('investment.created', commitment(), '2199-01-01T00:00:00Z'))
    expect(error).toMatchObject({ type: 'invalid_fact', field: 'occurred_at', code: 'in_the_future' })
  })

  test('a fact that creates an existing record again is rejected', async () => {
    expect(await refused(fact('user.registered', { ...person, email: 'other@example.com' }))).toMatchObject({
      type: 'invalid_fact',
      field: 'data.id',
      code: 'already_exists',
    })
  })

  test('registering a person with the address of another person is rejected, in any letter case', async () => {
    const error = await refused(fact('user.registered', { ...person, id: newId('user'), email: 'MARY@example.com' }))
    expect(error).toMatchObject({ type: 'invalid_fact', code: expect.any(String) })
  })
})

describe('facts out of order', () => {
  test('a fact sent before its record exists is rejected, and the error names the record; sent in order, it is applied', async () => {
    const later = { ...person, id: newId('user'), email: 'later@example.com' }
    const facts = [
      fact('investment.created', commitment({ investor: later.id })),
      fact('user.registered', later),
    ] as const
    expect(await refused(facts[0])).toMatchObject({
      type: 'unknown_reference',
      field: 'data.investor',
      details: { id: later.id },
    })
    expect(await feed().send([facts[1], facts[0]])).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
  })

  test('a fact that the current state does not allow is rejected, and the error lists the allowed moves', async () => {
    const investment = commitment()
    await feed().send([fact('investment.created', investment)])
    expect(await refused(fact('investment.reinstated', { id: investment.id }))).toMatchObject({
      type: 'illegal_transition',
      details: { from: 'active', event: 'reinstate', allowed: expect.arrayContaining(['cancel', 'execute']) },
    })
  })
})

describe('a fact with an id of the other world', () => {
  test('a fact with an id of the other world is rejected as unknown', async () => {
    expect(await refused(fact('offering.closing', { id: offering }), 'live')).toMatchObject({
      type: 'unknown_reference',
      field: 'data.id',
      details: { id: offering },
    })
    expect(await refused(fact('investment.created', commitment()), 'live')).toMatchObject({ type: 'unknown_reference' })
  })
})
