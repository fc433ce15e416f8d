import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { companyFacts } from './company-facts.ts'
import { offeringFacts } from './offering-facts.ts'
import { serveFeed } from './testing/feed.ts'

/** The tests of the module offerings show the effects of these facts. This file tests validation, errors and outcomes. */
const feed = serveFeed([...companyFacts, ...offeringFacts])

const company = newId('company')
beforeAll(async () => {
  await sendFact('company.created', {
    id: company,
    name: 'Mills',
    page_url: 'https://example.org/mills',
    slug: 'mills',
  })
})

async function sendFact(type: string, data: object) {
  const [outcome] = await feed().send([{ id: `fact-${randomUUID()}`, type, occurred_at: '2026-02-01T12:00:00Z', data }])
  if (outcome === undefined) throw new Error('the response has no outcome for the fact')
  return outcome
}
const SAFE = { type: 'safe', terms: { valuation_cap: '8000000' } }
const create = (more: object = {}) => {
  const id = newId('offering')
  const data = { id, company, currency: 'usd', exemption: 'reg_cf', security: SAFE, ...more }
  return sendFact('offering.created', data).then((outcome) => ({ id, outcome }))
}

describe('offering.created', () => {
  test.each(['safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund', 'other'])(
    'an offering with a security of the kind %s is stored, even without any terms',
    async (type) => {
      const { id, outcome } = await create({ security: { type, terms: {} } })
      expect(outcome).toMatchObject({ status: 'applied', events: [] })
      const rows = await feed().db.sql('select security_type from test.offerings where id = $1', [id])
      expect(rows).toEqual([{ security_type: type }])
    },
  )

  test('times in different zones are stored in UTC', async () => {
    const { id } = await create({ opens_at: '2026-03-01T02:00:00+02:00', closes_at: '2026-04-01T00:00:00.5Z' })
    const [row] = await feed().db.sql<{ opens: string; closes: string }>(
      'select opens_at::text as opens, closes_at::text as closes from test.offerings where id = $1',
      [id],
    )
    expect(row).toEqual({ opens: '2026-03-01 00:00:00+00', closes: '2026-04-01 00:00:00.5+00' })
  })

  test.each([
    [{ security: { type: 'safe', terms: { share_price: '1' } } }, /^data\.security/],
    [{ security: { type: 'bond', terms: {} } }, /^data\.security/],
    [{ security: { type: 'safe', terms: { valuation_cap: '0' } } }, /^data\.security/],
    [{ security: null }, /^data\.security$/],
    [{ exemption: 'reg_d' }, /^data\.exemption$/],
    [{ funding_target_cents: 99 }, /^data\.funding_target_cents$/],
    [{ closes_at: '2026-02-30T00:00:00Z' }, /^data\.closes_at$/],
    [{ opens_at: '2026-03-01T01:00:00+02:00', closes_at: '2026-02-28T23:00:00Z' }, /^data\.closes_at$/],
    [{ name: 'Seed \u202e' }, /^data\.name$/],
    [{ status: 'open' }, /^data\.status$/],
    [{ id: newId('company') }, /^data\.id$/],
  ])('%j is rejected, and the error names the invalid field', async (wrong, field) => {
    const { id, outcome } = await create(wrong)
    expect(outcome).toMatchObject({ status: 'refused', error: { type: 'invalid_fact' } })
    expect(outcome.error?.field).toMatch(field)
    expect(await feed().db.sql('select id from test.offerings where id = $1', [id])).toEqual([])
  })
})

test('facts that open, close or cancel an offering each cause an event', async () => {
  const [{ id }, other] = [await create(), await create()]
  const moves = [
    ['offering.opened', { id }],
    ['offering.closing', { id, expected_disbursement_at: '2026-02-05T12:00:00+01:00' }],
    ['offering.closed', { id }],
    ['offering.canceled', { id: other.id }],
  ] as const
  for (const [type, data] of moves) {
    expect(await sendFact(type, data)).toMatchObject({ status: 'applied', events: [{ event: type }] })
  }
  expect(await sendFact('offering.canceled', { id })).toMatchObject({
    status: 'refused',
    error: { type: 'illegal_transition', details: { from: 'closed', event: 'cancel', allowed: [] } },
  })
})
