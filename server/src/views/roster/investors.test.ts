import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { setRole } from '#market/companies/index.ts'
import { cancelInvestment, executeInvestment, hideInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import {
  allPages,
  OLDER,
  openProfileStage,
  type ProfileStage,
  refusal,
  type Send,
} from '#views/profile/testing/stage.ts'
import { rosterRoutes } from './http.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage(rosterRoutes)
})
afterAll(() => stage.close())

const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000000Z`
const pathOf = (company: string) => `/companies/${company}/investors`
const idsOf = async (send: Send, path: string) => (await send('GET', path)).list.map(({ id }) => id)
const offer = (terms: Parameters<typeof makeOffering>[1]) => stage.arrange((tx) => makeOffering(tx, terms))
const invest = (offering: Id<'offering'>, investor: Id<'user'>, units = 250, on = 1) =>
  stage.arrange((tx) => makeInvestment(tx, { offering, investor, amount_cents: (units * 100) as Cents, at: march(on) }))

/** A private company with a founder. */
async function founded(scopes: readonly string[] = ['read:companies']) {
  const [company, founder] = [await stage.company({ listed: false }), await stage.user()]
  await stage.arrange((tx) => setRole(tx, { company, user: founder, role: 'founder' }, occasionAt()))
  const offering = await offer({ company })
  return { company, founder, offering, path: pathOf(company), send: await stage.as(founder, scopes) }
}

/** Investors with ids in the order of their numbers. */
async function investors(offering: Id<'offering'>, count: number): Promise<Id<'user'>[]> {
  const first = newId('user').slice(0, 20)
  const ids = Array.from({ length: count }, (_, n) => `${first}${String(n).padStart(8, '0')}` as Id<'user'>)
  for (const id of ids.toReversed()) {
    await stage.arrange((tx) => makeUser(tx, { id }))
    await invest(offering, id)
  }
  return ids
}

describe('GET /companies/{company_id}/investors', () => {
  test('200: one row for each investor, without identity fields', async () => {
    const { company, offering, path, send } = await founded()
    const user = await stage.user({ name: 'Ada Byron', accreditation: 'self_attested' })
    await invest(offering, user, 100, 5)
    const done = await invest(offering, user, 200, 4)
    await stage.arrange((tx) => executeInvestment(tx, { id: done }, occasionAt(march(20))))
    await invest(await offer({ company, testing_the_waters: true }), user, 300, 6)
    const totals = {
      currency: 'usd',
      total_invested_cents: 30_000,
      total_reserved_cents: 30_000,
      investment_count: 2,
      reservation_count: 1,
    }
    const { status, list, meta, text } = await send('GET', path)
    expect([status, list]).toEqual([
      200,
      [
        {
          id: user,
          type: 'investor',
          attributes: { accredited: true, deactivated: false, ...totals, by_currency: [totals], created_at: march(4) },
        },
      ],
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
    expect(text).not.toMatch(/full_name|email|Ada/)
  })

  test('200 with names and addresses with the scope read:investors:pii', async () => {
    const { company, offering, path } = await founded()
    const email = `ada-${company}@example.org`
    await invest(offering, await stage.user({ name: 'Ada Byron', email }))
    const send = await stage.installedOn({ company }, ['read:companies', 'read:investors:pii'])
    const [{ attributes } = { attributes: {} }] = (await send('GET', path)).list
    expect(attributes).toMatchObject({ full_name: 'Ada Byron', email })
  })

  test('a founder’s own token gets identity fields only with read:investors:pii', async () => {
    const { founder, offering, path, send } = await founded()
    await invest(offering, await stage.user({ name: 'Ada Byron' }))
    const withPii = await stage.as(founder, ['read:companies', 'read:investors:pii'], await stage.client())
    const seen = async (asks: Send) => (await asks('GET', path)).list.map(({ attributes }) => attributes['full_name'])
    expect([await seen(withPii), await seen(send)]).toEqual([['Ada Byron'], [undefined]])
  })

  test('without read:investors:pii, a founder who invested sees only their own name', async () => {
    const { founder, offering, path, send } = await founded()
    await invest(offering, founder)
    await invest(offering, await stage.user())
    const { list } = await send('GET', path)
    expect(list.map(({ id, attributes }) => [id === founder, 'full_name' in attributes]).toSorted()).toEqual([
      [false, false],
      [true, true],
    ])
  })

  test('hidden and canceled investments are neither listed nor in a sum', async () => {
    const { company, offering, path, send } = await founded()
    const [partly, hidden, canceled] = [await stage.user(), await stage.user(), await stage.user()]
    await invest(offering, partly, 100)
    const gone = [await invest(offering, partly, 700), await invest(offering, hidden), await invest(offering, canceled)]
    await stage.arrange(async (tx) => {
      for (const id of gone.slice(0, 2)) await hideInvestment(tx, { id }, occasionAt())
      for (const id of gone.slice(2)) await cancelInvestment(tx, { id }, occasionAt())
    })
    const withPii = await stage.installedOn({ company }, ['read:companies', 'read:investors:pii'])
    for (const asks of [send, withPii]) {
      const { list } = await asks('GET', path)
      expect(list.map(({ id, attributes }) => [id, attributes['total_invested_cents']])).toEqual([[partly, 10_000]])
    }
  })

  test('sums cover all rounds of this company only; amounts in different currencies are never added', async () => {
    const { company, offering, path, send } = await founded()
    const user = await stage.user()
    const euros = await offer({ company, currency: 'eur' })
    await invest(offering, user, 100)
    await invest(euros, user, 50)
    await invest(euros, user, 25)
    await invest((await founded()).offering, user, 9_000)
    const [{ attributes } = { attributes: {} }] = (await send('GET', path)).list
    expect(attributes).toMatchObject({
      currency: 'eur',
      total_invested_cents: 7_500,
      by_currency: [
        { currency: 'eur', total_invested_cents: 7_500, investment_count: 2 },
        { currency: 'usd', total_invested_cents: 10_000, investment_count: 1 },
      ],
    })
  })

  test('a deactivated investor stays in the list, without data about the person', async () => {
    const { company, offering, path, send } = await founded()
    const user = await stage.user()
    await invest(offering, user)
    await stage.arrange((tx) => forgetUser(tx, user, occasionAt()))
    const withPii = await stage.installedOn({ company }, ['read:companies', 'read:investors:pii'])
    const [{ attributes: seen } = { attributes: {} }] = (await withPii('GET', path)).list
    expect(seen).toMatchObject({ full_name: '[deleted user]', email: null, deactivated: true })
    const blind = (await send('GET', path)).list.map(({ attributes }) => attributes)
    expect(blind).toMatchObject([{ deactivated: true }])
    expect(Object.keys(blind[0] ?? {})).not.toEqual(expect.arrayContaining(['full_name']))
  })

  test('with every page size each investor is listed once, sorted by id; new investors do not shift pages', async () => {
    const { offering, company, path, send } = await founded()
    const all = await investors(offering, 5)
    // An investor in two raises has one row.
    await invest(await offer({ company }), all[2] ?? newId('user'))
    for (const size of [1, 2, 5, 100]) {
      const pages = await allPages(send, `${path}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(5 / size))
    }
    const first = await send('GET', `${path}?per_page=2`)
    await stage.arrange((tx) => makeUser(tx, { id: 'usr_000000000000000000000001' as Id<'user'> }))
    await invest(offering, 'usr_000000000000000000000001' as Id<'user'>)
    const rest = await idsOf(send, `${path}?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(all)
  })

  test('400 for a changed cursor, for a cursor of another company, and for an invalid page size', async () => {
    const [one, other] = [await founded(), await founded()]
    await investors(one.offering, 2)
    const cursor = (await one.send('GET', `${one.path}?per_page=1`)).meta.next_cursor ?? ''
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
    for (const query of [`cursor=${encodeURIComponent(changed)}`, 'cursor=1', 'per_page=many']) {
      expect(refusal(await one.send('GET', `${one.path}?${query}`))).toEqual([400, 'invalid_request'])
    }
    const foreign = `${other.path}?cursor=${encodeURIComponent(cursor)}`
    expect(refusal(await other.send('GET', foreign))).toEqual([400, 'invalid_request'])
  })

  test('400 for a cursor of another list of the same company', async () => {
    const { company, offering, path, send } = await founded()
    await offer({ company })
    await investors(offering, 2)
    const { meta } = await send('GET', `/companies/${company}/fundraises?per_page=1`)
    const cursor = encodeURIComponent(meta.next_cursor ?? '')
    expect((await send('GET', `/companies/${company}/fundraises?cursor=${cursor}`)).status).toBe(200)
    expect(refusal(await send('GET', `${path}?cursor=${cursor}`))).toEqual([400, 'invalid_request'])
  })

  test('older versions get the same response', async () => {
    const { offering, path, send } = await founded()
    await investors(offering, 2)
    expect((await send('GET', path, undefined, OLDER)).text).toBe((await send('GET', path)).text)
  })
})
