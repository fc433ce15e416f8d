import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VERSIONS } from '#http/versions.ts'
import type { StoredEvent } from '#modules/events/index.ts'
import { sharedData } from './shared-data.ts'
import { type Seen, visibleData } from './visible-data.ts'

const events = ['evt_000000000000000000000001', 'evt_000000000000000000000002'].map(
  (id, at): StoredEvent => ({
    id: id as StoredEvent['id'],
    name: 'investment.created',
    recorded_at: '2026-11-01T12:00:00.000000Z',
    occurred_at: '2026-11-01T12:00:00.000000Z',
    data: JSON.stringify({ id: `inv_${at}`, investor: { id: 'usr_1' }, investor_totals: { total_committed: at } }),
    identity: JSON.stringify({ investor: { name: 'Ada', email: 'ada@example.com' } }),
  }),
)

/** The same, after its names and addresses were erased. */
const erased = events.map((event) => ({ ...event, identity: null }))

const anAsking = fc.record({
  event: fc.constantFrom(...events, ...erased),
  rights: fc.record({ email: fc.boolean(), totals: fc.boolean(), identityFields: fc.boolean() }),
  version: fc.constantFrom(...VERSIONS),
})

test('whoever asks, in whichever order, is shown what they would be shown alone, and of what was erased nothing', () => {
  fc.assert(
    fc.property(fc.array(anAsking, { maxLength: 40 }), (all) => {
      const dataOf = sharedData(8)
      for (const { event, ...seen } of all) expect(dataOf(event, seen)).toBe(visibleData(event, seen))
    }),
  )
})

test('what is the same for many is made once', () => {
  const [event] = events
  if (event === undefined) throw new Error('there are two')
  let made = 0
  const dataOf = sharedData(8, (...asked) => {
    made++
    return visibleData(...asked)
  })
  const company: Seen = { rights: { email: false, totals: true, identityFields: false }, version: '2026-11-01' }
  const withAddress: Seen = { ...company, rights: { ...company.rights, email: true } }
  const texts = [company, withAddress, company, { ...company }, withAddress].map((seen) => dataOf(event, seen))
  expect(new Set(texts).size).toBe(2)
  expect(made).toBe(2)
})
