import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import type { Audience } from './audience.ts'
import { type Filters, filterNames, narrow } from './list-request.ts'
import { readPage } from './page-store.ts'
import { fillLedger, type Head, type RandomLedger } from './testing/random-ledger.ts'

let db: TestDatabase
let ledger: RandomLedger
beforeAll(async () => {
  db = await testDatabase()
  const chance = seeded(20_261_115)
  ledger = await fillLedger(db, chance, { users: 12, companies: 9, heads: 400 })
})
afterAll(() => db.close())

/** Pseudorandom numbers, so that every run has the same ledger. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type PageRequest = {
  readonly audience: Audience
  readonly filters: Filters
  readonly mode: 'list' | 'sync'
  readonly limit: number
  /** Whether other investors are shown by name. */
  readonly named: boolean
}
type Row = {
  readonly id: string
  readonly at: string | number
  readonly form: 'named' | 'unnamed' | 'tombstone'
  /** `observed_at`, and in a sync also the reason. */
  readonly content: string
}

const FIRST = '2026-02-01T00:00:00.000000Z'
const LAST = '2026-03-01T00:00:00.000000Z'

/** The rows that the contract requires, computed by a simple and slow implementation. */
function expected({ audience, filters, mode, limit, named }: PageRequest, after: string | number): Row[] {
  const edited = audience.kind === 'union' ? (ledger.edits.get(audience.user) ?? new Set()) : new Set<string>()
  const isOwn = ({ investor_id }: { investor_id: string }) =>
    audience.kind !== 'company' && investor_id === audience.user
  const isSide = ({ company_id }: { company_id: string }) =>
    audience.kind === 'company' ? company_id === audience.company : edited.has(company_id)
  type Placed = { company_id: string; investor_id: string; offering_id: string | null; status?: string }
  const passes = (one: Placed) =>
    (filters.company === undefined || one.company_id === filters.company) &&
    (filters.offering === undefined || one.offering_id === filters.offering) &&
    (filters.investor === undefined || one.investor_id === filters.investor) &&
    (filters.status === undefined || one.status === filters.status)
  // The offering in which the reader sees or last saw the record.
  const placeOf = (head: Head) => (isOwn(head) || mode === 'list' ? head.offering_id : head.company_offering_id)
  const passing = ledger.heads.filter((head) => passes({ ...head, offering_id: placeOf(head) }))
  const why = (reason: string) => (mode === 'sync' ? ` ${reason}` : '')
  const toCompany = ({ investment_id: id, company_position, open_position, visible }: Head): Row[] => {
    const position = named ? company_position : open_position
    if (position === null || (mode === 'list' && !visible)) return []
    const at = mode === 'list' ? id : position
    if (!visible) return [{ id, at, form: 'tombstone', content: LAST + why('changed') }]
    const isLatest = position === company_position
    const content = isLatest ? LAST + why('changed') : FIRST + why('recomputed')
    return [{ id, at, form: named ? 'named' : 'unnamed', content }]
  }
  const rows = passing.flatMap((head): Row[] => {
    const { investment_id: id, position } = head
    if (isOwn(head)) return [{ id, at: mode === 'list' ? id : position, form: 'named', content: LAST + why('changed') }]
    return isSide(head) ? toCompany(head) : []
  })
  const left = ledger.departures.flatMap((one): Row[] => {
    const wanted = mode === 'sync' && filters.offering !== undefined && passes(one)
    const seen = isOwn(one) ? one.own : !one.own && isSide(one)
    if (!wanted || !seen) return []
    return [{ id: one.investment_id, at: one.position, form: 'tombstone', content: `${LAST} changed` }]
  })
  return [...rows, ...left]
    .filter(({ at }) => at > after)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, limit)
}

async function read({ audience, filters, mode, limit, named }: PageRequest, after: string | number): Promise<Row[]> {
  const narrowed = narrow(audience, filters)
  const who = narrowed.audience
  const isNamed = mode === 'list' || who.kind === 'own' || named
  const kind = { mode, audience: who.kind, filters: filterNames(narrowed.filters), named: isNamed }
  const row = await readPage(db.databases.test, kind, {
    ...narrowed.filters,
    ...(who.kind === 'company' ? { company: who.company } : { user: who.user }),
    ...{ after, limit, pii: named, republished: 'recomputed' },
  })
  expect(Number(row.head)).toBe(ledger.head)
  const places = row.places?.split(',') ?? []
  type Shown = { id: string; investor?: { name?: string }; observed_at: string; reason?: string }
  const records = JSON.parse(`[${row.texts ?? ''}]`) as Shown[]
  return records.map(({ id, investor, observed_at, reason }, at) => {
    const form = investor === undefined ? 'tombstone' : investor.name === undefined ? 'unnamed' : 'named'
    const content = reason === undefined ? observed_at : `${observed_at} ${reason}`
    return { id, at: mode === 'sync' ? Number(places[at]) : (places[at] ?? ''), form, content }
  })
}

const some = <T>(all: () => readonly T[]) =>
  fc.nat().map((at) => {
    const values = all()
    return values[at % values.length] as T
  })

const users = some(() => ledger.users)
const companies = some(() => ledger.companies)
const offerings = some(() => [...ledger.offerings.keys()])

const anyRequest = fc.record({
  audience: fc.oneof(
    users.map((user) => ({ kind: 'union', user })),
    users.map((user) => ({ kind: 'own', user })),
    companies.map((company) => ({ kind: 'company', company })),
  ),
  filters: fc.record(
    {
      company: companies,
      offering: offerings,
      investor: users,
      status: fc.constantFrom('active', 'reserved', 'executed', 'canceled', 'converted'),
    },
    { requiredKeys: [] },
  ),
  mode: fc.constantFrom('list' as const, 'sync' as const),
  limit: fc.integer({ min: 1, max: 30 }),
  named: fc.boolean(),
  from: fc.nat(),
})

/** Whether the audience is one company or one user, and the filter names another. `narrow` rejects such a request. */
function isRejected({ audience, filters: { company, investor } }: PageRequest): boolean {
  if (audience.kind === 'company') return company !== undefined && company !== audience.company
  return audience.kind === 'own' && investor !== undefined && investor !== audience.user
}

function placeIn({ mode }: PageRequest, from: number): string | number {
  if (mode === 'sync') return from % ledger.head
  const ids = ledger.heads.map((head) => head.investment_id).toSorted()
  return from % 3 === 0 ? '' : (ids[from % ids.length] ?? '')
}

describe('a page', () => {
  test('has the rows that a simple implementation of the contract finds, for every audience, filter, place and size', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ from, filters, ...rest }) => {
        const { status: _, ...ids } = filters
        const one = { ...rest, filters: rest.mode === 'sync' ? ids : filters } as PageRequest
        if (isRejected(one)) return
        const after = placeIn(one, from)
        expect(await read(one, after)).toEqual(expected(one, after))
      }),
      { numRuns: 1_500 },
    )
  })

  test('and the pages after it contain every row of the list once, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        users,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('list' as const, 'sync' as const),
        fc.boolean(),
        async (user, limit, mode, named) => {
          const one = { audience: { kind: 'union', user }, filters: {}, mode, limit, named } as unknown as PageRequest
          const start = mode === 'sync' ? 0 : ''
          const rows: Row[] = []
          for (;;) {
            const page = await read(one, rows.at(-1)?.at ?? start)
            rows.push(...page)
            if (page.length < limit) break
          }
          expect(rows).toEqual(expected({ ...one, limit: 100_000 }, start))
          expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
        },
      ),
      { numRuns: 60 },
    )
  })
})
