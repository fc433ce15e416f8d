import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { A_FUND, makeSyndicate } from '#test/syndicates.ts'
import { endManager, setManager } from './memberships.ts'
import { addDeal, createSyndicate, removeDeal, updateSyndicate } from './syndicate-settings.ts'
import { readSyndicate } from './syndicate-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>, world: 'test' | 'live' = 'test') => db.databases[world].transaction(work)
const named = (slug: string) => ({ name: 'Angels', slug })

describe('creating a syndicate', () => {
  test('a new syndicate has the documented defaults: hidden, not launched, open, its managers approve members', async () => {
    const id = newId('syndicate')
    await run((tx) => createSyndicate(tx, { id, settings: named('plain') }, occasionAt('2026-05-01T00:00:00.000001Z')))
    expect(await readSyndicate(db.databases.test.reads, id)).toEqual({
      id,
      name: 'Angels',
      slug: 'plain',
      tagline: null,
      description: null,
      avatar_url: null,
      published: false,
      launched: false,
      membership_open: true,
      auto_approval: false,
      auto_accept_accredited_members: false,
      requires_accreditation: false,
      fund_required: false,
      fund: null,
      primary_fund_company: null,
      created_by: null,
      managers: [],
      deals: [],
      member_count: 0,
      created_at: '2026-05-01T00:00:00.000001Z',
      updated_at: '2026-05-01T00:00:00.000001Z',
    })
  })

  test('a syndicate with a fund stores the fund’s terms and company', async () => {
    const fund = { type: 'annual_subscription', deals_per_year: 4, amount_per_deal_cents: 100_000 } as const
    const { id, company } = await run(async (tx) => {
      const company = await makeCompany(tx, { kind: 'fund' })
      return { company, id: await makeSyndicate(tx, { fund, primary_fund_company: company }) }
    })
    expect(await readSyndicate(db.databases.test.reads, id)).toMatchObject({ fund, primary_fund_company: company })
  })

  test('creating is rejected for an id or a slug in use, and the first syndicate does not change', async () => {
    const id = await run((tx) => makeSyndicate(tx, { slug: 'taken', name: 'First' }))
    const again = (settings: object, other = newId('syndicate')) =>
      refusalOf(
        run((tx) => createSyndicate(tx, { id: other, settings: { ...named('free'), ...settings } }, occasionAt())),
      )
    expect(await again({}, id)).toBe('id already_exists')
    expect(await again({ slug: 'taken' })).toBe('slug taken')
    expect(await readSyndicate(db.databases.test.reads, id)).toMatchObject({ name: 'First', slug: 'taken' })
  })

  test('of ten syndicates with one slug that are created at the same time, one succeeds', async () => {
    const tries = Array.from({ length: 10 }, () => run((tx) => makeSyndicate(tx, { slug: 'contested' })))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('the same id and slug can be used in the other world', async () => {
    const id = await run((tx) => makeSyndicate(tx, { slug: 'both' }))
    await run((tx) => makeSyndicate(tx, { id, slug: 'both' }), 'live')
    expect(await readSyndicate(db.databases.live.reads, id)).toMatchObject({ id })
  })

  test('creating is rejected for an unknown creator or fund company', async () => {
    const [createdBy, company] = [newId('user'), newId('company')]
    expect(await refusalOf(run((tx) => makeSyndicate(tx, { createdBy })))).toBe(`unknown created_by ${createdBy}`)
    const fund = refusalOf(run((tx) => makeSyndicate(tx, { primary_fund_company: company })))
    expect(await fund).toBe(`unknown primary_fund_company ${company}`)
  })
})

describe('updating a syndicate', () => {
  test('an update changes only the fields in it', async () => {
    const id = await run((tx) => makeSyndicate(tx, { tagline: 'Before', fund: A_FUND }))
    const before = await readSyndicate(db.databases.test.reads, id)
    const changes = { auto_approval: true, tagline: null }
    await run((tx) => updateSyndicate(tx, { id, changes }, occasionAt('2026-07-01T00:00:00.000000Z')))
    const after = await readSyndicate(db.databases.test.reads, id)
    expect(after).toEqual({ ...before, ...changes, updated_at: '2026-07-01T00:00:00.000000Z' })
  })

  test('an update with fund null removes the fund with its terms', async () => {
    const id = await run((tx) => makeSyndicate(tx, { fund: A_FUND }))
    await run((tx) => updateSyndicate(tx, { id, changes: { fund: null } }, occasionAt()))
    expect(await readSyndicate(db.databases.test.reads, id)).toMatchObject({ fund: null })
  })

  test('an update is rejected for an unknown syndicate, and for the slug of another syndicate', async () => {
    const id = newId('syndicate')
    const missing = refusalOf(run((tx) => updateSyndicate(tx, { id, changes: { name: 'X' } }, occasionAt())))
    expect(await missing).toBe(`unknown id ${id}`)
    const other = await run(async (tx) => {
      await makeSyndicate(tx, { slug: 'first-come' })
      return makeSyndicate(tx)
    })
    const slug = refusalOf(
      run((tx) => updateSyndicate(tx, { id: other, changes: { slug: 'first-come', name: 'New' } }, occasionAt())),
    )
    expect(await slug).toBe('slug taken')
    expect(await readSyndicate(db.databases.test.reads, other)).toMatchObject({ name: 'Engine Backers' })
  })
})

describe('managers', () => {
  test('a person becomes a manager, gets another permission, and stops being a manager', async () => {
    const { syndicateId, userId } = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx),
      userId: await makeUser(tx),
    }))
    const managers = async () => (await readSyndicate(db.databases.test.reads, syndicateId))?.managers
    for (const permission of ['full_access', 'operator'] as const) {
      await run((tx) => setManager(tx, { syndicateId, userId, permission }, occasionAt()))
      expect(await managers()).toEqual([{ user: userId, permission }])
    }
    await run((tx) => endManager(tx, { syndicateId, userId }))
    expect(await managers()).toEqual([])
    expect(await refusalOf(run((tx) => endManager(tx, { syndicateId, userId })))).toBe('user not_a_manager')
  })

  test('setting or ending a manager is rejected for an unknown user or syndicate', async () => {
    const { syndicateId, userId } = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx),
      userId: await makeUser(tx),
    }))
    const [unknownUser, unknownSyndicate] = [newId('user'), newId('syndicate')]
    const set = (who: object) =>
      refusalOf(run((tx) => setManager(tx, { syndicateId, userId, permission: 'operator', ...who }, occasionAt())))
    expect(await set({ userId: unknownUser })).toBe(`unknown user ${unknownUser}`)
    expect(await set({ syndicateId: unknownSyndicate })).toBe(`unknown syndicate ${unknownSyndicate}`)
    const end = refusalOf(run((tx) => endManager(tx, { syndicateId: unknownSyndicate, userId })))
    expect(await end).toBe(`unknown syndicate ${unknownSyndicate}`)
  })
})

describe('deals', () => {
  test('a deal can be added only once, and removed only once', async () => {
    const deal = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx),
      offeringId: await makeOffering(tx),
    }))
    await run((tx) => addDeal(tx, deal, occasionAt()))
    expect(await refusalOf(run((tx) => addDeal(tx, deal, occasionAt())))).toBe('offering already_exists')
    expect(await readSyndicate(db.databases.test.reads, deal.syndicateId)).toMatchObject({ deals: [deal.offeringId] })
    await run((tx) => removeDeal(tx, deal))
    expect(await refusalOf(run((tx) => removeDeal(tx, deal)))).toBe('offering not_a_deal')
    expect(await readSyndicate(db.databases.test.reads, deal.syndicateId)).toMatchObject({ deals: [] })
  })

  test('adding or removing a deal is rejected for an unknown syndicate or offering', async () => {
    const deal = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx),
      offeringId: await makeOffering(tx),
    }))
    const [syndicateId, offeringId] = [newId('syndicate'), newId('offering')]
    const add = (change: object) => refusalOf(run((tx) => addDeal(tx, { ...deal, ...change }, occasionAt())))
    expect(await add({ syndicateId })).toBe(`unknown syndicate ${syndicateId}`)
    expect(await add({ offeringId })).toBe(`unknown offering ${offeringId}`)
    expect(await refusalOf(run((tx) => removeDeal(tx, { ...deal, syndicateId })))).toBe(
      `unknown syndicate ${syndicateId}`,
    )
  })
})
