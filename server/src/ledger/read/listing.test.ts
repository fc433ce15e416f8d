import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, changeAmount } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { idsOf, type LedgerStage, openLedgerStage, readAll, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

async function invested(count: number) {
  const made = await stage.raising()
  const ids: Id<'investment'>[] = []
  for (let at = 0; at < count; at++) ids.push(await stage.invest(made.offering))
  await stage.publish()
  return { ...made, ids: ids.toSorted(), get: await stage.asInstalledOn(made.company) }
}

describe('GET /investments: list', () => {
  test('returns current records in the order of their ids, without cursor and reason, page by page', async () => {
    const { ids, get } = await invested(5)
    const { pages, rows } = await readAll(get, '/investments?per_page=2')
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(pages.map(({ meta }) => [meta.mode, meta.has_more, meta.page_count])).toEqual([
      ['bootstrap', true, 2],
      ['bootstrap', true, 2],
      ['bootstrap', false, 1],
    ])
    expect(rows.flatMap((row) => ['cursor', 'reason'].filter((key) => key in row))).toEqual([])
    expect(new Set(pages.map(({ meta }) => meta.next_cursor)).size).toBe(3)
    expect(pages[0]?.meta['published_through']).toMatch(/^\d{4}-.*\.\d{6}Z$/)
  })

  test('returns a cursor to sync from, even if the list is empty', async () => {
    const { company } = await stage.raising()
    const get = await stage.asInstalledOn(company)
    const { list, meta } = await get('/investments')
    expect([list.length, meta.has_more, meta.page_count]).toEqual([0, false, 0])
    expect((await get(`/investments?cursor=${meta.next_cursor}`)).meta.mode).toBe('delta')
  })

  test('returns no second page if the records fill exactly one page', async () => {
    const { get } = await invested(2)
    expect((await get('/investments?per_page=2')).meta.has_more).toBe(false)
  })

  test('leaves out tombstones', async () => {
    const { ids, get } = await invested(3)
    const [gone] = ids
    if (gone === undefined) throw new Error('there are three')
    await stage.arrange((tx) => cancelInvestment(tx, { id: gone }, occasionAt()))
    await stage.publish()
    expect(idsOf(await get('/investments'))).toEqual(ids.slice(1))
  })

  test('ends with a cursor of the moment at which the listing started: a sync returns later changes', async () => {
    const { ids, get, offering } = await invested(4)
    const first = await get('/investments?per_page=2')
    const [changed] = ids
    if (changed === undefined) throw new Error('there are four')
    await stage.arrange((tx) => changeAmount(tx, { id: changed, amount_cents: 70_000 as Cents }, occasionAt()))
    const added = await stage.invest(offering)
    await stage.publish()
    const { rows, next } = await readAll(get, '/investments?per_page=2', first.meta.next_cursor)
    expect(rows.map(({ id }) => id)).toEqual([...ids.slice(2), added].toSorted())
    const sync = await get(`/investments?cursor=${next}`)
    expect(idsOf(sync).toSorted()).toEqual([changed, added].toSorted())
  })

  test('leaves out unpublished records', async () => {
    const { ids, get, offering } = await invested(1)
    await stage.invest(offering)
    expect(idsOf(await get('/investments'))).toEqual(ids)
  })

  test('filters by each of the five statuses, page by page', async () => {
    const { company, offering } = await stage.raising()
    const waters = await stage.offering(company, { testing_the_waters: true })
    const investor = await stage.user()
    const [active, reserved, canceled] = [
      await stage.invest(offering, investor),
      await stage.invest(waters, investor),
      await stage.invest(offering, investor),
    ]
    await stage.arrange((tx) => cancelInvestment(tx, { id: canceled }, occasionAt()))
    await stage.publish()
    const [asCompany, asInvestor] = [await stage.asInstalledOn(company), await stage.asUser(investor)]
    const byStatus = async (get: typeof asCompany, status: string) => idsOf(await get(`/investments?status=${status}`))
    expect(await byStatus(asCompany, 'active')).toEqual([active])
    expect(await byStatus(asCompany, 'reserved')).toEqual([reserved])
    expect(await byStatus(asCompany, 'canceled')).toEqual([])
    expect(await byStatus(asCompany, 'converted')).toEqual([])
    expect(await byStatus(asInvestor, 'canceled')).toEqual([canceled])
    expect(await byStatus(asInvestor, 'executed')).toEqual([])
    const paged = await readAll(asInvestor, '/investments?status=active&per_page=1')
    expect(paged.rows.map(({ id }) => id)).toEqual([active])
  })

  test('an unknown status is 400', async () => {
    const { get } = await invested(0)
    for (const status of ['pending', 'ACTIVE', '', 'active,reserved']) {
      expect(refusal(await get(`/investments?status=${status}`)), status).toEqual([400, 'invalid_request'])
    }
  })

  test('accepts a list cursor together with status', async () => {
    const { ids, get } = await invested(3)
    const first = await get('/investments?status=active&per_page=1')
    const second = await get(`/investments?status=active&per_page=1&cursor=${first.meta.next_cursor}`)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.slice(0, 2))
  })
})

describe('per_page', () => {
  test('per_page is 25 by default and for zero or less, and at most 100', async () => {
    const made = await stage.raising()
    await stage.arrange(async (tx) => {
      for (let at = 0; at < 102; at++) await makeInvestment(tx, { offering: made.offering })
    })
    await stage.publish()
    const get = await stage.asInstalledOn(made.company)
    const count = async (query: string) => (await get(`/investments?${query}`)).meta.page_count
    expect(await count('')).toBe(25)
    expect(await count('per_page=0')).toBe(25)
    expect(await count('per_page=-7')).toBe(25)
    expect(await count('per_page=1')).toBe(1)
    expect(await count('per_page=100')).toBe(100)
    expect(await count('per_page=101')).toBe(100)
    expect(await count(`per_page=${'9'.repeat(400)}`)).toBe(100)
    const since = `updated_since=${new Date(Date.now() - 86_400_000).toISOString()}`
    expect(await count(`${since}&per_page=101`)).toBe(100)
    expect(await count(since)).toBe(25)
  })

  test('400 if it is not an integer', async () => {
    const { get } = await invested(0)
    for (const odd of ['ten', '1.5', '', '1e2', '0x10', '%201', 'null', '1&per_page=2']) {
      expect(refusal(await get(`/investments?per_page=${odd}`)), odd).toEqual([400, 'invalid_request'])
    }
  })
})
