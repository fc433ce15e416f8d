import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { makeCompany } from '#test/companies.ts'
import { allPages, OLDER, ORIGIN, refusal, type Send } from '#views/profile/testing/stage.ts'
import { type DealStage, openDealStage } from './testing/deal-stage.ts'

let stage: DealStage
beforeAll(async () => {
  stage = await openDealStage()
})
afterAll(() => stage.close())

const listOf = (syndicate: string) => `/syndicates/${syndicate}/deals`
const idsOf = async (send: Send, path: string) => (await send('GET', path)).list.map(({ id }) => id)
/**
 * An id that ends with this number. It is for tests that need ids in a known order, because generated ids of the same
 * millisecond have no order.
 */
const numbered = (n: number) => `ofr_${newId('offering').slice(4, 20)}${String(n).padStart(8, '0')}` as Id<'offering'>

async function numberedDeals(syndicate: Id<'syndicate'>, count: number): Promise<Id<'offering'>[]> {
  const first = numbered(0).slice(0, -8)
  const ids: Id<'offering'>[] = []
  for (let n = 1; n <= count; n += 1) {
    const id = `${first}${String(n).padStart(8, '0')}` as Id<'offering'>
    ids.unshift(await stage.deal(syndicate, { id }))
  }
  return ids
}

describe('GET /syndicates/{syndicate_id}/deals', () => {
  test('200: all fields of a deal, money in minor units', async () => {
    const { syndicate, send } = await stage.run()
    const slug = `kiln-${syndicate.slice(4).toLowerCase()}`
    const company = await stage.arrange((tx) => makeCompany(tx, { name: 'Brightkiln', slug, logo_url: '/l/kiln.png' }))
    const deal = await stage.deal(syndicate, {
      company,
      name: 'Seed II',
      description: 'Kilns for everybody.',
      exemption: 'reg_d_506b',
      funding_target_cents: 50_000_000 as Cents,
      min_investment_cents: 100_000 as Cents,
      max_investment_cents: 5_000_000 as Cents,
    })
    await stage.invest({ offering: deal, user: await stage.user(), units: 2_500, as: 'confirmed' })
    await stage.figures()
    const { status, list, meta } = await send('GET', listOf(syndicate))
    expect([status, list]).toEqual([
      200,
      [
        {
          id: deal,
          type: 'syndicate_deal',
          attributes: {
            name: 'Seed II',
            status: 'open',
            testing_the_waters: false,
            company,
            company_name: 'Brightkiln',
            company_url: slug,
            company_logo_url: `${ORIGIN}/l/kiln.png`,
            currency: 'usd',
            amount_raised_cents: 250_000,
            investor_count: 1,
            funding_target_cents: 50_000_000,
            exemption: 'reg_d_506b',
            security: expect.objectContaining({ type: 'safe', label: 'SAFE' }),
            min_investment_cents: 100_000,
            max_investment_cents: 5_000_000,
            description: 'Kilns for everybody.',
            created_at: '2026-01-01T00:00:00.000000Z',
            updated_at: expect.stringMatching(/Z$/),
            closed_at: null,
            funding_started_at: '2026-01-02T00:00:00.000000Z',
          },
        },
      ],
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('lists only live deals (open or closing) of this syndicate', async () => {
    const [{ syndicate, send }, other] = [await stage.run(), await stage.run()]
    const live = [
      await stage.deal(syndicate, { status: 'open' }),
      await stage.deal(syndicate, { status: 'closing' }),
      await stage.deal(syndicate, { testing_the_waters: true }),
    ]
    for (const status of ['upcoming', 'closed'] as const) await stage.deal(syndicate, { status })
    await stage.deal(other.syndicate)
    expect((await idsOf(send, listOf(syndicate))).toSorted()).toEqual(live.toSorted())
  })

  test('while the security of a round that tests the waters is undecided, its type and terms are null', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate, { testing_the_waters: true, name: null })
    await stage.invest({ offering: deal, user: await stage.user(), units: 400 })
    await stage.figures()
    const [{ attributes } = { attributes: {} }] = (await send('GET', listOf(syndicate))).list
    expect(attributes).toMatchObject({
      name: 'Analytical Engines',
      testing_the_waters: true,
      security: { type: null, terms: null },
      amount_raised_cents: 40_000,
      funding_target_cents: null,
      min_investment_cents: null,
    })
  })

  test('with every page size each deal is listed once, newest first; new deals do not shift pages', async () => {
    const { syndicate, send } = await stage.run()
    const deals = await numberedDeals(syndicate, 5)
    for (const size of [1, 2, 5, 100]) {
      const pages = await allPages(send, `${listOf(syndicate)}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(deals)
      expect(pages).toHaveLength(Math.ceil(5 / size))
    }
    const first = await send('GET', `${listOf(syndicate)}?per_page=2`)
    await stage.deal(syndicate, { id: `${deals[0]?.slice(0, -8)}99999999` as Id<'offering'> })
    const rest = await idsOf(send, `${listOf(syndicate)}?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(deals)
  })

  test('400 for a changed cursor, for a cursor of another syndicate, and for an invalid page size', async () => {
    const [{ syndicate, send }, other] = [await stage.run(), await stage.run()]
    await numberedDeals(syndicate, 2)
    const cursor = (await send('GET', `${listOf(syndicate)}?per_page=1`)).meta.next_cursor ?? ''
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
    for (const query of [`cursor=${encodeURIComponent(changed)}`, 'cursor=1', 'per_page=many']) {
      expect(refusal(await send('GET', `${listOf(syndicate)}?${query}`))).toEqual([400, 'invalid_request'])
    }
    const elsewhere = `${listOf(other.syndicate)}?cursor=${encodeURIComponent(cursor)}`
    expect(refusal(await other.send('GET', elsewhere))).toEqual([400, 'invalid_request'])
  })

  test('older versions: a closing deal is shown as closed', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate, { status: 'closing' })
    for (const path of [listOf(syndicate), `${listOf(syndicate)}/${deal}`]) {
      const [newest, older] = [await send('GET', path), await send('GET', path, undefined, OLDER)]
      const statusOf = ({ data }: typeof newest) => [data].flat()[0]?.attributes['status']
      expect([statusOf(newest), statusOf(older)]).toEqual(['closing', 'closed'])
    }
  })
})

describe('GET /syndicates/{syndicate_id}/deals/{fundraise_id}', () => {
  test.each(['upcoming', 'open', 'closing', 'closed'] as const)('200 for a deal that is %s', async (status) => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate, { status })
    const { data } = await send('GET', `${listOf(syndicate)}/${deal}`)
    expect([data.id, data.type, data.attributes['status']]).toEqual([deal, 'syndicate_deal', status])
    expect(data.attributes['funding_started_at'] === null).toBe(status === 'upcoming')
  })

  test('counts each member who invested once, by the most advanced state of their investments', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate)
    const [early, done] = [await stage.member(syndicate), await stage.member(syndicate)]
    await stage.invest({ offering: deal, user: early.user, units: 300 })
    await stage.invest({ offering: deal, user: done.user, units: 100 })
    await stage.invest({ offering: deal, user: done.user, units: 200, as: 'executed' })
    await stage.invest({ offering: deal, user: await stage.user(), units: 9_000, as: 'executed' })
    const { data } = await send('GET', `${listOf(syndicate)}/${deal}`)
    expect(data.attributes['investor_breakdown']).toEqual({
      pending: { investor_count: 1, amount_cents: 30_000 },
      confirmed: { investor_count: 1, amount_cents: 30_000 },
    })
  })

  test('404 for an offering that this syndicate does not run, the same as for an unknown one', async () => {
    const [{ syndicate, send }, other] = [await stage.run(), await stage.run()]
    const foreign = [await stage.deal(other.syndicate), await stage.offering({ listed: true })]
    const missing = await send('GET', `${listOf(syndicate)}/${newId('offering')}`)
    expect(refusal(missing)).toEqual([404, 'not_found'])
    // "Integer ids refused": a malformed id is treated as an unknown one.
    for (const id of [...foreign, '99', 'x', '%25']) {
      const rejected = await send('GET', `${listOf(syndicate)}/${id}`)
      expect({ ...rejected.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' })
    }
  })
})
