import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { refusalOf } from '#test/refusal.ts'
import {
  BUSINESS_MODELS,
  COMPANY_KINDS,
  COMPANY_ROLES,
  type CompanyChanges,
  createCompany,
  DISCLOSURE_KEYS,
  INDUSTRIES,
  type NewCompany,
  PAST_ROUND_EXEMPTIONS,
  requireCompany,
  updateCompany,
} from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const at = { occurredAt: worldTime('2026-03-01T12:00:00.123456Z') }
const WHEN = '2026-03-01T12:00:00.123456+00:00'

const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const create = (company: NewCompany) => inTest((tx) => createCompany(tx, company, at))
const update = (changes: CompanyChanges) => inTest((tx) => updateCompany(tx, changes, at))
const aCompany = (overrides: Partial<NewCompany> = {}) => inTest((tx) => makeCompany(tx, overrides))

async function rowOf(id: Id<'company'>): Promise<Record<string, unknown>> {
  const [row] = await db.sql<{ company: Record<string, unknown> }>(
    'select to_jsonb(c) as company from test.companies c where id = $1',
    [id],
  )
  return row?.company ?? {}
}

const EVERYTHING = {
  kind: 'company',
  name: 'Analytical Engines',
  tagline: 'Mills and stores',
  page_url: 'https://example.org/engines',
  logo_url: '/logos/engines.png',
  card_image_url: 'https://example.org/card.png',
  city: 'London',
  state: null,
  country: 'GB',
  industries: ['hardware', 'technology'],
  business_models: ['b2b'],
  promotion_opt_in: false,
  questions_closed: true,
} as const

describe('creating a company', () => {
  test('a new company has every field of the fact, and the time of the fact', async () => {
    const id = newId('company')
    await create({ id, slug: 'engines', ...EVERYTHING })
    expect(await rowOf(id)).toEqual({ id, slug: 'engines', ...EVERYTHING, created_at: WHEN, updated_at: WHEN })
  })

  test('a company needs only a name and a page; by default it opts in to promotion', async () => {
    const id = newId('company')
    await create({ id, name: 'Plain', page_url: '/plain' })
    expect(await rowOf(id)).toMatchObject({ kind: 'company', slug: null, industries: [], promotion_opt_in: true })
  })

  test('a company whose id or slug is in use is rejected', async () => {
    const known = await aCompany({ slug: 'known', name: 'First' })
    const another = newId('company')
    expect(await refusalOf(create({ id: known, name: 'Second', page_url: '/x' }))).toBe('id already_exists')
    expect(await refusalOf(create({ id: another, name: 'Second', page_url: '/x', slug: 'known' }))).toBe('slug taken')
    expect([await rowOf(known), await rowOf(another)]).toMatchObject([{ name: 'First' }, {}])
  })

  test('of ten companies with one id that are created at the same time, one succeeds', async () => {
    const id = newId('company')
    const tries = Array.from({ length: 10 }, () => create({ id, name: 'Race', page_url: '/race' }))
    const refusals = await Promise.all(tries.map((each) => refusalOf(each).catch(() => 'created')))
    expect(refusals.toSorted()).toEqual(['created', ...Array(9).fill('id already_exists')])
  })
})

describe('updating a company', () => {
  test('an update changes only the given fields; null clears a field', async () => {
    const id = await aCompany({ ...EVERYTHING, slug: 'changing' })
    const before = await rowOf(id)
    await update({ id, tagline: null, industries: ['energy'], promotion_opt_in: true })
    expect(await rowOf(id)).toEqual({
      ...before,
      tagline: null,
      industries: ['energy'],
      promotion_opt_in: true,
      updated_at: WHEN,
    })
  })

  test('an update that changes nothing keeps updated_at, and a late fact never moves updated_at back', async () => {
    const id = await aCompany()
    const before = await rowOf(id)
    await update({ id, name: 'Analytical Engines', industries: [] })
    expect(await rowOf(id)).toEqual(before)
    await inTest((tx) =>
      updateCompany(tx, { id, name: 'Late' }, { occurredAt: worldTime('2020-01-01T00:00:00.000000Z') }),
    )
    expect(await rowOf(id)).toEqual({ ...before, name: 'Late' })
  })

  test('a new company name does not change the ledger, because a record contains only the id of its company', async () => {
    const id = await aCompany()
    await update({ id, name: 'Renamed', page_url: '/renamed' })
    expect(await db.sql('select id from test.investment_changes where id = $1', [id])).toEqual([])
  })

  test('an update is rejected for the slug of another company and for an unknown company', async () => {
    await aCompany({ slug: 'owned' })
    const [id, unknown] = [await aCompany({ slug: 'mine' }), newId('company')]
    expect(await refusalOf(update({ id, name: 'Changed', slug: 'owned' }))).toBe('slug taken')
    expect(await rowOf(id)).toMatchObject({ name: 'Analytical Engines', slug: 'mine' })
    expect(await refusalOf(update({ id: unknown, name: 'Nothing' }))).toBe(`unknown id ${unknown}`)
  })
})

describe('requireCompany', () => {
  test('requireCompany returns the kind of a company of its world, and rejects a company of the other world', async () => {
    const [company, fund] = [await aCompany(), await aCompany({ kind: 'fund' })]
    const { reads } = db.databases.test
    expect([await requireCompany(reads, 'company', company), await requireCompany(reads, 'fund', fund)]).toEqual([
      { kind: 'company' },
      { kind: 'fund' },
    ])
    const foreign = requireCompany(db.databases.live.reads, 'company', company)
    expect(await refusalOf(foreign)).toBe(`unknown company ${company}`)
  })
})

describe('the vocabulary', () => {
  test.each([
    ['companies_kind_known', COMPANY_KINDS],
    ['companies_industries_known', INDUSTRIES],
    ['companies_business_models_known', BUSINESS_MODELS],
    ['company_people_role_known', COMPANY_ROLES],
    ['past_rounds_exemption_known', PAST_ROUND_EXEMPTIONS],
    ['comments_disclosure_key_known', DISCLOSURE_KEYS],
  ])('the list in the code has the values of the constraint %s', async (constraint, words) => {
    const [row] = await db.sql<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
       where conname = $1 and connamespace = 'test'::regnamespace`,
      [constraint],
    )
    expect([...(row?.definition.matchAll(/'(\w+)'::text/g) ?? [])].map(([, word]) => word)).toEqual([...words])
  })
})
