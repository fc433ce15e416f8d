import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  cancelInvestment,
  changeAmount,
  confirmInvestment,
  executeInvestment,
  hideInvestment,
  moveToOffering,
  unhideInvestment,
} from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { refreshFigures } from './index.ts'
import { type CatalogStage, openCatalogStage } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

const LATER = occasionAt('2026-02-03T00:00:00.000000Z')

async function figures(id: Id<'offering'>) {
  await stage.refresh()
  const { amount_raised, investor_count } = (await stage.everybody(`/offerings/${id}`)).data.attributes
  return [amount_raised, investor_count]
}

const after = async (id: Id<'offering'>, work: (tx: Tx) => Promise<unknown>) => {
  await stage.arrange(work)
  return figures(id)
}

describe('the figures of a raise count', () => {
  test('investments after their confirmation, with every change, until they are canceled', async () => {
    const offering = await stage.offering()
    expect(await figures(offering)).toEqual([0, 0])
    const investment = await stage.arrange((tx) => makeInvestment(tx, { offering }))
    const which = { id: investment }
    expect(await figures(offering)).toEqual([0, 0])
    expect(await after(offering, (tx) => confirmInvestment(tx, which, LATER))).toEqual([250, 1])
    const more = { ...which, amount_cents: 40_000 as Cents }
    expect(await after(offering, (tx) => changeAmount(tx, more, LATER))).toEqual([400, 1])
    expect(await after(offering, (tx) => hideInvestment(tx, which, LATER))).toEqual([0, 0])
    expect(await after(offering, (tx) => unhideInvestment(tx, which, LATER))).toEqual([400, 1])
    expect(await after(offering, (tx) => cancelInvestment(tx, which, LATER))).toEqual([0, 0])
  })

  test('executed investments; each investor once, even with several investments', async () => {
    const [offering, investor] = [await stage.offering(), await stage.user()]
    const id = await stage.arrange((tx) => makeInvestment(tx, { offering, investor }))
    await stage.invest(offering, 100, investor)
    await stage.invest(offering, 100)
    expect(await figures(offering)).toEqual([200, 2])
    expect(await after(offering, (tx) => executeInvestment(tx, { id }, LATER))).toEqual([450, 2])
  })

  test('reservations, if an offering tests the waters', async () => {
    const offering = await stage.offering({ testing_the_waters: true })
    await stage.arrange((tx) => makeInvestment(tx, { offering }))
    expect(await figures(offering)).toEqual([250, 1])
  })

  test('an investment that moved to another offering only at that offering', async () => {
    const company = await stage.company()
    const [from, to] = [await stage.offering({ company }), await stage.offering({ company })]
    const id = await stage.invest(from, 300)
    expect(await figures(from)).toEqual([300, 1])
    expect(await after(from, (tx) => moveToOffering(tx, { id, offering: to }, LATER))).toEqual([0, 0])
    expect(await figures(to)).toEqual([300, 1])
  })
})

describe('refreshing the figures', () => {
  const waiting = async () =>
    (await stage.db.sql<{ offering_id: string }>('select offering_id from test.catalog_changes order by seq')).map(
      ({ offering_id }) => offering_id,
    )

  test('processes a limited number of changes and reports whether there may be more; irrelevant changes are not queued', async () => {
    await stage.refresh()
    const offering = await stage.offering()
    for (let n = 0; n < 3; n++) await stage.invest(offering, 100)
    // An unconfirmed investment does not count yet.
    const uncounted = await stage.arrange((tx) => makeInvestment(tx, { offering }))
    const amount_cents = 40_000 as Cents
    await stage.arrange((tx) => changeAmount(tx, { id: uncounted, amount_cents }, LATER))
    await stage.db.sql('update test.investments set message = $2 where offering_id = $1', [offering, 'Hello'])
    const share = { changes: 2, offerings: 10 }
    expect(await stage.arrange((tx) => refreshFigures(tx, share))).toBe(true)
    expect(await waiting()).toEqual([offering])
    expect(await stage.arrange((tx) => refreshFigures(tx, share))).toBe(false)
    expect(await waiting()).toEqual([])
    expect(await stage.arrange((tx) => refreshFigures(tx, share))).toBe(false)
  })

  test('processes all queued changes of a limited number of offerings; the other changes stay queued', async () => {
    await stage.refresh()
    const [one, two, three] = [await stage.offering(), await stage.offering(), await stage.offering()]
    for (const each of [one, two, one, three, two, one]) await stage.invest(each, 100)
    const share = { changes: 100, offerings: 2 }
    expect(await stage.arrange((tx) => refreshFigures(tx, share))).toBe(true)
    expect(await waiting()).toEqual([three])
    expect(await stage.arrange((tx) => refreshFigures(tx, share))).toBe(false)
    expect(await Promise.all([one, two, three].map(figures))).toEqual([
      [300, 3],
      [200, 2],
      [100, 1],
    ])
  })

  test('never stores an older sum, also with several concurrent workers', async () => {
    const offering = await stage.offering()
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        await stage.invest(offering, 100)
        await stage.arrange((tx) => refreshFigures(tx, { changes: 1, offerings: 1 }))
      }),
    )
    expect(await figures(offering)).toEqual([1_200, 12])
  })

  test('a change that commits after a round began is processed in a later round', async () => {
    const offering = await stage.offering()
    await stage.refresh()
    let committed = () => {}
    const waiting = new Promise<void>((resolve) => {
      committed = resolve
    })
    const open = stage.arrange(async (tx) => {
      const id = await makeInvestment(tx, { offering })
      await confirmInvestment(tx, { id }, LATER)
      await waiting
    })
    await stage.refresh()
    committed()
    await open
    expect(await figures(offering)).toEqual([250, 1])
  })
})
