import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { hideInvestment } from '#market/investments/index.ts'
import { addDeal, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { setFundHolding } from '#views/portfolio/index.ts'
import { allPages, OLDER, ORIGIN, refusal, type Send } from '#views/profile/testing/stage.ts'
import { march, openPortfolioStage, type PortfolioStage } from './testing/portfolio-stage.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

async function run() {
  const manager = await stage.user()
  const syndicate = await stage.arrange(async (tx) => {
    const id = await makeSyndicate(tx)
    await setManager(tx, { syndicateId: id, userId: manager, permission: 'full_access' }, occasionAt())
    return id
  })
  const send = await stage.as(manager, ['read:syndicates'])
  const path = `/syndicates/${syndicate}/portfolio`
  const deal = (terms: Parameters<typeof makeOffering>[1] = {}) =>
    stage.arrange(async (tx) => {
      const offeringId = await makeOffering(tx, terms)
      await addDeal(tx, { syndicateId: syndicate, offeringId }, occasionAt())
      return offeringId
    })
  return { syndicate, send, path, list: `${path}/positions`, deal }
}

const idsOf = async (send: Send, path: string) => (await send('GET', path)).list.map(({ id }) => id)
const amounts = (cost: number, value: number, unrealized: number, realized: number) => ({
  cost_basis_cents: cost,
  current_value_cents: value,
  unrealized_gain_cents: unrealized,
  realized_gain_cents: realized,
})
const totals = (...four: Parameters<typeof amounts>) =>
  Object.fromEntries(Object.entries(amounts(...four)).map(([name, cents]) => [`total_${name}`, cents]))

/** Funded deals with ids in the order of their numbers, newest first. */
async function funded({ deal }: Awaited<ReturnType<typeof run>>, count: number): Promise<Id<'offering'>[]> {
  const [first, user] = [newId('offering').slice(0, 20), await stage.user()]
  const ids: Id<'offering'>[] = []
  for (let n = 1; n <= count; n += 1) {
    const offering = await deal({ id: `${first}${String(n).padStart(8, '0')}` as Id<'offering'> })
    await stage.stake({ user, offering })
    ids.unshift(offering)
  }
  return ids
}

describe('GET /syndicates/{syndicate_id}/portfolio/positions', () => {
  test('200: a deal summed over all holders, split by early bird and price, without names', async () => {
    const { deal, list, send } = await run()
    const company = await stage.arrange((tx) => makeCompany(tx, { name: 'Grainshare', page_url: '/c/grainshare' }))
    const offering = await deal({ company, security: { type: 'equity', terms: { share_price: '10' } } })
    const [ada, mary] = [await stage.user({ name: 'Ada Byron' }), await stage.user()]
    const at = (price: string, count: string) => ({ shares: { count, average_price: price } })
    await stage.stake({ user: ada, offering, units: 1_000, on: 2, ...at('10', '100') })
    await stage.stake({ user: mary, offering, units: 500, on: 3, ...at('10.00', '50'), entity: 'Mary Holdings LLC' })
    await stage.stake({ user: ada, offering, units: 800, on: 1, earlyBird: true, ...at('8', '100') })
    await stage.value({ offering, share_price: '12' }, 10)
    const { status, list: rows, meta, text } = await send('GET', list)
    const part = { security: { type: 'equity', label: 'Equity' }, current_share_price: '12' }
    const terms = { note_cap_cents: null, note_discount: null, premoney_valuation_cents: null }
    expect([status, rows]).toEqual([
      200,
      [
        {
          id: offering,
          type: 'syndicate_portfolio_position',
          attributes: {
            offering_id: offering,
            company: { id: company, name: 'Grainshare', slug: null, url: `${ORIGIN}/c/grainshare` },
            asset_type: 'company',
            status: 'active',
            invested_at: march(1),
            currency: 'usd',
            ...amounts(230_000, 300_000, 70_000, 0),
            return_multiple: '1.3043',
            shares_held: '250',
            ...part,
            investor_count: 2,
            securities: [
              {
                ...part,
                early_bird: true,
                terms: { ...terms, share_price: '8' },
                ...amounts(80_000, 120_000, 40_000, 0),
                shares_held: '100',
                invested_at: march(1),
                investor_count: 1,
              },
              {
                ...part,
                early_bird: false,
                terms: { ...terms, share_price: '10' },
                ...amounts(150_000, 180_000, 30_000, 0),
                shares_held: '150',
                invested_at: march(2),
                investor_count: 2,
              },
            ],
            holdings: [],
            as_of: expect.stringMatching(/Z$/),
          },
        },
      ],
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
    expect(text).not.toMatch(/usr_|Ada|Holdings/)
  })

  test('lists only funded deals of this syndicate; only executed investments that are not hidden count', async () => {
    const { deal, list, send } = await run()
    const [pending, hidden, held] = [await deal(), await deal(), await deal()]
    const user = await stage.user()
    await stage.arrange((tx) => makeInvestment(tx, { investor: user, offering: pending }))
    const secret = await stage.stake({ user, offering: hidden })
    await stage.stake({ user, offering: held, units: 100 })
    const more = await stage.stake({ user: await stage.user(), offering: held, units: 900 })
    await stage.arrange(async (tx) => {
      for (const id of [secret, more]) await hideInvestment(tx, { id }, occasionAt())
    })
    await stage.stake({ user, offering: await stage.offering() })
    const { list: rows } = await send('GET', list)
    expect(rows).toMatchObject([{ id: held, attributes: { cost_basis_cents: 10_000, investor_count: 1 } }])
  })

  test('a fund shows the companies it holds', async () => {
    const { deal, list, send } = await run()
    const [fund, kiln] = await stage.arrange(async (tx) => {
      const made = [await makeCompany(tx, { kind: 'fund' }), await makeCompany(tx, { name: 'Kiln' })] as const
      await setFundHolding(tx, { fund: made[0], company: made[1], status: 'active' })
      return made
    })
    await stage.stake({ user: await stage.user(), offering: await deal({ company: fund }) })
    const { list: rows } = await send('GET', list)
    expect(rows).toMatchObject([
      { attributes: { asset_type: 'fund', holdings: [{ company: { id: kiln, name: 'Kiln' }, status: 'active' }] } },
    ])
  })

  test('the status of a deal, and the filter by status: active, exited, sold, failed', async () => {
    const { deal, list, path, send } = await run()
    const user = await stage.user()
    const offerings = { active: await deal(), exited: await deal(), sold: await deal(), failed: await deal() }
    await stage.stake({ user, offering: offerings.active })
    await stage.sell(await stage.stake({ user, offering: offerings.active }), '2', 20)
    for (const offering of [offerings.exited, offerings.failed]) await stage.stake({ user, offering })
    await stage.exit({ offering: offerings.exited, status: 'exited', reason: 'ipo', multiple: '3' }, 20)
    await stage.exit({ offering: offerings.failed, status: 'failed' }, 20)
    await stage.sell(await stage.stake({ user, offering: offerings.sold }), '1.5', 20)
    for (const [status, offering] of Object.entries(offerings)) {
      const { list: rows } = await send('GET', `${list}?status=${status}`)
      expect([status, rows.map(({ id, attributes }) => [id, attributes['status']])]).toEqual([
        status,
        [[offering, status]],
      ])
      const { data } = await send('GET', `${path}?status=${status}`)
      expect(data.attributes['deal_counts']).toEqual({ ...{ active: 0, exited: 0, sold: 0, failed: 0 }, [status]: 1 })
    }
    expect(refusal(await send('GET', `${list}?status=open`))).toEqual([400, 'invalid_request'])
    expect(refusal(await send('GET', `${path}?status=open`))).toEqual([400, 'invalid_request'])
  })

  test('the filter by company; 404 for a company that the syndicate may not see', async () => {
    const { deal, list, path, send } = await run()
    const [company, hidden] = [await stage.company({ listed: false }), await stage.company({ listed: false })]
    const [mine, other] = [await deal({ company }), await deal()]
    for (const offering of [mine, other]) await stage.stake({ user: await stage.user(), offering })
    expect(await idsOf(send, `${list}?company=${company}`)).toEqual([mine])
    expect(await idsOf(send, `${list}?company=${await stage.company()}`)).toEqual([])
    for (const unknown of [hidden, newId('company'), 'co_x', 'x']) {
      for (const at of [list, path]) {
        expect(refusal(await send('GET', `${at}?company=${unknown}`))).toEqual([404, 'not_found'])
      }
    }
  })

  test('with every page size each deal is listed once, newest first; new deals do not shift pages', async () => {
    const here = await run()
    const { list, send } = here
    const offerings = await funded(here, 5)
    for (const size of [1, 2, 5, 100]) {
      const pages = await allPages(send, `${list}?per_page=${size}`)
      expect(pages.flatMap(({ list: rows }) => rows.map(({ id }) => id))).toEqual(offerings)
      expect(pages).toHaveLength(Math.ceil(5 / size))
    }
    const first = await send('GET', `${list}?per_page=2`)
    const newer = await here.deal({ id: `${offerings[0]?.slice(0, -8)}99999999` as Id<'offering'> })
    await stage.stake({ user: await stage.user(), offering: newer })
    const rest = await idsOf(send, `${list}?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(offerings)
  })

  test('in older versions the cursor is the number of rows returned so far', async () => {
    const here = await run()
    const offerings = await funded(here, 3)
    const older = (query: string) => here.send('GET', here.list + query, undefined, OLDER)
    const first = await older('?per_page=2')
    expect(first.meta).toEqual({ has_more: true, page_count: 2, next_cursor: 2 })
    const last = await older('?per_page=2&cursor=2')
    expect([...first.list, ...last.list].map(({ id }) => id)).toEqual(offerings)
    expect(last.meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
    for (const wrong of ['x', '-1', '1.5']) {
      expect(refusal(await older(`?cursor=${wrong}`))).toEqual([400, 'invalid_request'])
    }
  })

  test('400 for a cursor of another syndicate, or a number', async () => {
    const [one, other] = [await run(), await run()]
    await funded(one, 2)
    const { meta } = await one.send('GET', `${one.list}?per_page=1`)
    const cursor = encodeURIComponent(meta.next_cursor ?? '')
    expect(refusal(await other.send('GET', `${other.list}?cursor=${cursor}`))).toEqual([400, 'invalid_request'])
    expect(refusal(await one.send('GET', `${one.list}?cursor=1`))).toEqual([400, 'invalid_request'])
  })
})

describe('GET /syndicates/{syndicate_id}/portfolio', () => {
  test('200: totals of all deals over all holders; each person counts once', async () => {
    const { deal, path, send } = await run()
    const [first, second] = [await deal(), await deal()]
    const [ada, mary] = [await stage.user(), await stage.user()]
    await stage.stake({ user: ada, offering: first, units: 1_000 })
    await stage.stake({ user: mary, offering: first, units: 500 })
    await stage.stake({ user: ada, offering: second, units: 200 })
    await stage.value({ offering: first, multiple: '1.5' }, 10)
    await stage.exit({ offering: second, status: 'exited', multiple: '3' }, 20)
    const { data } = await send('GET', path)
    const all = { currency: 'usd', ...totals(170_000, 225_000, 75_000, 40_000), return_multiple: '1.6765' }
    expect(data).toEqual({
      type: 'syndicate_portfolio_summary',
      attributes: {
        ...all,
        by_currency: [all],
        deal_counts: { active: 1, exited: 1, sold: 0, failed: 0 },
        investor_count: 2,
        as_of: expect.stringMatching(/Z$/),
      },
    })
  })

  test('200 with empty totals if there are no funded deals; amounts in different currencies are never added', async () => {
    const { deal, path, send } = await run()
    expect((await send('GET', path)).data.attributes).toMatchObject({
      ...{ currency: 'usd', by_currency: [], investor_count: 0, as_of: null, return_multiple: null },
    })
    const user = await stage.user()
    for (const currency of ['eur', 'usd', 'usd']) await stage.stake({ user, offering: await deal({ currency }) })
    const { attributes } = (await send('GET', path)).data
    expect(attributes).toMatchObject({
      currency: 'usd',
      total_cost_basis_cents: 200_000,
      by_currency: [
        { currency: 'usd', total_cost_basis_cents: 200_000 },
        { currency: 'eur', total_cost_basis_cents: 100_000 },
      ],
      investor_count: 1,
    })
  })
})
