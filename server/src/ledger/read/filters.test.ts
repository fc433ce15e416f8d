import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { cancelInvestment, hideInvestment, unhideInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { relocateInPlace } from '#test/relocation.ts'
import { purgeLedger } from '../index.ts'
import { type Get, idsOf, type LedgerStage, openLedgerStage, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

const listedBy = async (get: Get, filter: string) => idsOf(await get(`/investments?${filter}`))
const moved = (id: Id<'investment'>, offering: Id<'offering'>) =>
  stage.arrange((tx) => relocateInPlace(tx, { id, offering }))

describe('filters only narrow the audience', () => {
  test('a user token can filter by company_id, offering_id and investor_id, each and together', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const [user, investor] = [await stage.user(), await stage.user()]
    await stage.role(here.company, user)
    await stage.role(there.company, user)
    const second = await stage.offering(here.company)
    const a = await stage.invest(here.offering, investor)
    const b = await stage.invest(second, investor)
    const c = await stage.invest(there.offering)
    const mine = await stage.invest(here.offering, user)
    await stage.publish()
    const get = await stage.asUser(user)
    expect(await listedBy(get, `company_id=${here.company}`)).toEqual([a, b, mine].toSorted())
    expect(await listedBy(get, `offering_id=${here.offering}`)).toEqual([a, mine].toSorted())
    expect(await listedBy(get, `investor_id=${investor}`)).toEqual([a, b].toSorted())
    expect(await listedBy(get, `investor_id=${user}`)).toEqual([mine])
    expect(await listedBy(get, `investor_id=${investor}&offering_id=${second}`)).toEqual([b])
    expect(await listedBy(get, `company_id=${there.company}&investor_id=${investor}`)).toEqual([])
    expect(await listedBy(get, `company_id=${there.company}`)).toEqual([c])
  })

  test('a filter applies to the caller’s own records: records of other people are not returned', async () => {
    const { company, offering } = await stage.raising()
    const user = await stage.user()
    const mine = await stage.invest(offering, user)
    await stage.invest(offering)
    await stage.publish()
    for (const get of [await stage.asUser(user), await stage.asInstalledOn(user)]) {
      expect(await listedBy(get, `company_id=${company}`)).toEqual([mine])
      expect(await listedBy(get, `offering_id=${offering}`)).toEqual([mine])
      expect(await listedBy(get, `investor_id=${user}`)).toEqual([mine])
    }
  })

  test('a filter is not in the cursor: a sync without it covers the whole audience', async () => {
    const { company, offering } = await stage.raising()
    const second = await stage.offering(company)
    const get = await stage.asInstalledOn(company)
    const { meta } = await get(`/investments?offering_id=${offering}`)
    const [a, b] = [await stage.invest(offering), await stage.invest(second)]
    await stage.publish()
    expect(idsOf(await get(`/investments?offering_id=${offering}&cursor=${meta.next_cursor}`))).toEqual([a])
    expect(idsOf(await get(`/investments?cursor=${meta.next_cursor}`)).toSorted()).toEqual([a, b].toSorted())
  })
})

describe('known filter ids', () => {
  test('an editor of the company can filter by its id and its offerings before any investment', async () => {
    const { company, offering, founder } = await stage.raising()
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      expect(await listedBy(get, `company_id=${company}`)).toEqual([])
      expect(await listedBy(get, `offering_id=${offering}`)).toEqual([])
    }
  })

  test('an id is known if a record in the audience has it, tombstones included', async () => {
    const { company, offering, founder } = await stage.raising()
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.publish()
    await stage.arrange((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await stage.publish()
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      expect(await listedBy(get, `investor_id=${investor}`)).toEqual([])
    }
    const own = await stage.asUser(investor)
    expect(await listedBy(own, `company_id=${company}&status=active`)).toEqual([])
    expect(await listedBy(own, `offering_id=${offering}&status=active`)).toEqual([])
  })

  test('an id is known if one of the investor’s records once had it', async () => {
    const { company, offering } = await stage.raising()
    const second = await stage.offering(company)
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.publish()
    await moved(id, second)
    await stage.publish()
    expect(await listedBy(await stage.asUser(investor), `offering_id=${offering}`)).toEqual([])
  })

  test('an id stays known after the record moved to another offering: a sync with that filter continues', async () => {
    const { company, offering } = await stage.raising()
    const second = await stage.offering(company)
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.publish()
    await moved(id, second)
    await stage.publish()
    for (const ask of [() => stage.asUser(investor), () => stage.asInstalledOn(investor)]) {
      let { meta } = await (await ask())(`/investments?offering_id=${offering}`)
      for (let month = 0; month < 4; month++) {
        await stage.advance('30 days')
        await stage.arrange((tx) => purgeLedger(tx, 100))
        const page = await (await ask())(`/investments?offering_id=${offering}&cursor=${meta.next_cursor}`)
        expect([page.status, page.list]).toEqual([200, []])
        meta = page.meta
      }
    }
  })

  test('every other id is 404, whether its record exists or not', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const stranger = await stage.user()
    await stage.invest(there.offering, stranger)
    const hidden = await stage.user()
    const never = await stage.invest(here.offering, hidden)
    await stage.arrange((tx) => cancelInvestment(tx, { id: never }, occasionAt()))
    await stage.publish()
    const unknown = [
      `company_id=${there.company}`,
      `company_id=${newId('company')}`,
      `offering_id=${there.offering}`,
      `offering_id=${newId('offering')}`,
      `investor_id=${stranger}`,
      `investor_id=${hidden}`,
      `investor_id=${newId('user')}`,
      `company_id=${here.company}&offering_id=${there.offering}`,
    ]
    const readers = [
      await stage.asUser(here.founder),
      await stage.asInstalledOn(here.company),
      await stage.asInstalledOn(here.founder),
    ]
    for (const get of readers) {
      const cursor = (await get('/investments')).meta.next_cursor
      for (const filter of unknown) {
        for (const mode of ['', `&cursor=${cursor}`]) {
          const response = await get(`/investments?${filter}${mode}`)
          expect(refusal(response), filter).toEqual([404, 'not_found'])
          const { request_id: _, ...shownError } = response.error
          const { request_id: __, ...missing } = (await get(`/investments?company_id=${newId('company')}`)).error
          expect(shownError).toEqual(missing)
        }
      }
    }
  })

  test('an empty or malformed id or one with the wrong prefix is 404', async () => {
    const { company, offering, founder } = await stage.raising()
    const get = await stage.asUser(founder)
    for (const filter of [
      `company_id=${offering}`,
      `offering_id=${company}`,
      `investor_id=${company}`,
      'company_id=',
      'offering_id=ofr_1',
      'investor_id=1',
      `company_id=${company}%20`,
      `company_id=co_${'0'.repeat(500)}`,
      `investor_id=${'x'.repeat(3_000)}`,
    ]) {
      expect(refusal(await get(`/investments?${filter}`)), filter).toEqual([404, 'not_found'])
    }
    const twice = await get(`/investments?company_id=${company}&company_id=${company}`)
    expect(refusal(twice)).toEqual([400, 'invalid_request'])
  })
})

describe('a record that was moved in place (as in releases without conversions), synced with offering_id', () => {
  test('is a tombstone once, for the company, for its people and for the investor', async () => {
    const { company, offering, founder } = await stage.raising()
    const second = await stage.offering(company)
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.publish()
    const readers = [
      await stage.asInstalledOn(company),
      await stage.asUser(founder),
      await stage.asUser(investor),
      await stage.asInstalledOn(investor),
    ]
    const cursors: string[] = []
    for (const get of readers) cursors.push((await get(`/investments?offering_id=${offering}`)).meta.next_cursor)
    await moved(id, second)
    await stage.publish()
    for (const [at, get] of readers.entries()) {
      const page = await get(`/investments?offering_id=${offering}&cursor=${cursors[at]}`)
      expect(page.list.map(({ cursor: _, observed_at: __, ...rest }) => rest)).toEqual([
        { id, visible: false, reason: 'changed' },
      ])
      expect((await get(`/investments?offering_id=${offering}&cursor=${page.meta.next_cursor}`)).list).toEqual([])
      const there = await get(`/investments?offering_id=${second}&cursor=${cursors[at]}`)
      expect(there.list.map((row) => [row.id, row.visible, row['offering']])).toEqual([[id, true, second]])
      const anywhere = await get(`/investments?cursor=${cursors[at]}`)
      expect(anywhere.list.map((row) => [row.id, row['offering']])).toEqual([[id, second]])
    }
  })

  const hidden = (id: Id<'investment'>) => stage.arrange((tx) => hideInvestment(tx, { id }, occasionAt()))
  const shown = (id: Id<'investment'>) => stage.arrange((tx) => unhideInvestment(tx, { id }, occasionAt()))

  test('is a tombstone once if it was hidden when it moved, and only in the offering where the company saw it', async () => {
    const { company, offering, founder } = await stage.raising()
    const second = await stage.offering(company)
    const id = await stage.invest(offering)
    await stage.publish()
    for (const get of [await stage.asInstalledOn(company), await stage.asUser(founder)]) {
      const sync = async (filter: Id<'offering'>, cursor: string) =>
        (await get(`/investments?offering_id=${filter}&cursor=${cursor}`)).list.map((row) => [row.id, row.visible])
      const start = (await get('/investments')).meta.next_cursor
      await hidden(id)
      await stage.publish()
      const whenHidden = (await get('/investments')).meta.next_cursor
      await moved(id, second)
      await stage.publish()
      expect(await sync(offering, start)).toEqual([[id, false]])
      expect(await sync(offering, whenHidden)).toEqual([])
      expect([await sync(second, start), await sync(second, whenHidden)]).toEqual([[], []])
      await shown(id)
      await stage.publish()
      expect(await sync(offering, start)).toEqual([[id, false]])
      expect(await sync(offering, whenHidden)).toEqual([])
      expect(await sync(second, start)).toEqual([[id, true]])
      await moved(id, offering)
      await stage.publish()
    }
  })

  test('is a record and no tombstone if it moved back', async () => {
    const { company, offering } = await stage.raising()
    const second = await stage.offering(company)
    const id = await stage.invest(offering)
    await stage.publish()
    const get = await stage.asInstalledOn(company)
    const { meta } = await get(`/investments?offering_id=${offering}`)
    await moved(id, second)
    await stage.publish()
    await moved(id, offering)
    await stage.publish()
    const page = await get(`/investments?offering_id=${offering}&cursor=${meta.next_cursor}`)
    expect(page.list.map((row) => [row.id, row.visible])).toEqual([[id, true]])
  })
})
