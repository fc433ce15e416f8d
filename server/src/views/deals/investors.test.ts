import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { hideInvestment } from '#market/investments/index.ts'
import { leaveSyndicate } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { OLDER, ORIGIN, refusal, type Send } from '#views/profile/testing/stage.ts'
import { type DealStage, march, openDealStage } from './testing/deal-stage.ts'

let stage: DealStage
beforeAll(async () => {
  stage = await openDealStage()
})
afterAll(() => stage.close())

const pathOf = (syndicate: string, deal: string) => `/syndicates/${syndicate}/deals/${deal}/investors`
const idsOf = async (send: Send, path: string) => (await send('GET', path)).list.map(({ id }) => id)

/** A deal in which this many members invested. `users` begins with the member with the largest amount. */
async function dealWith(count: number) {
  const run = await stage.run()
  const deal = await stage.deal(run.syndicate)
  const users: Id<'user'>[] = []
  for (let n = 1; n <= count; n += 1) {
    const { user } = await stage.member(run.syndicate)
    await stage.invest({ offering: deal, user, units: n * 100 })
    users.unshift(user)
  }
  return { ...run, deal, users, path: pathOf(run.syndicate, deal) }
}

describe('GET /syndicates/{syndicate_id}/deals/{fundraise_id}/investors', () => {
  test('200: one row for each investor, with their total in the deal', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate)
    const ada = await stage.user({ name: 'Ada Byron', email: `ada-${syndicate}@example.org`, avatar_url: '/a/ada.png' })
    await stage.member(syndicate, ada)
    await stage.invest({ offering: deal, user: ada, units: 3_000, on: 4 })
    await stage.invest({ offering: deal, user: ada, units: 2_000, on: 3, as: 'confirmed' })
    const { status, list, meta } = await send('GET', pathOf(syndicate, deal))
    expect([status, list]).toEqual([
      200,
      [
        {
          id: ada,
          type: 'deal_investor',
          attributes: {
            user: ada,
            user_name: 'Ada Byron',
            user_email: `ada-${syndicate}@example.org`,
            avatar_url: `${ORIGIN}/a/ada.png`,
            currency: 'usd',
            amount_cents: 500_000,
            status: 'confirmed',
            invested_at: march(3),
          },
        },
      ],
    ])
    const page = { has_more: false, page_count: 1, next_cursor: null }
    expect(meta).toEqual({ ...page, count: 1, total_count: 1, offset: 0, per_page: 25 })
  })

  test('lists members and managers of the syndicate, but no other people and no former members', async () => {
    const { syndicate, manager, send } = await stage.run()
    const deal = await stage.deal(syndicate)
    const [here, gone] = [await stage.member(syndicate), await stage.member(syndicate)]
    const elsewhere = await stage.member((await stage.run()).syndicate)
    for (const user of [here.user, gone.user, elsewhere.user, manager]) await stage.invest({ offering: deal, user })
    await stage.arrange((tx) => leaveSyndicate(tx, { id: gone.id }, occasionAt()))
    expect((await idsOf(send, pathOf(syndicate, deal))).toSorted()).toEqual([here.user, manager].toSorted())
  })

  test('hidden investments are neither listed nor in a sum', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate)
    const [partly, wholly] = [await stage.member(syndicate), await stage.member(syndicate)]
    await stage.invest({ offering: deal, user: partly.user, units: 100 })
    await stage.invest({ offering: deal, user: partly.user, units: 700, as: 'hidden' })
    const other = await stage.invest({ offering: deal, user: wholly.user, units: 900 })
    await stage.arrange((tx) => hideInvestment(tx, { id: other }, occasionAt()))
    const { list, meta } = await send('GET', pathOf(syndicate, deal))
    expect(list.map(({ id, attributes }) => [id, attributes['amount_cents']])).toEqual([[partly.user, 10_000]])
    expect(meta['total_count']).toBe(1)
  })

  test('canceled investments are neither listed nor in a sum', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate)
    const [partly, wholly] = [await stage.member(syndicate), await stage.member(syndicate)]
    await stage.invest({ offering: deal, user: partly.user, units: 100 })
    await stage.invest({ offering: deal, user: partly.user, units: 700, as: 'canceled' })
    await stage.invest({ offering: deal, user: wholly.user, units: 900, as: 'canceled' })
    const { list, meta } = await send('GET', pathOf(syndicate, deal))
    expect(list.map(({ id, attributes }) => [id, attributes['amount_cents']])).toEqual([[partly.user, 10_000]])
    expect(meta['total_count']).toBe(1)
  })

  test('reservations of a round that tests the waters are pending', async () => {
    const { syndicate, send } = await stage.run()
    const deal = await stage.deal(syndicate, { testing_the_waters: true })
    const { user } = await stage.member(syndicate)
    await stage.invest({ offering: deal, user, units: 250 })
    const { list } = await send('GET', pathOf(syndicate, deal))
    expect(list).toMatchObject([{ attributes: { amount_cents: 25_000, status: 'pending' } }])
  })

  test('a deactivated member has a row without data about the person', async () => {
    const { send, path, users } = await dealWith(1)
    await stage.arrange((tx) => forgetUser(tx, users[0] ?? newId('user'), occasionAt()))
    const { list } = await send('GET', path)
    expect(list).toMatchObject([
      {
        id: users[0],
        attributes: { user_name: '[deleted user]', user_email: null, avatar_url: null, amount_cents: 10_000 },
      },
    ])
  })

  test('sorted by amount, largest first; with offset and per_page each row is listed once, and the response has both values', async () => {
    const { send, path, users } = await dealWith(5)
    expect(await idsOf(send, path)).toEqual(users)
    const seen: string[] = []
    for (const offset of [0, 2, 4]) {
      const { list, meta } = await send('GET', `${path}?per_page=2&offset=${offset}`)
      seen.push(...list.map(({ id }) => id))
      const count = offset === 4 ? 1 : 2
      expect(meta).toMatchObject({ count, total_count: 5, offset, per_page: 2, has_more: offset < 4 })
    }
    expect(seen).toEqual(users)
    const { list, meta } = await send('GET', `${path}?offset=9`)
    expect([list, meta]).toMatchObject([[], { count: 0, total_count: 5, has_more: false, next_cursor: null }])
  })

  test('with cursors each row is listed once, in the same order', async () => {
    const { send, path, users } = await dealWith(3)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { list, meta } = await send('GET', `${path}?per_page=2${next}`)
      seen.push(...list.map(({ id }) => id))
      cursor = meta.next_cursor
    }
    expect(seen).toEqual(users)
  })

  test('page sizes are those of every list; older versions get up to 200 rows, and all rows without per_page or limit', async () => {
    const { send, path } = await dealWith(1)
    const sizesIn = (headers?: typeof OLDER) =>
      Promise.all(
        ['?per_page=201', '?per_page=0', '?per_page=-5', '', '?limit=7', '?limit=7&per_page=3'].map(
          async (query) => (await send('GET', path + query, undefined, headers)).meta['per_page'],
        ),
      )
    expect(await sizesIn()).toEqual([100, 25, 25, 25, 25, 3])
    expect(await sizesIn(OLDER)).toEqual([200, 25, 25, 10_000, 7, 3])
  })

  test('a page starts after the last row of the previous page, even if earlier rows change', async () => {
    const { send, path, deal, syndicate, users } = await dealWith(3)
    const first = await send('GET', `${path}?per_page=1`)
    const { user } = await stage.member(syndicate)
    await stage.invest({ offering: deal, user, units: 900_000 })
    const rest = await send('GET', `${path}?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect(rest.list.map(({ id }) => id)).toEqual(users.slice(1))
  })

  test('400 for an invalid offset or page size, and a cursor of another deal', async () => {
    const [one, other] = [await dealWith(2), await dealWith(2)]
    for (const query of ['offset=-1', 'offset=x', 'offset=1.5', 'per_page=x', 'cursor=2', 'offset=99999999999']) {
      expect([query, ...refusal(await one.send('GET', `${one.path}?${query}`))]).toEqual([
        query,
        400,
        'invalid_request',
      ])
    }
    const { meta } = await one.send('GET', `${one.path}?per_page=1`)
    const foreign = `${other.path}?cursor=${encodeURIComponent(meta.next_cursor ?? '')}`
    expect(refusal(await other.send('GET', foreign))).toEqual([400, 'invalid_request'])
  })

  test('404 for a deal of another syndicate', async () => {
    const [{ syndicate, send }, other] = [await stage.run(), await dealWith(1)]
    for (const id of [other.deal, newId('offering')]) {
      expect(refusal(await send('GET', pathOf(syndicate, id)))).toEqual([404, 'not_found'])
    }
  })

  test('older versions get the same rows', async () => {
    const { send, path } = await dealWith(2)
    const older = await send('GET', path, undefined, OLDER)
    expect(older.list.map(({ id }) => id)).toEqual(await idsOf(send, path))
  })
})
