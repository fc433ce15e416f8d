import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { CHECK_STATES, INVESTMENT_STATES } from '#market/investments/index.ts'
import { GROUPS } from './blockers.ts'
import type { Facts } from './facts.ts'
import { changedFields, DERIVATION, isSameRecord, type OpenText, renderRecord } from './record.ts'

const derive = (facts: Facts) => DERIVATION.derive(facts)
const [T0, T1] = [worldTime('2026-02-01T00:00:00.000000Z'), worldTime('2026-02-02T00:00:00.000001Z')]

/** A new active investment of 250 units under Reg CF. */
const NEW: Facts = {
  id: newId('investment'),
  company: newId('company'),
  offering: newId('offering'),
  investor: newId('user'),
  currency: 'usd',
  status: 'active',
  status_before_cancel: null,
  amount_cents: 25_000 as Cents,
  last_amount_cents: 25_000 as Cents,
  in_escrow_cents: 0 as Cents,
  applied_at: T0,
  confirmed: false,
  converted_to: null,
  converted_from: null,
  payment: 'none',
  identity: 'required',
  accreditation: 'not_required',
  signature: 'required',
  review: 'not_required',
  hidden: false,
  entity_name: null,
  message: null,
  external_username: null,
  contracts: [],
  shares: null,
  average_share_price: null,
  exemption: 'reg_cf',
  testing_the_waters: false,
  security_type: 'safe',
  intended_security_type: null,
  deactivated: false,
  name: 'Ada Lovelace',
  legal_name: 'Augusta Ada King',
  email: 'ada@example.org',
  bio: null,
  address: null,
}
const PASSED = { identity: 'passed', signature: 'passed' } as const
const CANCELED = { status: 'canceled', status_before_cancel: 'active' } as const
const PAID = { payment: 'received', in_escrow_cents: NEW.amount_cents ?? (0 as Cents) } as const

const whole = ({ body, identity }: OpenText) => JSON.parse(`${body}${identity}}`) as Record<string, unknown>
const withoutIdentity = ({ body }: OpenText) => JSON.parse(`${body}}}`) as Record<string, unknown>
const open = (over: Partial<Facts> = {}) => derive({ ...NEW, ...over }).open

describe('group', () => {
  test.each<[string, Partial<Facts>]>([
    ['RESERVED', { status: 'reserved', testing_the_waters: true }],
    ['NO PAYMENT YET', {}],
    ['NO PAYMENT YET', { payment: 'failed', ...PASSED }],
    ['NO PAYMENT YET', { payment: 'refunded' }],
    ['PENDING', { payment: 'pending' }],
    ['PENDING', { payment: 'received', identity: 'passed' }],
    ['PENDING', { payment: 'received', in_escrow_cents: 24_900 as Cents, ...PASSED }],
    ['IS READY', { ...PAID, ...PASSED }],
    ['CONFIRMED', { confirmed: true }],
    ['NO PAYMENT YET', { confirmed: true, payment: 'refunded', ...PASSED }],
    ['CONFIRMED', { status: 'executed', payment: 'received' }],
    ['RESERVED', { status: 'canceled', status_before_cancel: 'reserved' }],
    ['NO PAYMENT YET', { status: 'canceled', status_before_cancel: 'active' }],
    ['PENDING', { ...CANCELED, ...PAID }],
    ['IS READY', { ...CANCELED, ...PAID, ...PASSED }],
    ['IS READY', { ...CANCELED, ...PAID, ...PASSED, amount_cents: null }],
    ['PENDING', { ...CANCELED, ...PASSED, payment: 'received', in_escrow_cents: 10_000 as Cents, amount_cents: null }],
    ['CONFIRMED', { ...CANCELED, ...PAID, confirmed: true }],
    ['NO PAYMENT YET', { ...CANCELED, ...PASSED, confirmed: true }],
    ['NO PAYMENT YET', { ...CANCELED, ...PASSED, confirmed: true, payment: 'refunded' }],
    ['NO PAYMENT YET', { ...CANCELED, ...PASSED, payment: 'pending' }],
    ['RESERVED', { ...CANCELED, status_before_cancel: 'reserved', ...PAID }],
    ['RESERVED', { status: 'converted', testing_the_waters: true }],
  ])('%s for %o', (group, over) => {
    expect(open(over).group).toBe(group)
  })
})

describe('blockers', () => {
  const keys = (over: Partial<Facts>) => open(over).blockers.map(({ key }) => key)

  test('blockers are the open steps in the order in which an investor takes them, each with a sentence', () => {
    const all = { identity: 'failed', accreditation: 'pending', signature: 'required', review: 'pending' } as const
    expect(keys(all)).toEqual(['needs_id', 'needs_accreditation', 'needs_signature', 'needs_payment', 'needs_review'])
    expect(open(all).blockers.every(({ description }) => description.endsWith('.'))).toBe(true)
  })
  test('do not include needs_payment while a payment is pending', () => {
    expect(keys({ ...PASSED, payment: 'pending' })).toEqual([])
  })
  test('include needs_payment if less is in escrow than was committed, but not if more is', () => {
    expect(keys({ ...PASSED, ...PAID })).toEqual([])
    expect(keys({ ...PASSED, ...PAID, in_escrow_cents: 24_900 as Cents })).toEqual(['needs_payment'])
    expect(keys({ ...PASSED, ...PAID, amount_cents: 25_100 as Cents })).toEqual(['needs_payment'])
    expect(keys({ ...PASSED, ...PAID, amount_cents: 100 as Cents })).toEqual([])
  })
  test('include needs_payment if the investment was refunded after its confirmation', () => {
    expect(keys({ ...PASSED, confirmed: true, payment: 'refunded' })).toEqual(['needs_payment'])
  })
  test('are empty for an ended investment, and never include needs_payment for a reservation', () => {
    expect(keys({ status: 'reserved', identity: 'not_required', signature: 'not_required' })).toEqual([])
    for (const status of ['executed', 'canceled', 'converted'] as const) expect(keys({ status })).toEqual([])
  })
})

describe('amounts', () => {
  test('amounts count toward the raise once confirmed, and count 0 while needs_whitelisting is true', () => {
    expect(open()).toMatchObject({ needs_whitelisting: true, amounts: { committed_cents: 25_000, raised_cents: 0 } })
    expect(open({ confirmed: true })).toMatchObject({
      needs_whitelisting: false,
      amounts: { committed_cents: 25_000, investment_size_cents: 25_000, raised_cents: 25_000, currency: 'usd' },
    })
  })
  test('amounts of a reservation count toward the raise; those of hidden, canceled and converted investments do not', () => {
    expect(open({ status: 'reserved' }).amounts.raised_cents).toBe(25_000)
    const gone = [{ hidden: true }, { status: 'canceled' as const }, { status: 'converted' as const }]
    for (const over of gone) expect(open({ confirmed: true, ...over }).amounts.raised_cents).toBe(0)
  })
  test('an amount edited to zero is 0, never null', () => {
    expect(open({ status: 'canceled', amount_cents: null }).amounts.committed_cents).toBe(0)
  })
  test('a canceled investment has nothing in escrow: the paid amount is owed back until it is refunded', () => {
    const money = (over: Partial<Facts>) => {
      const { in_escrow_cents, refund_due_cents } = open({ ...PASSED, ...PAID, ...over }).amounts
      return [in_escrow_cents, refund_due_cents]
    }
    expect(money({})).toEqual([25_000, undefined])
    expect(money(CANCELED)).toEqual([0, 25_000])
    expect(money({ ...CANCELED, amount_cents: null })).toEqual([0, 25_000])
    expect(money({ ...CANCELED, status_before_cancel: 'reserved' })).toEqual([0, 25_000])
    expect(money({ ...CANCELED, payment: 'refunded', in_escrow_cents: 0 as Cents })).toEqual([0, 0])
    expect(money({ status: 'executed' })).toEqual([25_000, undefined])
  })
  test('the money of a converted investment is shown on its successor; until the successor is known, on the converted investment', () => {
    const inEscrow = (over: Partial<Facts>) => open({ ...PAID, status: 'converted', ...over }).amounts.in_escrow_cents
    expect(inEscrow({ converted_to: null })).toBe(25_000)
    expect(inEscrow({ converted_to: newId('investment') })).toBe(0)
  })
})

describe('the investor', () => {
  const text = (over: Partial<Facts> = {}) => renderRecord(derive({ ...NEW, ...over }), T0)
  const investor = (over: Partial<Facts> = {}) => whole(text(over))['investor']

  test('has all its fields for a reader who sees identity fields, and only three keys for other readers', () => {
    const address = { line1: '1 Compiler Street', line2: 'Flat 2', city: 'Arlington' }
    const facts = { address, bio: 'Counts.', message: 'Go!', external_username: 'ada1' }
    expect(whole(text(facts))).toMatchObject({
      investor: {
        id: NEW.investor,
        deactivated: false,
        via_entity: false,
        name: 'Ada Lovelace',
        legal_name: 'Augusta Ada King',
        email: 'ada@example.org',
        address: { line: '1 Compiler Street, Flat 2', city: 'Arlington' },
        bio: 'Counts.',
      },
      message: 'Go!',
      external_username: 'ada1',
    })
    const thin = withoutIdentity(text(facts))
    expect(thin['investor']).toEqual({ id: NEW.investor, deactivated: false, via_entity: false })
    expect(Object.keys(thin)).not.toContain('message')
    expect(Object.keys(thin)).not.toContain('external_username')
  })
  test('has no key for an unknown value if the schema of the API does not allow null', () => {
    expect(investor({ legal_name: null })).toEqual({
      ...{ id: NEW.investor, deactivated: false, via_entity: false },
      ...{ name: 'Ada Lovelace', email: 'ada@example.org', bio: null },
    })
  })
  test('has the name of the entity as legal_name if the investment is made through an entity', () => {
    expect(investor({ entity_name: 'Analytical LLC' })).toMatchObject({
      via_entity: true,
      legal_name: 'Analytical LLC',
    })
  })
  test('once deactivated, has [deleted user] as name and legal_name, null as email and bio, and no address', () => {
    const gone = { deactivated: true, name: null, legal_name: null, email: null, entity_name: '[deleted user]' }
    expect(investor(gone)).toEqual({
      ...{ id: NEW.investor, deactivated: true, via_entity: true },
      ...{ name: '[deleted user]', legal_name: '[deleted user]', email: null, bio: null },
    })
    expect(whole(text(gone))).toMatchObject({ message: null, external_username: null })
  })
})

test('types are shown as words; investment_type is absent while a round tests the waters and names no security', () => {
  expect(open()).toMatchObject({ investment_type: 'SAFE', offering_type: 'Reg CF' })
  const undecided = { security_type: null, testing_the_waters: true, exemption: 'reg_d_506c' } as const
  expect(open({ ...undecided, intended_security_type: 'equity' })).toMatchObject({
    ...{ investment_type: 'Equity', offering_type: 'Reg D 506(c)' },
  })
  expect(Object.keys(open(undecided))).not.toContain('investment_type')
})

describe('the text of a record', () => {
  const text = renderRecord(derive(NEW), T0)

  test('begins with id, visible and observed_at', () => {
    expect(Object.keys(whole(text)).slice(0, 3)).toEqual(['id', 'visible', 'observed_at'])
    expect(whole(text)).toMatchObject({ id: NEW.id, visible: true, observed_at: T0 })
  })
  test('is compared without observed_at, but with visible', () => {
    expect(isSameRecord(text, renderRecord(derive(NEW), T1))).toBe(true)
    expect(isSameRecord(text, renderRecord({ ...derive(NEW), visible: false }, T0))).toBe(false)
  })
  test('does not mistake text inside a message for a field', () => {
    const message = '"},"status":"executed","visible":true,\u0001 \\'
    const sly = derive({ ...NEW, message })
    expect(whole(renderRecord(sly, T0))).toMatchObject({ message, status: 'active' })
    expect(changedFields(text, sly)).toEqual(['message'])
    expect(changedFields(renderRecord(sly, T0), derive(NEW))).toEqual(['message'])
  })
  test('changedFields returns the fields that differ, or every field if there was no record before; never id or observed_at', () => {
    const paid = derive({ ...NEW, payment: 'received', in_escrow_cents: 25_000 as Cents })
    expect(changedFields(text, paid)).toEqual(['group', 'amounts', 'blockers'])
    expect(changedFields(text, derive({ ...NEW, hidden: true }))).toEqual(['visible'])
    expect(changedFields(null, derive(NEW))).toEqual(
      Object.keys(whole(text)).filter((name) => name !== 'id' && name !== 'observed_at'),
    )
  })
})

const cents = fc.integer({ min: 1, max: 90_000_000_000 }).map((units) => (units * 100) as Cents)
const check = fc.constantFrom(...CHECK_STATES)
const text = fc.string({ minLength: 1, maxLength: 30, unit: 'binary' })
const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    status: fc.constantFrom(...INVESTMENT_STATES),
    status_before_cancel: fc.constantFrom('active', 'reserved', null),
    amount_cents: fc.option(cents),
    last_amount_cents: cents,
    in_escrow_cents: cents,
    confirmed: fc.boolean(),
    payment: fc.constantFrom('none', 'pending', 'received', 'failed', 'refunded'),
    identity: check,
    accreditation: check,
    signature: check,
    review: check,
    hidden: fc.boolean(),
    entity_name: fc.option(text),
    message: fc.option(text),
    external_username: fc.option(text),
    testing_the_waters: fc.boolean(),
    deactivated: fc.boolean(),
    name: text,
    legal_name: fc.option(text),
    bio: fc.option(text),
  })
  .map((over) => ({ ...NEW, ...over }) as Facts)

describe('for any facts', () => {
  test('the same facts give the same text, which has all fields of the record', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const record = derive(facts)
        const text = renderRecord(record, T0)
        expect(renderRecord(derive({ ...facts }), T0)).toEqual(text)
        const { investor, ...rest } = record.open
        expect(whole(text)).toEqual(
          JSON.parse(
            JSON.stringify({
              ...{ id: facts.id, visible: record.visible, observed_at: T0, ...rest },
              ...record.identity,
              investor: { ...investor, ...record.identity.investor },
            }),
          ),
        )
      }),
    )
  })
  test('raised_cents is the size of the investment, or 0 while needs_whitelisting is true or the company does not see the record', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { visible, open } = derive(facts)
        const counts = visible && !open.needs_whitelisting
        expect(open.amounts.raised_cents).toBe(counts ? open.amounts.investment_size_cents : 0)
      }),
    )
  })
  test('IS READY means that there are no blockers and all is paid; a group is one of the five in GROUPS', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { group, blockers, amounts } = derive(facts).open
        expect(GROUPS).toContain(group)
        if (group !== 'IS READY') return
        expect(blockers).toEqual([])
        expect(amounts.in_escrow_cents + (amounts.refund_due_cents ?? 0)).toBeGreaterThanOrEqual(
          amounts.committed_cents,
        )
      }),
    )
  })
  test('only a canceled record has an amount owed back, and it has nothing in escrow', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { status, amounts, group } = derive(facts).open
        expect('refund_due_cents' in amounts).toBe(status === 'canceled')
        if (amounts.refund_due_cents === undefined) return
        expect(amounts.in_escrow_cents).toBe(0)
        if (amounts.refund_due_cents === 0) expect(['NO PAYMENT YET', 'RESERVED']).toContain(group)
      }),
    )
  })
  test('the part without identity has no data of the person', () => {
    fc.assert(
      fc.property(anyFacts, fc.uuid(), (facts, mark) => {
        const marked = { name: mark, legal_name: mark, email: mark, bio: mark, message: mark, external_username: mark }
        const { body } = renderRecord(derive({ ...facts, ...marked, entity_name: mark, address: { city: mark } }), T0)
        expect(body).not.toContain(mark)
      }),
    )
  })
  test('only fields for which the schema of the API allows null are null', () => {
    const nullable = ['converted_to', 'converted_from', 'shares', 'average_share_price', 'external_username', 'message']
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const record = whole(renderRecord(derive(facts), T0))
        const nulls = Object.keys(record).filter((name) => record[name] === null)
        expect(nulls.filter((name) => !nullable.includes(name))).toEqual([])
        expect(Object.values(record['amounts'] as object)).not.toContain(null)
      }),
    )
  })
})
