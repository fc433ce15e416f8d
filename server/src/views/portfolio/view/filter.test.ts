import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { openPortfolioStage, type PortfolioStage } from '../testing/portfolio-stage.ts'
import { POSITION_STATUSES, type PositionStatus } from '../worth/worth.ts'
import { positionRecord } from './positions.ts'
import { positionRows } from './store.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

/** Stakes that are still held, or were sold before, at or after the exit; with each kind of exit and without an exit. */
const SALES = [null, 9, 10, 11] as const
const EXITS = [null, 'exited', 'failed'] as const
const MIXES = SALES.flatMap((one) => [[one], ...SALES.map((other) => [one, other])])
const CASES = EXITS.flatMap((exit) => MIXES.map((sales) => ({ exit, sales })))

test('the SQL of the filter and positionStatus agree for every combination of stakes and outcomes', async () => {
  const user = await stage.user()
  for (const [at, { exit, sales }] of CASES.entries()) {
    const offering = await stage.offering()
    for (const sale of sales) {
      const stake = await stage.stake({ user, offering, on: (at % 8) + 1 })
      if (sale !== null) await stage.sell(stake, '1', sale)
    }
    if (exit !== null) await stage.exit({ offering, status: exit }, 10)
  }
  const all = { after: null, skip: 0, limit: 1_000, company: null }
  const listed = async (status: PositionStatus | null) => {
    const rows = await positionRows(stage.db.databases.test.reads, user, { ...all, status })
    return [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()].flatMap(([first, ...others]) =>
      first === undefined ? [] : positionRecord([first, ...others], [], ''),
    )
  }
  const positions = await listed(null)
  expect(positions).toHaveLength(CASES.length)
  const seen: Id<'offering'>[] = []
  for (const status of POSITION_STATUSES) {
    const ids = (await listed(status)).map(({ id }) => id)
    expect([status, ids]).toEqual([
      status,
      positions.filter(({ attributes }) => attributes.status === status).map(({ id }) => id),
    ])
    expect([status, ids.length > 0]).toEqual([status, true])
    seen.push(...ids)
  }
  expect(new Set([...seen, newId('offering')]).size).toBe(CASES.length + 1)
})
