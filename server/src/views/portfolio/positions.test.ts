import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { setFundHolding } from '#views/portfolio/index.ts'
import { allPages, OLDER, ORIGIN, refusal, type Send } from '#views/profile/testing/stage.ts'
import { march, openPortfolioStage, type PortfolioStage } from './testing/portfolio-stage.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

const LIST = '/portfolio/positions'
const investor = async () => {
  const user = await stage.user()
  return { user, send: await stage.as(user, ['read:investments']) }
}
const idsOf = async (send: Send, query = '') => (await send('GET', LIST + query)).list.map(({ id }) => id)
const positionsOf = async (send: Send) => (await send('GET', LIST)).list.map(({ attributes }) => attributes)
const amounts = (cost: number, value: number, unrealized: number, realized: number) => ({
  cost_basis_cents: cost,
  current_value_cents: value,
  unrealized_gain_cents: unrealized,
  realized_gain_cents: realized,
})

/** Makes this many positions, one a day, and returns them newest first. */
async function holding(user: Id<'user'>, count: number) {
  const offerings: Id<'offering'>[] = []
  for (let on = 1; on <= count; on += 1) {
    const offering = await stage.offering()
    await stage.stake({ user, offering, on })
    offerings.unshift(offering)
  }
  return offerings
}

describe('GET /portfolio/positions', () => {
  test('200: all fields of a position', async () => {
    const { user, send } = await investor()
    const company = await stage.arrange((tx) =>
      makeCompany(tx, { name: 'Grainshare', slug: `grain-${user.slice(4).toLowerCase()}`, page_url: '/c/grainshare' }),
    )
    const security = { type: 'equity', terms: { share_price: '10', pre_money_valuation: '8000000.5' } } as const
    const offering = await stage.offering({ company, security })
    await stage.stake({ user, offering, units: 1_000, on: 2, shares: { count: '100', average_price: '10' } })
    await stage.value({ offering, share_price: '11.80' }, 10)
    const { status, list, meta } = await send('GET', LIST)
    expect(status).toBe(200)
    const shares = { shares_held: '100', current_share_price: '11.80' }
    expect(list).toEqual([
      {
        id: offering,
        type: 'portfolio_position',
        attributes: {
          offering_id: offering,
          company: {
            id: company,
            name: 'Grainshare',
            slug: `grain-${user.slice(4).toLowerCase()}`,
            url: `${ORIGIN}/c/grainshare`,
          },
          asset_type: 'company',
          security: { type: 'equity', label: 'Equity' },
          status: 'active',
          invested_at: march(2),
          currency: 'usd',
          ...amounts(100_000, 118_000, 18_000, 0),
          return_multiple: '1.1800',
          ...shares,
          securities: [
            {
              security: { type: 'equity', label: 'Equity' },
              early_bird: false,
              terms: {
                share_price: '10',
                note_cap_cents: null,
                note_discount: null,
                premoney_valuation_cents: 800_000_050,
              },
              ...amounts(100_000, 118_000, 18_000, 0),
              ...shares,
              invested_at: march(2),
              owner: { kind: 'individual' },
            },
          ],
          holdings: [],
          as_of: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        },
      },
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('each offering has one position, the sum of its securities; the securities are split by owner and early bird', async () => {
    const { user, send } = await investor()
    const security = { type: 'safe', terms: { valuation_cap: '8000000', discount_percent: '20' } } as const
    const offering = await stage.offering({ security })
    await stage.stake({ user, offering, units: 100, on: 3 })
    await stage.stake({ user, offering, units: 250, on: 1 })
    await stage.stake({ user, offering, units: 500, on: 2, earlyBird: true })
    await stage.stake({ user, offering, units: 1_000, on: 4, entity: 'Ada Holdings LLC' })
    await stage.value({ offering, multiple: '1.005' }, 10)
    const [position] = await positionsOf(send)
    expect(position).toMatchObject({ ...amounts(185_000, 185_925, 925, 0), invested_at: march(1), shares_held: null })
    const terms = {
      share_price: null,
      note_cap_cents: 800_000_000,
      note_discount: '20',
      premoney_valuation_cents: null,
    }
    expect(position?.['securities']).toMatchObject([
      {
        early_bird: false,
        owner: { kind: 'individual' },
        terms,
        ...amounts(35_000, 35_175, 175, 0),
        invested_at: march(1),
      },
      { early_bird: true, owner: { kind: 'individual' }, ...amounts(50_000, 50_250, 250, 0), invested_at: march(2) },
      { early_bird: false, owner: { kind: 'entity', name: 'Ada Holdings LLC' }, ...amounts(100_000, 100_500, 500, 0) },
    ])
  })

  test('a fund has the companies that it holds, each with its page; other companies have no holdings', async () => {
    const { user, send } = await investor()
    const fund = await stage.arrange((tx) => makeCompany(tx, { kind: 'fund', name: 'Makers Fund' }))
    const [kiln, tide] = await stage.arrange(async (tx) => {
      const held = [
        await makeCompany(tx, { name: 'Kiln' }),
        await makeCompany(tx, { name: 'Tide', page_url: 'https://tide.example' }),
      ]
      await setFundHolding(tx, { fund, company: held[1] ?? fund, status: 'failed' })
      await setFundHolding(tx, { fund, company: held[0] ?? fund, status: 'active' })
      return held
    })
    await stage.stake({
      user,
      offering: await stage.offering({ company: fund, security: { type: 'fund', terms: {} } }),
    })
    const [position] = await positionsOf(send)
    expect(position).toMatchObject({
      asset_type: 'fund',
      security: { type: 'fund', label: 'Fund' },
      holdings: [
        { company: { id: kiln, name: 'Kiln', slug: null, url: `${ORIGIN}/${kiln}` }, status: 'active' },
        { company: { id: tide, name: 'Tide', slug: null, url: 'https://tide.example' }, status: 'failed' },
      ],
    })
  })

  test('the outcome of a position: exited, failed, sold, or sold in part', async () => {
    const { user, send } = await investor()
    const [exited, failed, sold, partly] = [
      await stage.offering(),
      await stage.offering(),
      await stage.offering(),
      await stage.offering(),
    ]
    await stage.stake({ user, offering: exited, on: 4 })
    await stage.exit({ offering: exited, status: 'exited', reason: 'acquisition', multiple: '2.35' }, 20)
    await stage.stake({ user, offering: failed, on: 3 })
    await stage.exit({ offering: failed, status: 'failed' }, 20)
    await stage.sell(await stage.stake({ user, offering: sold, on: 2 }), '1.15', 20)
    await stage.sell(await stage.stake({ user, offering: partly, on: 1 }), '0.9', 20)
    await stage.stake({ user, offering: partly, on: 2 })
    await stage.value({ offering: partly, multiple: '1.5' }, 21)
    const seen = await positionsOf(send)
    expect(seen.map((one) => [one['status'], one['exit_reason'] ?? 'none', one['return_multiple']])).toEqual([
      ['exited', 'acquisition', '2.3500'],
      ['failed', 'none', '0.0000'],
      ['sold', 'none', '1.1500'],
      ['active', 'none', '1.2000'],
    ])
    expect(seen).toMatchObject([
      amounts(100_000, 0, 0, 135_000),
      amounts(100_000, 0, 0, -100_000),
      amounts(100_000, 0, 0, 15_000),
      amounts(200_000, 150_000, 50_000, -10_000),
    ])
  })

  test('only the user’s own executed investments count, even if they are hidden', async () => {
    const { user, send } = await investor()
    const offering = await stage.offering()
    await stage.arrange(async (tx) => {
      await makeInvestment(tx, { investor: user, offering })
      await makeInvestment(tx, { investor: user, offering: await stage.offering({ testing_the_waters: true }) })
    })
    await stage.stake({ user: await stage.user(), offering })
    expect(await idsOf(send)).toEqual([])
    const held = await stage.stake({ user, offering })
    await stage.db.sql('update test.investments set hidden = true where id = $1', [held])
    expect(await idsOf(send)).toEqual([offering])
  })

  test('an estimate above 2^53 - 1 is returned as 2^53 - 1', async () => {
    const { user, send } = await investor()
    const offering = await stage.offering()
    await stage.stake({ user, offering, units: 90_071_992_547_409 })
    await stage.value({ offering, multiple: '999999999.9999999999' }, 10)
    const [position] = await positionsOf(send)
    expect(position).toMatchObject({ current_value_cents: Number.MAX_SAFE_INTEGER, return_multiple: '1000000000.0000' })
    expect((await send('GET', '/portfolio')).status).toBe(200)
  })
})

describe('filters', () => {
  test('status, company, and both', async () => {
    const { user, send } = await investor()
    const company = await stage.company()
    const [mine, other] = [await stage.offering({ company }), await stage.offering()]
    await stage.stake({ user, offering: mine, on: 1 })
    await stage.stake({ user, offering: other, on: 2 })
    await stage.exit({ offering: other, status: 'failed' }, 20)
    expect(await idsOf(send, '?status=active')).toEqual([mine])
    expect(await idsOf(send, '?status=failed')).toEqual([other])
    expect(await idsOf(send, '?status=sold')).toEqual([])
    expect(await idsOf(send, `?company=${company}`)).toEqual([mine])
    expect(await idsOf(send, `?company=${company}&status=failed`)).toEqual([])
  })

  test('400 for an unknown status, with the known values in the error', async () => {
    const { send } = await investor()
    for (const path of [LIST, '/portfolio']) {
      const rejected = await send('GET', `${path}?status=open`)
      expect(refusal(rejected)).toEqual([400, 'invalid_request'])
      for (const known of ['active', 'exited', 'sold', 'failed']) expect(rejected.error.message).toContain(known)
    }
  })

  test('404 for a company that the user may not see, the same as for an unknown one', async () => {
    const { user, send } = await investor()
    const hidden = await stage.company({ listed: false })
    for (const path of [LIST, '/portfolio']) {
      const missing = await send('GET', `${path}?company=${newId('company')}`)
      expect(refusal(missing)).toEqual([404, 'not_found'])
      for (const unknown of [hidden, 'co_x', 'x', '%25', newId('offering')]) {
        const rejected = await send('GET', `${path}?company=${unknown}`)
        expect({ ...rejected.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' })
      }
    }
    // An investor sees the company of a stake, even if the company is hidden from other users.
    await stage.stake({ user, offering: await stage.offering({ company: hidden, listed: false }) })
    expect(await idsOf(send, `?company=${hidden}`)).toHaveLength(1)
  })

  test('200 and an empty list for a public company without a stake of the user', async () => {
    const { send } = await investor()
    expect(await idsOf(send, `?company=${await stage.company()}`)).toEqual([])
  })
})

describe('pages', () => {
  test('newest first; with every page size each position is listed once, and a filter never shortens a page', async () => {
    const { user, send } = await investor()
    const offerings = await holding(user, 7)
    for (const size of [1, 2, 3, 7, 100]) {
      const pages = await allPages(send, `${LIST}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(offerings)
      expect(pages).toHaveLength(Math.ceil(7 / size))
    }
    for (const at of [0, 2, 3, 5])
      await stage.exit({ offering: offerings[at] ?? newId('offering'), status: 'failed' }, 20)
    const pages = await allPages(send, `${LIST}?per_page=2&status=active`)
    expect(pages.map(({ list, meta }) => [list.length, meta['has_more']])).toEqual([
      [2, true],
      [1, false],
    ])
  })

  test('if positions are added between two pages, no position is listed twice and none is missed', async () => {
    const { user, send } = await investor()
    const offerings = await holding(user, 6)
    const first = await send('GET', `${LIST}?per_page=2`)
    await stage.stake({ user, offering: await stage.offering(), on: 25 })
    await stage.stake({ user, offering: offerings[1] ?? newId('offering'), on: 26 })
    await stage.stake({ user, offering: offerings[4] ?? newId('offering'), on: 26 })
    const rest = await idsOf(send, `?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(offerings)
  })

  test('if stakes are added concurrently, no position is listed twice and none is missed', async () => {
    const { user, send } = await investor()
    const offerings = await holding(user, 8)
    const fresh = await Promise.all(Array.from({ length: 6 }, () => stage.offering()))
    const writing = Promise.all(
      [...fresh, ...offerings].map((offering, at) => stage.stake({ user, offering, on: 20 + (at % 5) })),
    )
    const pages = await allPages(send, `${LIST}?per_page=1`)
    await writing
    const seen = pages.flatMap(({ list }) => list.map(({ id }) => id))
    expect(seen.filter((id) => offerings.some((one) => one === id))).toEqual(offerings)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('in older versions the cursor is the number of rows returned so far', async () => {
    const { user, send } = await investor()
    const offerings = await holding(user, 5)
    const older = (query: string) => send('GET', LIST + query, undefined, OLDER)
    const first = await older('?per_page=2')
    expect(first.meta).toEqual({ has_more: true, page_count: 2, next_cursor: 2 })
    const last = await older('?per_page=3&cursor=2')
    expect([...first.list, ...last.list].map(({ id }) => id)).toEqual(offerings)
    expect(last.meta).toEqual({ has_more: false, page_count: 3, next_cursor: null })
    expect((await older('?cursor=99')).list).toEqual([])
    for (const wrong of ['x', '-1', '1.5', '99999999']) {
      expect(refusal(await older(`?cursor=${wrong}`))).toEqual([400, 'invalid_request'])
    }
  })

  test('400 for a changed cursor, for a cursor of another user, and for a number', async () => {
    const { user, send } = await investor()
    await holding(user, 2)
    const { meta } = await send('GET', `${LIST}?per_page=1`)
    const cursor = meta.next_cursor ?? ''
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
    for (const wrong of [changed, '1', 'x']) {
      expect(refusal(await send('GET', `${LIST}?cursor=${encodeURIComponent(wrong)}`))).toEqual([
        400,
        'invalid_request',
      ])
    }
    const { send: other } = await investor()
    expect(refusal(await other('GET', `${LIST}?cursor=${encodeURIComponent(cursor)}`))).toEqual([
      400,
      'invalid_request',
    ])
    expect(refusal(await send('GET', `${LIST}?per_page=many`))).toEqual([400, 'invalid_request'])
  })

  test('400 for a cursor of another list of the same user', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['read:investments', 'read:profile'])
    await holding(user, 2)
    for (const _ of [1, 2]) await stage.follow({ user, company: await stage.company() })
    const follows = '/users/me/follows'
    const cursor = encodeURIComponent((await send('GET', `${follows}?per_page=1`)).meta.next_cursor ?? '')
    expect((await send('GET', `${follows}?cursor=${cursor}`)).status).toBe(200)
    expect(refusal(await send('GET', `${LIST}?cursor=${cursor}`))).toEqual([400, 'invalid_request'])
  })
})
