import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLDER } from '#views/profile/testing/stage.ts'
import { openPortfolioStage, type PortfolioStage } from './testing/portfolio-stage.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

const PATH = '/portfolio'
const totals = (
  currency: string,
  cost: number,
  value: number,
  unrealized: number,
  realized: number,
  multiple: string | null,
) => ({
  currency,
  total_cost_basis_cents: cost,
  total_current_value_cents: value,
  total_unrealized_gain_cents: unrealized,
  total_realized_gain_cents: realized,
  return_multiple: multiple,
})

/** One position of each status, each of a thousand units. */
async function aPortfolio() {
  const user = await stage.user()
  const company = await stage.company()
  const [active, exited, failed, sold] = [
    await stage.offering({ company }),
    await stage.offering({ company }),
    await stage.offering(),
    await stage.offering(),
  ]
  for (const offering of [active, exited, failed]) await stage.stake({ user, offering })
  await stage.value({ offering: active, multiple: '1.65' }, 10)
  await stage.exit({ offering: exited, status: 'exited', reason: 'ipo', multiple: '3' }, 10)
  await stage.exit({ offering: failed, status: 'failed', multiple: '0.12' }, 10)
  await stage.sell(await stage.stake({ user, offering: sold }), '1.15', 10)
  return { user, company, send: await stage.as(user, ['read:investments']) }
}

describe('GET /portfolio', () => {
  test('200: cost, value and proceeds, and the number of positions of each status', async () => {
    const { send } = await aPortfolio()
    const { status, data } = await send('GET', PATH)
    const all = totals('usd', 400_000, 165_000, 65_000, 127_000, '1.4800')
    expect([status, data]).toEqual([
      200,
      {
        type: 'portfolio_summary',
        attributes: {
          ...all,
          by_currency: [all],
          position_counts: { active: 1, exited: 1, sold: 1, failed: 1 },
          as_of: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        },
      },
    ])
  })

  test('the totals cover only the positions that the filters select', async () => {
    const { company, send } = await aPortfolio()
    const slice = async (query: string) => (await send('GET', PATH + query)).data.attributes
    expect(await slice('?status=failed')).toMatchObject({
      ...totals('usd', 100_000, 0, 0, -88_000, '0.1200'),
      position_counts: { active: 0, exited: 0, sold: 0, failed: 1 },
    })
    expect(await slice(`?company=${company}`)).toMatchObject({
      ...totals('usd', 200_000, 165_000, 65_000, 200_000, '2.3250'),
      position_counts: { active: 1, exited: 1, sold: 0, failed: 0 },
    })
    expect(await slice(`?company=${company}&status=exited`)).toMatchObject({ total_realized_gain_cents: 200_000 })
  })

  test('with a status filter the totals are the sums of the positions with that status', async () => {
    const { send } = await aPortfolio()
    for (const status of ['active', 'exited', 'sold', 'failed']) {
      const summary = (await send('GET', `${PATH}?status=${status}`)).data.attributes
      const { list } = await send('GET', `${PATH}/positions?status=${status}`)
      for (const field of ['cost_basis', 'current_value', 'unrealized_gain', 'realized_gain']) {
        const added = list.reduce((sum, { attributes }) => sum + Number(attributes[`${field}_cents`]), 0)
        expect([status, field, summary[`total_${field}_cents`]]).toEqual([status, field, added])
      }
    }
  })

  test('an empty portfolio has zeros and no time', async () => {
    const { data } = await (await stage.as(await stage.user(), ['read:investments']))('GET', PATH)
    expect(data.attributes).toEqual({
      ...totals('usd', 0, 0, 0, 0, null),
      by_currency: [],
      position_counts: { active: 0, exited: 0, sold: 0, failed: 0 },
      as_of: null,
    })
  })

  test('amounts in different currencies are never added: the totals have the currency of most positions, and each currency has its own totals', async () => {
    const user = await stage.user()
    const euros = { currency: 'eur', exemption: 'ecsp' } as const
    for (const terms of [{}, euros, euros]) await stage.stake({ user, offering: await stage.offering(terms) })
    const { data } = await (await stage.as(user, ['read:investments']))('GET', PATH)
    const [eur, usd] = [
      totals('eur', 200_000, 200_000, 0, 0, '1.0000'),
      totals('usd', 100_000, 100_000, 0, 0, '1.0000'),
    ]
    expect(data.attributes).toMatchObject({ ...eur, by_currency: [eur, usd], position_counts: { active: 3 } })
  })

  test('the response is the same in every version', async () => {
    const { send } = await aPortfolio()
    const [newest, older] = [await send('GET', PATH), await send('GET', PATH, undefined, OLDER)]
    const { as_of: _then, ...rest } = newest.data.attributes
    expect(older.data.attributes).toMatchObject(rest)
  })
})
