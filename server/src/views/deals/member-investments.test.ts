import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { leaveSyndicate } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { refusal } from '#views/profile/testing/stage.ts'
import { type DealStage, march, openDealStage } from './testing/deal-stage.ts'

let stage: DealStage
beforeAll(async () => {
  stage = await openDealStage()
})
afterAll(() => stage.close())

const pathOf = (syndicate: string, member: string) => `/syndicates/${syndicate}/members/${member}/investments`

describe('GET /syndicates/{syndicate_id}/members/{member_id}/investments', () => {
  test('200: one row for each company, with the member’s total in the deal', async () => {
    const { syndicate, send } = await stage.run()
    const company = await stage.arrange((tx) => makeCompany(tx, { name: 'Brightkiln' }))
    const deal = await stage.deal(syndicate, { company })
    const { id, user } = await stage.member(syndicate)
    const first = await stage.invest({ offering: deal, user, units: 3_000, on: 2, as: 'confirmed' })
    await stage.invest({ offering: deal, user, units: 5_000, on: 4 })
    await stage.invest({ offering: deal, user: (await stage.member(syndicate)).user })
    const { status, list, meta } = await send('GET', pathOf(syndicate, id))
    expect([status, list]).toEqual([
      200,
      [
        {
          id: first,
          type: 'member_investment',
          attributes: {
            offering: deal,
            company,
            company_name: 'Brightkiln',
            currency: 'usd',
            amount_cents: 800_000,
            status: 'confirmed',
            created_at: march(2),
          },
        },
      ],
    ])
    const total = { currency: 'usd', total_amount_cents: 800_000 }
    const page = { has_more: false, page_count: 1, next_cursor: null }
    expect(meta).toEqual({ ...page, count: 1, ...total, total_by_currency: [total] })
  })

  test('each row has the company’s deal that opened last; reservations and hidden investments do not count', async () => {
    const { syndicate, send } = await stage.run()
    const company = await stage.arrange((tx) => makeCompany(tx))
    const [earlier, later] = [await stage.deal(syndicate, { company }), await stage.deal(syndicate, { company })]
    await stage.db.sql(`update test.offerings set opens_at = opens_at - interval '1 day' where id = $1`, [earlier])
    const { id, user } = await stage.member(syndicate)
    await stage.invest({ offering: earlier, user })
    await stage.invest({ offering: later, user })
    await stage.invest({ offering: await stage.deal(syndicate), user, as: 'hidden' })
    await stage.invest({ offering: await stage.deal(syndicate, { testing_the_waters: true }), user })
    await stage.invest({ offering: await stage.offering(), user })
    const { list } = await send('GET', pathOf(syndicate, id))
    expect(list.map(({ attributes }) => attributes['offering'])).toEqual([later])
  })

  test('canceled investments are neither listed nor in a sum', async () => {
    const { syndicate, send } = await stage.run()
    const { id, user } = await stage.member(syndicate)
    const deal = await stage.deal(syndicate)
    await stage.invest({ offering: deal, user, units: 100 })
    await stage.invest({ offering: deal, user, units: 700, as: 'canceled' })
    await stage.invest({ offering: await stage.deal(syndicate), user, units: 900, as: 'canceled' })
    const { list, meta } = await send('GET', pathOf(syndicate, id))
    expect(list.map(({ attributes }) => [attributes['offering'], attributes['amount_cents']])).toEqual([[deal, 10_000]])
    expect(meta).toMatchObject({ count: 1, total_amount_cents: 10_000 })
  })

  test('currencies are never added up', async () => {
    const { syndicate, send } = await stage.run()
    const { id, user } = await stage.member(syndicate)
    for (const [currency, units] of [
      ['eur', 10],
      ['usd', 200],
      ['usd', 300],
    ] as const) {
      await stage.invest({ offering: await stage.deal(syndicate, { currency }), user, units })
    }
    const { meta } = await send('GET', pathOf(syndicate, id))
    expect(meta).toMatchObject({
      count: 3,
      currency: 'usd',
      total_amount_cents: 50_000,
      total_by_currency: [
        { currency: 'usd', total_amount_cents: 50_000 },
        { currency: 'eur', total_amount_cents: 1000 },
      ],
    })
  })

  test('the list is empty for a member without investments; investments of a former member stay', async () => {
    const { syndicate, send } = await stage.run()
    const { id, user } = await stage.member(syndicate)
    const { list, meta } = await send('GET', pathOf(syndicate, id))
    expect([list, meta]).toMatchObject([
      [],
      { count: 0, currency: 'usd', total_amount_cents: 0, total_by_currency: [] },
    ])
    await stage.invest({ offering: await stage.deal(syndicate), user })
    await stage.arrange((tx) => leaveSyndicate(tx, { id }, occasionAt()))
    expect((await send('GET', pathOf(syndicate, id))).list).toHaveLength(1)
  })

  test('404 for a member of another syndicate, the same as for an unknown one', async () => {
    const [{ syndicate, send }, other] = [await stage.run(), await stage.run()]
    const foreign = await stage.member(other.syndicate)
    const missing = await send('GET', pathOf(syndicate, newId('membership')))
    expect(refusal(missing)).toEqual([404, 'not_found'])
    const rejected = await send('GET', pathOf(syndicate, foreign.id))
    expect({ ...rejected.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' })
  })
})
