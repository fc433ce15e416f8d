import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StoredEvent } from '#events/index.ts'
import { VERSIONS } from '#http/versions.ts'
import { type DataOf, sharedData, visibleData } from './project.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LIMITS = { textsMax: 8, cachedMs: 1_000 }

const created: StoredEvent = {
  id: 'evt_000000000000000000000001' as StoredEvent['id'],
  name: 'investment.created',
  created_at: '2026-11-01T12:00:00.000000Z',
  occurred_at: '2026-11-01T12:00:00.000000Z',
  data: JSON.stringify({ id: 'inv_1', investor: { id: 'usr_1' }, investor_totals: { total_committed: 1 } }),
  identity: JSON.stringify({ investor: { name: 'Ada', email: 'ada@example.com' } }),
}
/** `identity` has the names of the changed fields that only receivers with access to identity fields see. */
const changed: StoredEvent = {
  ...created,
  name: 'investment.changed',
  data: JSON.stringify({ id: 'inv_1', fields: ['status'] }),
  identity: JSON.stringify({ fields: ['investor'] }),
}
const session: StoredEvent = {
  ...created,
  name: 'investment_session.created',
  data: JSON.stringify({ id: 'is_1', email: null }),
  identity: JSON.stringify({ email: 'ada@example.com' }),
}
/** Events, and copies of them with one field changed. */
const rows: readonly StoredEvent[] = [
  created,
  changed,
  session,
  { ...created, identity: null },
  { ...created, occurred_at: '2026-11-02T12:00:00.000000Z' },
  { ...created, data: JSON.stringify({ id: 'inv_2', investor: { id: 'usr_1' }, investor_totals: {} }) },
  { ...changed, identity: null },
  { ...created, id: 'evt_000000000000000000000002' as StoredEvent['id'] },
]

const askings = fc.array(
  fc.record({
    event: fc.constantFrom(...rows),
    rights: fc.record({
      ...{ email: fc.boolean(), totals: fc.boolean(), identityFields: fc.boolean(), recipient: fc.boolean() },
    }),
    version: fc.constantFrom(...VERSIONS),
  }),
  { maxLength: 60 },
)

/** Returns its whole input, so that the test fails if the cache ignores a field when it compares inputs. */
const everything: DataOf = ({ id, name, occurred_at, data, identity }, { rights, version }) => {
  const { email, totals, identityFields, recipient } = rights
  return JSON.stringify({ id, name, occurred_at, data, identity, email, totals, identityFields, recipient, version })
}

describe('a text from the cache is the same as a text that is rendered again, for any order of receivers', () => {
  test.each([
    ['for the data that receivers see', visibleData],
    ['for all fields that the data may depend on', everything],
  ])('%s', (_, dataOf) => {
    fc.assert(
      fc.property(askings, (all) => {
        const shared = sharedData(LIMITS, dataOf)
        for (const { event, ...seen } of all) expect(shared(event, seen)).toBe(dataOf(event, seen))
      }),
    )
  })
})

describe('data for many receivers with the same rights', () => {
  const company = {
    rights: { email: false, totals: true, identityFields: false, recipient: false },
    version: '2026-11-01',
  } as const
  const withAddress = { ...company, rights: { ...company.rights, email: true } } as const

  function counted() {
    let made = 0
    const dataOf = sharedData(LIMITS, (...args) => {
      made++
      return visibleData(...args)
    })
    return { dataOf, made: () => made }
  }

  test('is rendered once for each kind of receiver', () => {
    const { dataOf, made } = counted()
    const texts = [company, withAddress, company, { ...company }, withAddress].map((seen) => dataOf(created, seen))
    expect(new Set(texts).size).toBe(2)
    expect(made()).toBe(2)
  })

  test('is cached for a moment, and then rendered again', () => {
    const { dataOf, made } = counted()
    dataOf(created, company)
    vi.advanceTimersByTime(LIMITS.cachedMs)
    dataOf(created, company)
    expect(made()).toBe(2)
    vi.advanceTimersByTime(LIMITS.cachedMs - 1)
    dataOf(created, company)
    expect(made()).toBe(2)
    expect(vi.getTimerCount()).toBe(1)
  })
})
