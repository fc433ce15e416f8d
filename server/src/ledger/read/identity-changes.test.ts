import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  changeAmount,
  changeDetails,
  deactivateInvestor,
  hideInvestment,
  unhideInvestment,
} from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type Get, type LedgerStage, openLedgerStage, PII } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

type Investment = Id<'investment'>

/** A published investment, and readers of every kind: `named` readers see identity fields, `unnamed` readers do not. */
async function invested() {
  const { company, offering, founder } = await stage.raising()
  const investor = await stage.user()
  const id = await stage.invest(offering, investor)
  await stage.publish()
  const feed =
    (get: Get): Get =>
    (path) =>
      get(path.replace('/investments', `/companies/${company}/investments/changes`))
  const installed = await stage.asInstalledOn(company)
  const unnamed: Readonly<Record<string, Get>> = {
    company: installed,
    union: await stage.asUser(founder),
    feed: feed(installed),
    offering: (path) => installed(`${path}${path.includes('?') ? '&' : '?'}offering_id=${offering}`),
    investor: (path) => installed(`${path}${path.includes('?') ? '&' : '?'}investor_id=${investor}`),
  }
  const named: Readonly<Record<string, Get>> = {
    company: await stage.asInstalledOn(company, PII),
    union: await stage.asUser(founder, PII),
    own: await stage.asInstalledOn(investor),
  }
  return { company, offering, founder, investor, id, unnamed, named }
}

const listed = async (get: Get) => (await get('/investments')).meta.next_cursor
const synced = (get: Get, cursor: string) => get(`/investments?cursor=${cursor}`)

async function published(work: Parameters<LedgerStage['arrange']>[0]) {
  await stage.arrange(work)
  await stage.publish()
}
const renamed = (id: Id<'user'>) => published((tx) => updateUser(tx, { id, name: 'Sam Other' }, occasionAt()))
const raised = (id: Investment, cents: number) =>
  published((tx) => changeAmount(tx, { id, amount_cents: cents as Cents }, occasionAt()))

describe('a change of only the identity', () => {
  test.each(['company', 'union', 'feed', 'offering', 'investor'])(
    'causes no row without read:investors:pii (%s)',
    async (who) => {
      const { investor, id, unnamed } = await invested()
      const get = unnamed[who] as Get
      const cursor = await listed(get)
      await renamed(investor)
      await published((tx) => changeDetails(tx, { id, message: 'Hello.', external_username: 'me' }, occasionAt()))
      const page = await synced(get, cursor)
      expect(page).toMatchObject({ status: 200, list: [], meta: { has_more: false, page_count: 0 } })
      expect(page.meta.next_cursor).not.toBe(cursor)
      await raised(id, 50_000)
      for (const from of [cursor, page.meta.next_cursor]) {
        expect((await synced(get, from)).list).toMatchObject([
          { id, reason: 'changed', amounts: { committed_cents: 50_000 } },
        ])
      }
    },
  )

  test.each(['company', 'union', 'own'])('causes a row for readers who see the identity (%s)', async (who) => {
    const { investor, id, named } = await invested()
    const get = named[who] as Get
    const cursor = await listed(get)
    await renamed(investor)
    expect((await synced(get, cursor)).list).toMatchObject([{ id, investor: { name: 'Sam Other' } }])
  })

  test('hides no earlier change: an earlier cursor still gets the record, with the earlier observed_at', async () => {
    const { investor, id, unnamed, named } = await invested()
    for (const get of Object.values(unnamed)) {
      const before = await listed(get)
      await raised(id, 40_000)
      const between = await listed(get)
      const [change] = (await synced(get, before)).list
      await renamed(investor)
      const [again] = (await synced(get, before)).list
      expect(again).toEqual({ ...change, cursor: expect.any(String) })
      expect((await synced(get, between)).list).toEqual([])
      expect((await synced(get, again?.cursor ?? '')).list).toEqual([])
      const { cursor: _, reason: __, ...record } = again ?? { id }
      const listing = (await get('/investments')).list
      expect(listing).toEqual([record])
      await raised(id, 25_000)
      await published((tx) => updateUser(tx, { id: investor, name: 'Ada Lovelace' }, occasionAt()))
    }
    const [byName] = (await (named['company'] as Get)('/investments')).list
    const [byNobody] = (await (unnamed['company'] as Get)('/investments')).list
    expect((byName?.observed_at ?? '') > (byNobody?.observed_at ?? '')).toBe(true)
  })

  test('does not move the record’s earlier change behind the changes of other records, page by page', async () => {
    const { offering, unnamed, id, investor } = await invested()
    const get = unnamed['company'] as Get
    const others = [await stage.invest(offering), await stage.invest(offering)]
    await stage.publish()
    const cursor = await listed(get)
    for (const one of [id, ...others]) await raised(one, 60_000)
    await renamed(investor)
    const seen: string[] = []
    let page = await get(`/investments?per_page=1&cursor=${cursor}`)
    while (page.list.length > 0) {
      seen.push(...page.list.map((row) => row.id))
      page = await get(`/investments?per_page=1&cursor=${page.meta.next_cursor}`)
    }
    expect(seen).toEqual([id, ...others])
  })

  test('causes no row while the record is hidden; the record has a row when it is shown again', async () => {
    const { investor, id, unnamed } = await invested()
    const get = unnamed['company'] as Get
    await published((tx) => hideInvestment(tx, { id }, occasionAt()))
    const cursor = await listed(get)
    await renamed(investor)
    expect((await synced(get, cursor)).list).toEqual([])
    await published((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await renamed(investor)
    expect((await synced(get, cursor)).list).toMatchObject([{ id, visible: true, reason: 'changed' }])
  })

  test('causes a row for every reader if it changes via_entity', async () => {
    const { id, unnamed } = await invested()
    const get = unnamed['company'] as Get
    const cursor = await listed(get)
    await published((tx) => changeDetails(tx, { id, entity_name: 'One LLC' }, occasionAt()))
    const page = await synced(get, cursor)
    expect(page.list).toMatchObject([{ id, investor: { via_entity: true } }])
    await published((tx) => changeDetails(tx, { id, entity_name: 'Other LLC' }, occasionAt()))
    expect((await synced(get, page.meta.next_cursor)).list).toEqual([])
  })

  test('does not show in GET /investments/{id} without read:investors:pii, published or not', async () => {
    const { id, investor, unnamed, named } = await invested()
    const [plain, pii] = [unnamed['company'] as Get, named['company'] as Get]
    const before = await plain(`/investments/${id}`)
    await stage.arrange((tx) => updateUser(tx, { id: investor, name: 'Not Yet Published' }, occasionAt()))
    expect((await plain(`/investments/${id}`)).meta).toEqual({ ...before.meta, published_matches: true })
    expect((await pii(`/investments/${id}`)).meta).toMatchObject({ published_matches: false })
    await stage.publish()
    expect((await plain(`/investments/${id}`)).meta).toEqual(before.meta)
    expect((await pii(`/investments/${id}`)).meta['published_observed_at']).not.toBe(
      before.meta['published_observed_at'],
    )
  })
})

describe('a deactivation', () => {
  test('causes a row for every reader, also right after a change of only the identity', async () => {
    const { investor, id, unnamed, named } = await invested()
    const readers = [...Object.values(unnamed), named['company'] as Get]
    const cursors = await Promise.all(readers.map(listed))
    await renamed(investor)
    await published((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    for (const [at, get] of readers.entries()) {
      const { list } = await synced(get, cursors[at] ?? '')
      expect(list).toMatchObject([{ id, reason: 'investor_deactivated', investor: { deactivated: true } }])
    }
  })
})

describe('a token whose scope changed', () => {
  test('gets 410 if it gained the scope, because the reader’s copy lacks earlier names', async () => {
    const { company, investor } = await invested()
    const cursor = await listed(await stage.asInstalledOn(company))
    await renamed(investor)
    expect((await synced(await stage.asInstalledOn(company, PII), cursor)).status).toBe(410)
  })

  test('continues if it lost the scope, without rows for later changes of names', async () => {
    const { company, investor, id } = await invested()
    const cursor = await listed(await stage.asInstalledOn(company, PII))
    await renamed(investor)
    const get = await stage.asInstalledOn(company)
    const page = await synced(get, cursor)
    expect(page).toMatchObject({ status: 200, list: [] })
    await raised(id, 50_000)
    const [row] = (await synced(get, page.meta.next_cursor)).list
    expect(row).toMatchObject({ id, amounts: { committed_cents: 50_000 } })
    expect(row?.investor).not.toHaveProperty('name')
  })
})

test('a publisher of the previous release publishes a change of only the identity for every reader', async () => {
  const { investor, id, unnamed } = await invested()
  const get = unnamed['company'] as Get
  await renamed(investor)
  const cursor = await listed(get)
  await stage.db.sql(
    `update test.ledger_heads set position = position + 1000, company_position = company_position + 1000 where investment_id = $1`,
    [id],
  )
  await stage.db.sql('update test.ledger set position = position + 1000')
  expect((await synced(get, cursor)).list).toMatchObject([{ id }])
  const [head] = await stage.db.sql(
    `select open_position = company_position as whole, identity_position, open_reason from test.ledger_heads where investment_id = $1`,
    [id],
  )
  expect(head).toEqual({ whole: true, identity_position: null, open_reason: null })
})
