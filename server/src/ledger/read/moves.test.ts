import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { confirmInvestment, hideInvestment, moveToOffering, receivePayment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type Get, type LedgerStage, openLedgerStage } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

/** A paid and confirmed investment, another offering of the company, and two readers: the company and the investor. */
async function invested() {
  const { company, offering, founder } = await stage.raising()
  const [there, investor] = [await stage.offering(company), await stage.user()]
  const id = await stage.invest(offering, investor)
  await stage.arrange(async (tx) => {
    await receivePayment(tx, { id }, occasionAt())
    await confirmInvestment(tx, { id }, occasionAt())
  })
  await stage.publish()
  const [theirs, own] = [await stage.asInstalledOn(company), await stage.asInstalledOn(investor)]
  return { company, offering, founder, there, investor, id, theirs, own }
}

async function move(id: Id<'investment'>, offering: Id<'offering'>): Promise<Id<'investment'>> {
  const successor = await stage.arrange((tx) => moveToOffering(tx, { id, offering }, occasionAt()))
  await stage.publish()
  return successor
}

const listed = async (get: Get, query = '') => (await get(`/investments${query}`)).list
const statsOf = async (get: Get, offering: Id<'offering'>) => {
  const { data } = await get(`/offerings/${offering}/stats`)
  return (data as unknown as { total: object }).total
}

describe('a move of an investment to another offering', () => {
  test('is a tombstone and a new record for the company', async () => {
    const { id, there, theirs } = await invested()
    const [before] = await listed(theirs)
    const { meta } = await theirs('/investments')
    const successor = await move(id, there)
    const { list } = await theirs(`/investments?cursor=${meta.next_cursor}`)
    expect(list.map((row) => [row.id, row.visible])).toEqual([
      [id, false],
      [successor, true],
    ])
    expect(Object.keys(list[0] ?? {}).sort()).toEqual(['cursor', 'id', 'observed_at', 'reason', 'visible'])
    const moved = { id: successor, offering: there, converted_from: id, observed_at: expect.any(String) }
    expect(await listed(theirs)).toEqual([{ ...before, ...moved }])
  })

  test('is a tombstone under the filter of the old offering, and a record under the filter of the new one', async () => {
    const { id, offering, there, theirs } = await invested()
    const at = async (filter: string) => (await theirs(`/investments?offering_id=${filter}`)).meta.next_cursor
    const [left, reached] = [await at(offering), await at(there)]
    const successor = await move(id, there)
    const sync = async (filter: string, cursor: string) =>
      (await theirs(`/investments?offering_id=${filter}&cursor=${cursor}`)).list.map((row) => [row.id, row.visible])
    expect(await sync(offering, left)).toEqual([[id, false]])
    expect(await sync(there, reached)).toEqual([[successor, true]])
  })

  test('shows the investor both records, and their money once', async () => {
    const { id, there, own } = await invested()
    const money = (rows: readonly { readonly amounts?: Readonly<Record<string, unknown>> }[], of: string) =>
      rows.reduce((sum, { amounts }) => sum + Number(amounts?.[of] ?? 0), 0)
    const before = await listed(own)
    const successor = await move(id, there)
    const after = await listed(own)
    expect(after.map((row) => [row.id, row.status, row['converted_to'], row['converted_from']]).toSorted()).toEqual(
      [
        [id, 'converted', successor, null],
        [successor, 'active', null, id],
      ].toSorted(),
    )
    for (const name of ['in_escrow_cents', 'raised_cents']) expect(money(after, name)).toBe(money(before, name))
    expect(after.find((row) => row.id === successor)).toMatchObject({ group: 'CONFIRMED' })
  })

  test('does not change the sum of the figures of both offerings', async () => {
    const { id, offering, there, theirs } = await invested()
    const [here, elsewhere] = [await statsOf(theirs, offering), await statsOf(theirs, there)]
    await move(id, there)
    expect([await statsOf(theirs, there), await statsOf(theirs, offering)]).toEqual([here, elsewhere])
    expect(here).toEqual({ count: 1, committed_cents: 25_000, raised_cents: 25_000 })
  })

  test('shows the company nothing if the investment is hidden', async () => {
    const { id, there, theirs } = await invested()
    await stage.arrange((tx) => hideInvestment(tx, { id }, occasionAt()))
    await stage.publish()
    const { meta } = await theirs('/investments')
    await move(id, there)
    expect((await theirs(`/investments?cursor=${meta.next_cursor}`)).list).toEqual([])
  })

  test('to a vehicle is a tombstone at the first company and a record at the other company', async () => {
    const { id, theirs } = await invested()
    const vehicle = await stage.raising()
    const there = await stage.asInstalledOn(vehicle.company)
    const [left, reached] = [await theirs('/investments'), await there('/investments')]
    const successor = await move(id, vehicle.offering)
    const rows = async (get: Get, cursor: string) =>
      (await get(`/investments?cursor=${cursor}`)).list.map((row) => [row.id, row.visible])
    expect(await rows(theirs, left.meta.next_cursor)).toEqual([[id, false]])
    expect(await rows(there, reached.meta.next_cursor)).toEqual([[successor, true]])
  })
})
