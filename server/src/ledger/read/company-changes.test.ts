import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { endRole } from '#market/companies/index.ts'
import { cancelInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { idsOf, type LedgerStage, openLedgerStage, readAll, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

const pathOf = (company: string) => `/companies/${company}/investments/changes`

describe('GET /companies/{company_id}/investments/changes', () => {
  test('returns all current records of the company once, then the changes since the cursor; meta names the company', async () => {
    const { company, founder, offering } = await stage.raising()
    const other = await stage.raising()
    await stage.role(other.company, founder)
    const ids = [await stage.invest(offering), await stage.invest(offering), await stage.invest(offering)]
    await stage.invest(other.offering)
    await stage.publish()
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      const { pages, rows, next } = await readAll(get, `${pathOf(company)}?per_page=2`)
      expect(rows.map(({ id }) => id)).toEqual(ids.toSorted())
      expect(pages.map(({ meta }) => [meta.mode, meta['company_id']])).toEqual([
        ['bootstrap', company],
        ['bootstrap', company],
      ])
      const [id] = ids
      if (id === undefined) throw new Error('there are three')
      const empty = await get(`${pathOf(company)}?cursor=${next}`)
      expect([empty.meta.mode, empty.list, empty.meta.has_more]).toEqual(['delta', [], false])
    }
    const get = await stage.asInstalledOn(company)
    const { next } = await readAll(get, `${pathOf(company)}?per_page=100`)
    const [id] = ids
    if (id === undefined) throw new Error('there are three')
    await stage.arrange((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await stage.publish()
    const delta = await get(`${pathOf(company)}?cursor=${next}`)
    expect(delta.list.map((row) => [row.id, row.visible, row.status])).toEqual([[id, false, undefined]])
  })

  test('updated_since syncs by time as on GET /investments, with tombstones; a cursor wins over it if both are sent', async () => {
    const { company, founder, offering } = await stage.raising()
    const early = await stage.invest(offering)
    await stage.publish()
    await stage.advance('10 minutes')
    const [clock] = await stage.db.sql<{ now: string }>(
      `select to_char(test.world_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as now`,
    )
    const now = clock?.now ?? ''
    await stage.arrange((tx) => cancelInvestment(tx, { id: early }, occasionAt()))
    const late = await stage.invest(offering)
    await stage.publish()
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      // Without a zone the time counts as UTC.
      const { meta, list } = await get(`${pathOf(company)}?updated_since=${now}`)
      expect([meta.mode, list.map(({ id, visible }) => [id, visible])]).toEqual([
        'delta',
        [
          [early, false],
          [late, true],
        ],
      ])
      const both = await get(`${pathOf(company)}?updated_since=${now}&cursor=${meta.next_cursor}`)
      expect(idsOf(both)).toEqual([])
      for (const wrong of ['', 'yesterday', '2026-11-15']) {
        expect(refusal(await get(`${pathOf(company)}?updated_since=${wrong}`))).toEqual([400, 'invalid_request'])
      }
      expect(refusal(await get(`${pathOf(company)}?updated_since=2020-01-01T00:00:00Z`))).toEqual([410, 'gone'])
      expect(refusal(await get(`${pathOf(company)}?cursor=`))).toEqual([400, 'invalid_request'])
    }
  })

  test('updated_since needs no new listing after the user lost access to another company', async () => {
    const { company, founder } = await stage.raising()
    const other = await stage.raising()
    await stage.role(other.company, founder)
    await stage.publish()
    await stage.advance('10 minutes')
    const since = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString()
    const get = await stage.asUser(founder)
    await stage.arrange((tx) => endRole(tx, { company: other.company, user: founder, role: 'founder' }, occasionAt()))
    await stage.publish()
    expect((await get(`${pathOf(company)}?updated_since=${since}`)).status).toBe(200)
  })

  test('read:investments or read:companies is enough; 403 insufficient_scope with neither scope', async () => {
    const { company, founder } = await stage.raising()
    for (const scope of ['read:investments', 'read:companies']) {
      expect((await (await stage.asUser(founder, [scope]))(pathOf(company))).status, scope).toBe(200)
      expect((await (await stage.asInstalledOn(company, [scope]))(pathOf(company))).status, scope).toBe(200)
    }
    const response = await (await stage.asUser(founder, ['read:profile']))(pathOf(company))
    expect(refusal(response)).toEqual([403, 'insufficient_scope'])
  })

  test('403 forbidden for a person who can see the company but not edit it', async () => {
    const { company, offering } = await stage.raising()
    const open = await stage.raising()
    await stage.offering(open.company, { listed: true })
    const [investor, employee, former, stranger] = [
      await stage.user(),
      await stage.user(),
      await stage.user(),
      await stage.user(),
    ]
    await stage.invest(offering, investor)
    await stage.role(company, employee, 'employee')
    await stage.role(company, former, 'admin')
    await stage.noRole(company, former, 'admin')
    await stage.publish()
    for (const user of [investor, employee, former]) {
      expect(refusal(await (await stage.asUser(user))(pathOf(company)))).toEqual([403, 'forbidden'])
    }
    expect(refusal(await (await stage.asUser(stranger))(pathOf(open.company)))).toEqual([403, 'forbidden'])
    expect(refusal(await (await stage.asInstalledOn(company))(pathOf(open.company)))).toEqual([403, 'forbidden'])
    expect(refusal(await (await stage.asInstalledOn(open.founder))(pathOf(open.company)))).toEqual([403, 'forbidden'])
  })

  test('404 for a person who cannot see the company, as for an unknown company', async () => {
    const { company } = await stage.raising()
    const other = await stage.raising()
    for (const get of [
      await stage.asUser(await stage.user()),
      await stage.asUser(other.founder),
      await stage.asInstalledOn(other.company),
      await stage.asInstalledOn(other.founder),
    ]) {
      expect(refusal(await get(pathOf(company)))).toEqual([404, 'not_found'])
      expect(refusal(await get(pathOf(newId('company'))))).toEqual([404, 'not_found'])
    }
  })

  test('a cursor becomes invalid when the reader loses the right to read: 403 without the right, 410 after the right is back', async () => {
    const { company, founder, offering } = await stage.raising()
    await stage.invest(offering)
    await stage.publish()
    const get = await stage.asUser(founder)
    const { meta } = await get(pathOf(company))
    await stage.noRole(company, founder)
    await stage.publish()
    expect(refusal(await get(`${pathOf(company)}?cursor=${meta.next_cursor}`))).toEqual([403, 'forbidden'])
    await stage.role(company, founder)
    await stage.publish()
    expect(refusal(await get(`${pathOf(company)}?cursor=${meta.next_cursor}`))).toEqual([410, 'gone'])
  })

  test('a change at another company does not require a new listing of this company', async () => {
    const { company, founder } = await stage.raising()
    // An additional role does not change what the person sees.
    await stage.role(company, founder, 'admin')
    const get = await stage.asUser(founder)
    const { meta } = await get(pathOf(company))
    await stage.role((await stage.raising()).company, founder)
    await stage.publish()
    expect((await get(`${pathOf(company)}?cursor=${meta.next_cursor}`)).status).toBe(200)
  })

  test('returns a founder’s own investment in the company with the rights of an investor', async () => {
    const { company, founder, offering } = await stage.raising()
    const mine = await stage.invest(offering, founder)
    await stage.arrange((tx) => cancelInvestment(tx, { id: mine }, occasionAt()))
    await stage.publish()
    expect(idsOf(await (await stage.asUser(founder))(pathOf(company)))).toEqual([mine])
    expect(idsOf(await (await stage.asInstalledOn(company))(pathOf(company)))).toEqual([])
  })

  test('ignores the filters of GET /investments', async () => {
    const { company, offering } = await stage.raising()
    const id = await stage.invest(offering)
    await stage.publish()
    const get = await stage.asInstalledOn(company)
    expect(idsOf(await get(`${pathOf(company)}?status=executed&company_id=co_1`))).toEqual([id])
  })
})
