import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, changeAmount, deactivateInvestor } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { publishAll, republishAll } from '#test/ledger.ts'
import { DERIVATION } from '../derive/record.ts'
import { idsOf, type LedgerStage, openLedgerStage, PII, readAll, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

const changed = (id: Id<'investment'>, units = 700) =>
  stage.arrange((tx) => changeAmount(tx, { id, amount_cents: (units * 100) as Cents }, occasionAt()))
const canceled = (id: Id<'investment'>) => stage.arrange((tx) => cancelInvestment(tx, { id }, occasionAt()))

async function listed(count: number, scopes?: readonly string[]) {
  const made = await stage.raising()
  const ids: Id<'investment'>[] = []
  for (let at = 0; at < count; at++) ids.push(await stage.invest(made.offering))
  await stage.publish()
  const get = await stage.asInstalledOn(made.company, scopes)
  const { next } = await readAll(get, '/investments?per_page=100')
  const sync = (cursor: string, more = '') => get(`/investments?cursor=${cursor}${more}`)
  return { ...made, ids, get, sync, cursor: next }
}

describe('GET /investments: sync by cursor', () => {
  test('returns only changed records in the order of their publication, each with cursor and reason', async () => {
    const { ids, sync, cursor } = await listed(4)
    const [a, , c] = ids
    if (a === undefined || c === undefined) throw new Error('there are four')
    await changed(c)
    await stage.publish()
    await changed(a)
    await stage.publish()
    const { list, meta } = await sync(cursor)
    expect(list.map(({ id, reason }) => [id, reason])).toEqual([
      [c, 'changed'],
      [a, 'changed'],
    ])
    expect([meta.mode, meta.has_more, meta.page_count]).toEqual(['delta', false, 2])
    expect(list.map(({ amounts }) => amounts?.['committed_cents'])).toEqual([70_000, 70_000])
  })

  test('returns one record per investment in its last state, however often it changed', async () => {
    const { ids, sync, cursor } = await listed(1)
    const [id] = ids
    if (id === undefined) throw new Error('there is one')
    for (const units of [300, 400, 500]) {
      await changed(id, units)
      await stage.publish()
    }
    const { list } = await sync(cursor)
    expect(list.map(({ amounts }) => amounts?.['committed_cents'])).toEqual([50_000])
  })

  test('returns tombstones with exactly id, visible, observed_at, cursor and reason', async () => {
    const { ids, sync, cursor } = await listed(2, PII)
    const [id] = ids
    if (id === undefined) throw new Error('there are two')
    await canceled(id)
    await stage.publish()
    const { list } = await sync(cursor)
    expect(list.map((row) => Object.keys(row).toSorted())).toEqual([
      ['cursor', 'id', 'observed_at', 'reason', 'visible'],
    ])
    expect(list.map(({ id: gone, visible }) => [gone, visible])).toEqual([[id, false]])
    expect(list[0]?.observed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  test('returns no tombstone of a record that the reader never got', async () => {
    const { offering, sync, cursor } = await listed(0)
    const id = await stage.invest(offering)
    await canceled(id)
    await stage.publish()
    expect((await sync(cursor)).list).toEqual([])
  })

  test('moves the cursor even if the page is empty, and accepts a cursor twice', async () => {
    const { ids, sync, cursor } = await listed(1)
    const empty = await sync(cursor)
    expect([empty.list, empty.meta.has_more, empty.meta.page_count]).toEqual([[], false, 0])
    const [id] = ids
    if (id === undefined) throw new Error('there is one')
    await changed(id)
    await stage.publish()
    for (const from of [cursor, cursor, empty.meta.next_cursor]) expect(idsOf(await sync(from))).toEqual([id])
  })

  test('returns with the last page a cursor at the end of the ledger, so changes that the filter left out do not come later', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    await stage.role(there.company, here.founder)
    const id = await stage.invest(there.offering)
    await stage.publish()
    const get = await stage.asUser(here.founder)
    const { meta } = await get('/investments')
    await changed(id)
    await stage.publish()
    const narrow = await get(`/investments?company_id=${here.company}&cursor=${meta.next_cursor}`)
    expect(narrow.list).toEqual([])
    expect((await get(`/investments?cursor=${narrow.meta.next_cursor}`)).list).toEqual([])
    await changed(id, 800)
    await stage.publish()
    expect(idsOf(await get(`/investments?cursor=${narrow.meta.next_cursor}`))).toEqual([id])
  })

  test('returns each record once over all pages, whatever the page size', async () => {
    const { ids, get, cursor } = await listed(7)
    for (const id of ids) await changed(id)
    await stage.publish()
    const whole = await readAll(get, '/investments?per_page=100', cursor)
    for (const size of [1, 2, 3, 6, 7, 8]) {
      const { rows, pages } = await readAll(get, `/investments?per_page=${size}`, cursor)
      expect(
        rows.map(({ id }) => id),
        String(size),
      ).toEqual(whole.rows.map(({ id }) => id))
      expect(pages.length).toBe(Math.ceil(7 / size))
    }
  })

  test('continues from the cursor of any row: the next sync returns the rows after it', async () => {
    const { ids, sync, cursor } = await listed(4)
    for (const id of ids) await changed(id)
    await stage.publish()
    const { list } = await sync(cursor)
    for (const [at, row] of list.entries()) {
      expect(idsOf(await sync(row.cursor ?? ''))).toEqual(idsOf({ list: list.slice(at + 1) }))
    }
    const second = await sync(cursor, '&per_page=2')
    expect(second.meta.next_cursor).toBe(second.list[1]?.cursor)
  })

  test('returns a record of the first page again on the next page if it changes between the two requests', async () => {
    const { ids, sync, cursor } = await listed(3)
    const [a, b, c] = ids
    if (a === undefined || b === undefined || c === undefined) throw new Error('there are three')
    for (const id of [a, b, c]) await changed(id)
    await stage.publish()
    const first = await sync(cursor, '&per_page=2')
    await changed(idsOf(first)[0] ?? a, 900)
    await stage.publish()
    const second = await sync(first.meta.next_cursor)
    expect(idsOf(second).toSorted()).toEqual(
      [idsOf(first)[0] ?? a, ...ids.filter((id) => !idsOf(first).includes(id))].toSorted(),
    )
  })

  test('returns a deactivated investor without identity, with the reason investor_deactivated', async () => {
    const { offering, company } = await listed(0)
    const investor = await stage.user()
    await stage.invest(offering, investor)
    await stage.publish()
    const get = await stage.asInstalledOn(company, PII)
    const { meta } = await get('/investments')
    await stage.arrange((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    await stage.publish()
    const [row] = (await get(`/investments?cursor=${meta.next_cursor}`)).list
    expect([row?.reason, row?.investor?.['name'], row?.investor?.['email']]).toEqual([
      'investor_deactivated',
      '[deleted user]',
      null,
    ])
    expect(row?.investor).not.toHaveProperty('address')
  })

  test('400 if status is combined with a sync cursor or updated_since', async () => {
    const { get, cursor } = await listed(0)
    for (const sync of [`cursor=${cursor}`, `updated_since=${new Date().toISOString()}`]) {
      expect(refusal(await get(`/investments?status=active&${sync}`))).toEqual([400, 'invalid_request'])
    }
  })
})

describe('GET /investments: sync by time', () => {
  test('returns a normal sync page from the position 60 seconds before the given time', async () => {
    const { offering, get } = await listed(0)
    const now = async () => {
      const [row] = await stage.db.sql<{ ms: string }>(
        'select (extract(epoch from test.world_now()) * 1000)::bigint::text ms',
      )
      return Number(row?.ms)
    }
    await stage.advance('10 minutes')
    const before = await now()
    const early = await stage.invest(offering)
    await stage.publish()
    const published = await now()
    await stage.advance('10 minutes')
    const late = await stage.invest(offering)
    await stage.publish()
    const since = async (ms: number) => idsOf(await get(`/investments?updated_since=${new Date(ms).toISOString()}`))
    expect(await since(published - 1_000)).toEqual([early, late])
    expect(await since(before + 50_000)).toEqual([early, late])
    expect(await since(published + 61_000)).toEqual([late])
    expect(await since((await now()) + 61_000)).toEqual([])
    const page = await get(`/investments?updated_since=${new Date(published).toISOString()}&per_page=1`)
    expect([page.meta.mode, page.meta.has_more, page.list[0]?.reason]).toEqual(['delta', true, 'changed'])
    expect(idsOf(await get(`/investments?cursor=${page.meta.next_cursor}`))).toEqual([late])
  })

  test('returns for a time after a pause only the changes since this time, even with many batches right before the pause', async () => {
    const { offering, get } = await listed(0)
    for (let batch = 0; batch < 3; batch++) {
      await stage.invest(offering)
      await stage.publish()
    }
    await stage.advance('10 minutes')
    const [now] = await stage.db.sql<{ text: Date }>('select test.world_now() as text')
    const late = await stage.invest(offering)
    await stage.publish()
    expect(idsOf(await get(`/investments?updated_since=${new Date(String(now?.text)).toISOString()}`))).toEqual([late])
  })

  test('for a time in the future returns a cursor for changes from now on', async () => {
    const { offering, get } = await listed(1)
    await stage.advance('2 minutes')
    const page = await get(`/investments?updated_since=2100-01-01T00:00:00Z`)
    expect([page.status, page.list, page.meta.has_more]).toEqual([200, [], false])
    const id = await stage.invest(offering)
    await stage.publish()
    expect(idsOf(await get(`/investments?cursor=${page.meta.next_cursor}`))).toEqual([id])
  })

  test('uses the cursor if a cursor and a time are sent, however old the time is', async () => {
    const { get, cursor, offering } = await listed(2)
    const id = await stage.invest(offering)
    await stage.publish()
    const both = await get(`/investments?cursor=${cursor}&updated_since=2020-01-01T00:00:00Z`)
    expect(idsOf(both)).toEqual([id])
  })

  test('uses the cursor also if it is a list cursor', async () => {
    const { get, ids } = await listed(2)
    const first = await get('/investments?per_page=1')
    const rest = await get(`/investments?cursor=${first.meta.next_cursor}&updated_since=2026-01-01T00:00:00Z`)
    expect([rest.meta.mode, [...idsOf(first), ...idsOf(rest)]]).toEqual(['bootstrap', ids.toSorted()])
  })
})

describe('a record that a new derivation changed', () => {
  test('a record that a new derivation changed has reason recomputed, or reprojected in versions before 2026-11-01', async () => {
    const { get, sync, cursor, ids } = await listed(1)
    const next = {
      version: DERIVATION.version + 1,
      derive: (facts: Parameters<typeof DERIVATION.derive>[0]) => {
        const record = DERIVATION.derive(facts)
        return { ...record, open: { ...record.open, offering_type: 'Another word' } }
      },
    }
    await republishAll(stage.db.databases.test, { derivation: next })
    const newest = await sync(cursor)
    expect(newest.list.map(({ id, reason }) => [id, reason])).toEqual([[ids[0], 'recomputed']])
    for (const version of ['2025-01-15', '2026-10-01']) {
      const older = await get(`/investments?cursor=${cursor}`, { 'wefunder-version': version })
      expect(older.list).toEqual(newest.list.map((row) => ({ ...row, reason: 'reprojected' })))
    }
    await publishAll(stage.db.databases.test, { derivation: next })
  })
})
