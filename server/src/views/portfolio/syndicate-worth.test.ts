import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { addDeal, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import type { ApiResponse, Fields } from '#views/profile/testing/stage.ts'
import { openPortfolioStage, type PortfolioStage } from './testing/portfolio-stage.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

/** Stakes with and without shares, of odd amounts, that are still held or were sold before or after the exit. */
const SHARES = [undefined, { count: '33.3333', average_price: '3.051' }] as const
const SALES = [null, 9, 11] as const
const EXITS = [null, 'exited', 'failed'] as const
/** No valuation, or one by a multiple or by a share price, before or after the stake. */
const VALUATIONS = [null, { multiple: '1.00555' }, { share_price: '3.33335' }] as const
const VALUED_ON = [1, 8] as const

const MIXES = [SALES.slice(0, 1), SALES.slice(1, 2), SALES] as const

const CASES = EXITS.flatMap((exit) =>
  VALUATIONS.flatMap((valuation) => VALUED_ON.flatMap((on) => MIXES.map((sales) => ({ exit, valuation, on, sales })))),
)

type Case = (typeof CASES)[number]

/** Makes a deal of the syndicate in which one person has these stakes, and records its outcome. */
async function makeDeal(
  syndicate: Id<'syndicate'>,
  user: Id<'user'>,
  { exit, valuation, on, sales }: Case,
): Promise<void> {
  const offering = await stage.offering()
  await stage.arrange((tx) => addDeal(tx, { syndicateId: syndicate, offeringId: offering }, occasionAt()))
  for (const [at, sale] of sales.entries()) {
    const shares = SHARES[at % SHARES.length]
    const stake = await stage.stake({ user, offering, units: 333 + at, on: 5, ...(shares && { shares }) })
    if (sale !== null) await stage.sell(stake, '1.005', sale)
  }
  if (valuation !== null) await stage.value({ offering, ...valuation }, on)
  if (exit !== null) await stage.exit({ offering, status: exit, multiple: '2.33333' }, 10)
}

/** The fields that the lists of a user and of a syndicate share, in a fixed order. */
function comparable({ list }: ApiResponse) {
  const withoutPeople = ({ owner: _owner, investor_count: _count, ...security }: Fields) => JSON.stringify(security)
  return new Map(
    list.map(({ id, attributes: { securities, as_of: _, investor_count: __, ...attributes } }) => [
      id,
      { ...attributes, securities: (securities as Fields[]).map(withoutPeople).toSorted() },
    ]),
  )
}

test('a person who holds all stakes in a syndicate’s deals has the same portfolio as the syndicate, so SQL and worth/ agree', async () => {
  const [user, manager] = [await stage.user(), await stage.user()]
  const syndicate = await stage.arrange(async (tx) => {
    const id = await makeSyndicate(tx)
    await setManager(tx, { syndicateId: id, userId: manager, permission: 'operator' }, occasionAt())
    return id
  })
  for (const each of CASES) await makeDeal(syndicate, user, each)
  const [investor, runs] = [await stage.as(user, ['read:investments']), await stage.as(manager, ['read:syndicates'])]
  const own = comparable(await investor('GET', '/portfolio/positions?per_page=100'))
  expect(own.size).toBe(CASES.length)
  expect(comparable(await runs('GET', `/syndicates/${syndicate}/portfolio/positions?per_page=100`))).toEqual(own)
  const { position_counts, as_of: _, ...totals } = (await investor('GET', '/portfolio')).data.attributes
  const { attributes } = (await runs('GET', `/syndicates/${syndicate}/portfolio`)).data
  expect(attributes).toMatchObject({ ...totals, deal_counts: position_counts, investor_count: 1 })
})
