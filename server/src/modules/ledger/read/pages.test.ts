import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { type Filters, filterNames, narrow } from './asked.ts'
import type { Audience } from './audience.ts'
import { readPage } from './page-store.ts'
import { fillLedger, type RandomLedger } from './testing/random-ledger.ts'

let db: TestDatabase
let ledger: RandomLedger
beforeAll(async () => {
  db = await testDatabase()
  const chance = seeded(20_261_115)
  ledger = await fillLedger(db, chance, { users: 12, companies: 9, heads: 400 })
})
afterAll(() => db.close())

/** The same ledger in every run. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Asked = {
  readonly audience: Audience
  readonly filters: Filters
  readonly mode: 'list' | 'sync'
  readonly limit: number
}
type Row = { readonly id: string; readonly at: string | number; readonly form: 'own' | 'full' | 'tombstone' }

/** What the contract says, row by row and slowly. */
function expected({ audience, filters, mode, limit }: Asked, after: string | number): Row[] {
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
  // Where the company saw it, which is where it is as long as it sees it.
  const placeOf = (head: (typeof ledger.heads)[number]) =>
    isOwn(head) || mode === 'list' ? head.offering_id : head.company_offering_id
  const passing = ledger.heads.filter((head) => passes({ ...head, offering_id: placeOf(head) }))
  const rows = passing.flatMap((head): Row[] => {
    const { investment_id: id, position, company_position, visible } = head
    const at = mode === 'list' ? id : isOwn(head) ? position : company_position
    if (isOwn(head)) return [{ id, at: at ?? 0, form: 'own' }]
    if (!isSide(head) || at === null || (mode === 'list' && !visible)) return []
    return [{ id, at, form: visible ? 'full' : 'tombstone' }]
  })
  const left = ledger.departures.flatMap((one): Row[] => {
    const wanted = mode === 'sync' && filters.offering !== undefined && passes(one)
    const seen = isOwn(one) ? one.own : !one.own && isSide(one)
    return wanted && seen ? [{ id: one.investment_id, at: one.position, form: 'tombstone' }] : []
  })
  return [...rows, ...left]
    .filter(({ at }) => at > after)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, limit)
}

async function read({ audience, filters, mode, limit }: Asked, after: string | number): Promise<Row[]> {
  const narrowed = narrow(audience, filters)
  const kind = { mode, audience: narrowed.audience.kind, filters: filterNames(narrowed.filters) }
  const who = narrowed.audience
  const row = await readPage(db.databases.test, kind, {
    ...narrowed.filters,
    ...(who.kind === 'company' ? { company: who.company } : { user: who.user }),
    ...{ after, limit, pii: false, republished: 'recomputed' },
  })
  expect(Number(row.head)).toBe(ledger.head)
  const places = row.places?.split(',') ?? []
  const records = JSON.parse(`[${row.texts ?? ''}]`) as { id: string; investor?: { name?: string } }[]
  return records.map((record, at) => {
    const form = record.investor === undefined ? 'tombstone' : record.investor.name === undefined ? 'full' : 'own'
    return { id: record.id, at: mode === 'sync' ? Number(places[at]) : (places[at] ?? ''), form }
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

const asked = fc.record({
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
  from: fc.nat(),
})

/** Another company, and somebody else, are refused before any page is read. */
function isRefusedBefore({ audience, filters: { company, investor } }: Asked): boolean {
  if (audience.kind === 'company') return company !== undefined && company !== audience.company
  return audience.kind === 'own' && investor !== undefined && investor !== audience.user
}

function placeIn({ mode }: Asked, from: number): string | number {
  if (mode === 'sync') return from % ledger.head
  const ids = ledger.heads.map((head) => head.investment_id).toSorted()
  return from % 3 === 0 ? '' : (ids[from % ids.length] ?? '')
}

describe('a page', () => {
  test('holds what an obvious reading of the contract finds, for every audience, filter, place and size', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ from, filters, ...rest }) => {
        const { status: _, ...ids } = filters
        const one = { ...rest, filters: rest.mode === 'sync' ? ids : filters } as Asked
        if (isRefusedBefore(one)) return
        const after = placeIn(one, from)
        expect(await read(one, after)).toEqual(expected(one, after))
      }),
      { numRuns: 1_500 },
    )
  })

  test('after page makes the whole, whatever the size of the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        users,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('list' as const, 'sync' as const),
        async (user, limit, mode) => {
          const one = { audience: { kind: 'union', user }, filters: {}, mode, limit } as unknown as Asked
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
