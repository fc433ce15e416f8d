import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { reportPastRounds, setRole } from '#market/companies/index.ts'
import { cancelInvestment } from '#market/investments/index.ts'
import { closeOffering, inviteUser, startClosing } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { type CatalogStage, clientToken, type Fields, ORIGIN, openCatalogStage } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2026-10-01' }
const list = (value: unknown) => value as readonly Fields[]

describe('GET /companies/{id}', () => {
  test('200: the company, its raise, its rounds and their totals', async () => {
    const company = await stage.company({
      name: 'Tidal Works',
      tagline: 'Power from tides',
      page_url: 'https://tidal.example/raise',
      logo_url: 'https://tidal.example/logo.png',
      card_image_url: '/assets/card.png',
      city: 'Oban',
      country: 'GB',
      promotion_opt_in: false,
    })
    const raise = newId('raise')
    const target = { funding_target_cents: 2_000_00 as Cents }
    const past = await stage.offering({ company, status: 'closed' })
    const cf = await stage.offering({ company, raise, ...target, closes_at: worldTime('2026-12-31T00:00:00.000000Z') })
    const a = await stage.offering({ company, raise, exemption: 'reg_a' })
    await stage.db.sql(`update test.offerings set opens_at = '2026-01-02T02:00:00Z' where id = $1`, [cf])
    await stage.invest(cf, 1_500)
    await stage.invest(a, 700)
    await stage.arrange((tx) => {
      const reported = { exemption: 'reg_d' as const, amount_raised_cents: 900_00 as Cents, currency: 'usd' }
      return reportPastRounds(tx, { company, rounds: [reported] }, occasionAt())
    })
    await stage.refresh()
    const { status, data, meta } = await stage.everybody(`/companies/${company}`)
    expect([status, data.id, Object.keys(meta)]).toEqual([200, company, ['fetched_at']])
    const { past_rounds, rounds, ...attributes } = data.attributes
    expect(attributes).toEqual({
      name: 'Tidal Works',
      tagline: 'Power from tides',
      url: 'https://tidal.example/raise',
      logo_url: 'https://tidal.example/logo.png',
      card_image_url: `${ORIGIN}/assets/card.png`,
      location: { city: 'Oban', state: null, country: 'GB' },
      promotion_opt_in: false,
      raising: true,
      current_raise: {
        offering_id: cf,
        offering_ids: [cf, a],
        testing_the_waters: false,
        currency: 'usd',
        amount_raised_cents: 220_000,
        funding_target_cents: 200_000,
        investor_count: 2,
        oversubscribed: true,
        closes_at: '2026-12-31T00:00:00.000000Z',
      },
      totals: {
        currency: 'usd',
        raised_on_platform_all_time_cents: 220_000,
        profile_total_raised_cents: 310_000,
        profile_reported_off_platform_cents: 90_000,
        profile_includes_past_rounds: true,
      },
    })
    expect(past_rounds).toEqual([
      expect.objectContaining({ offering_id: past, source: 'platform', amount_raised_cents: 0 }),
      {
        offering_id: null,
        source: 'reported',
        exemption: 'reg_d',
        currency: 'usd',
        amount_raised_cents: 90_000,
        investor_count: null,
        opened_at: null,
        closed_at: null,
      },
    ])
    expect(list(rounds).map((round) => [round['offering_id'], round['current'], round['status']])).toEqual([
      [cf, true, 'open'],
      [a, true, 'open'],
      [past, false, 'closed'],
    ])
    expect(list(rounds)[0]).toMatchObject({
      exemption: 'reg_cf',
      security: { type: 'safe', label: 'SAFE', terms: { valuation_cap_cents: 800_000_000 } },
      amount_raised_cents: 150_000,
      investor_count: 1,
    })
  })

  test('a total above 2^53 is reported too', async () => {
    const company = await stage.company()
    const raise = newId('raise')
    const legs = [
      await stage.offering({ company, raise }),
      await stage.offering({ company, raise, exemption: 'reg_a' }),
    ]
    for (const leg of legs) await stage.invest(leg, 90_000_000_000_000)
    await stage.refresh()
    const { status, data } = await stage.everybody(`/companies/${company}`)
    expect([status, data.attributes['current_raise']]).toEqual([
      200,
      expect.objectContaining({ amount_raised_cents: 18_000_000_000_000_000 }),
    ])
    expect(data.attributes['totals']).toMatchObject({ raised_on_platform_all_time_cents: 18_000_000_000_000_000 })
  })

  test('before 2026-11-01: some field names contain the platform’s name, and a closing round is shown as closed', async () => {
    const company = await stage.company()
    await stage.offering({ company, status: 'closing' })
    await stage.offering({ company, status: 'closed' })
    const newest = (await stage.everybody(`/companies/${company}`)).data.attributes
    expect(list(newest['rounds']).map((round) => round['status'])).toEqual(['closed', 'closing'])
    const { attributes } = (await stage.everybody(`/companies/${company}`, OLD)).data
    expect(attributes).not.toHaveProperty('rounds')
    expect(list(attributes['wefunder_rounds']).map((round) => round['status'])).toEqual(['closed', 'closed'])
    expect(list(attributes['past_rounds'])[0]).toMatchObject({ source: 'wefunder' })
    expect(attributes['totals']).toMatchObject({ raised_on_wefunder_all_time: '0.00' })
    expect(attributes['totals']).not.toHaveProperty('raised_on_platform_all_time')
  })

  test('reservations are not added to investments of the same raise, and do not count as money raised', async () => {
    const company = await stage.company()
    const raise = newId('raise')
    const testing = await stage.offering({ company, raise, testing_the_waters: true })
    await stage.arrange((tx) => makeInvestment(tx, { offering: testing }))
    await stage.refresh()
    const first = (await stage.everybody(`/companies/${company}`)).data.attributes
    expect(first['current_raise']).toMatchObject({ testing_the_waters: true, amount_raised_cents: 25_000 })
    expect(first['totals']).toMatchObject({ raised_on_platform_all_time_cents: 0, profile_total_raised_cents: 0 })
    expect(list(first['rounds'])[0]).toMatchObject({
      security: { type: null, terms: null },
      ...{ testing_the_waters: true, amount_raised_cents: null, investor_count: null },
    })
    const live = await stage.offering({ company, raise })
    const { current_raise } = (await stage.everybody(`/companies/${company}`)).data.attributes
    expect(current_raise).toMatchObject({ offering_id: live, offering_ids: [live], testing_the_waters: false })
  })

  test('a closed round that tested the waters is not a past round, adds nothing to the money raised, and causes no warning', async () => {
    const company = await stage.company()
    const tested = await stage.offering({ company, testing_the_waters: true })
    await stage.arrange((tx) => makeInvestment(tx, { offering: tested }))
    await stage.arrange((tx) => startClosing(tx, { id: tested }, occasionAt('2026-02-02T00:00:00.000000Z')))
    await stage.arrange((tx) => closeOffering(tx, { id: tested }, occasionAt('2026-02-03T00:00:00.000000Z')))
    const live = await stage.offering({ company })
    await stage.invest(live, 300)
    await stage.refresh()
    const { attributes } = (await stage.everybody(`/companies/${company}`)).data
    expect(attributes['past_rounds']).toEqual([])
    const rounds = list(attributes['rounds'])
    expect(
      rounds.map((each) => [each['offering_id'], each['testing_the_waters'], each['amount_raised_cents']]),
    ).toEqual([
      [live, false, 30_000],
      [tested, true, null],
    ])
    // "Sum of rounds[].amount_raised."
    expect(attributes['totals']).toMatchObject({
      raised_on_platform_all_time_cents: 30_000,
      profile_total_raised_cents: 30_000,
      profile_includes_past_rounds: false,
    })
    expect((await stage.everybody(`/offerings/${live}`)).data.warnings).toEqual([])
    // The offering itself still shows its reservations as the amount raised.
    expect((await stage.everybody(`/offerings/${tested}`)).data.attributes).toMatchObject({ amount_raised: 250 })
  })

  test('several legs are one raise: each investor counts once, and the targets are added', async () => {
    const company = await stage.company()
    const raise = newId('raise')
    const target = (units: number) => ({ funding_target_cents: (units * 100) as Cents })
    const cf = await stage.offering({ company, raise, ...target(1_000) })
    const vault = await stage.offering({ company, raise, exemption: 'reg_d_506c', ...target(500) })
    const open = await stage.offering({ company, raise, exemption: 'reg_a' })
    const [inBoth, inAll] = [await stage.user(), await stage.user()]
    for (const [offering, investor] of [
      [cf, inBoth],
      [vault, inBoth],
      [cf, inAll],
      [vault, inAll],
      [open, inAll],
    ] as const)
      await stage.invest(offering, 300, investor)
    await stage.invest(vault, 100)
    await stage.refresh()
    const raiseOf = async (get: typeof stage.everybody) =>
      (await get(`/companies/${company}`)).data.attributes['current_raise']
    expect(await raiseOf(stage.everybody)).toMatchObject({
      ...{ amount_raised_cents: 90_000, funding_target_cents: 100_000, investor_count: 2, oversubscribed: false },
    })
    const accredited = await stage.as(await stage.user({ accreditation: 'verified' }))
    expect(await raiseOf(accredited)).toMatchObject({
      ...{ amount_raised_cents: 160_000, funding_target_cents: 150_000, investor_count: 3, oversubscribed: true },
    })
    // A person who cancels their investment in one leg still counts in the other legs.
    const [row] = await stage.db.sql<{ id: Id<'investment'> }>(
      'select id from test.investments where offering_id = $1 and investor_id = $2',
      [cf, inAll],
    )
    const when = occasionAt('2026-03-01T00:00:00.000000Z')
    await stage.arrange((tx) => cancelInvestment(tx, { id: row?.id as Id<'investment'> }, when))
    await stage.refresh()
    expect(await raiseOf(stage.everybody)).toMatchObject({ amount_raised_cents: 60_000, investor_count: 2 })
  })

  test('a new leg without investors does not change the number of investors', async () => {
    const company = await stage.company()
    const raise = newId('raise')
    await stage.invest(await stage.offering({ company, raise }), 100)
    await stage.refresh()
    await stage.offering({ company, raise, exemption: 'reg_a' })
    const { current_raise } = (await stage.everybody(`/companies/${company}`)).data.attributes
    expect(current_raise).toMatchObject({ investor_count: 1, funding_target_cents: null, oversubscribed: false })
  })

  test('a funded company that no longer raises has its history and no current raise', async () => {
    const company = await stage.company()
    await stage.offering({ company, status: 'closed' })
    const { attributes } = (await stage.everybody(`/companies/${company}`)).data
    expect(attributes).toMatchObject({ raising: false, current_raise: null })
  })

  test('private legs that the viewer may not see are in no list and no sum', async () => {
    const company = await stage.company()
    const raise = newId('raise')
    const shown = await stage.offering({ company, raise })
    const vault = await stage.offering({ company, raise, exemption: 'reg_d_506c' })
    const secret = await stage.offering({ company, raise, exemption: 'reg_d_506b', listed: false })
    for (const id of [shown, vault, secret]) await stage.invest(id, 100)
    await stage.refresh()
    const invited = await stage.user({ accreditation: 'verified' })
    await stage.arrange((tx) => inviteUser(tx, { id: secret, user: invited }, occasionAt()))
    const views = [
      stage.everybody,
      await stage.as(await stage.user()),
      await stage.as(await stage.user({ accreditation: 'self_attested' })),
      await stage.as(invited),
    ]
    const seen = await Promise.all(
      views.map(async (get) => {
        const { current_raise, rounds } = (await get(`/companies/${company}`)).data.attributes
        const { offering_id, amount_raised_cents } = current_raise as Fields
        return [offering_id, amount_raised_cents, list(rounds).length]
      }),
    )
    expect(seen).toEqual([
      [shown, 10_000, 1],
      [shown, 10_000, 1],
      [shown, 20_000, 2],
      [shown, 30_000, 3],
    ])
  })

  test('404 for a company that the viewer may not see, with the same error as for an unknown company', async () => {
    const [bare, hidden, vault] = [await stage.company(), await stage.company(), await stage.company()]
    await stage.offering({ company: hidden, listed: false })
    await stage.offering({ company: vault, accredited_only: true })
    const founder = await stage.user()
    await stage.arrange((tx) => setRole(tx, { company: bare, user: founder, role: 'founder' }, occasionAt()))
    const [team, accredited] = [
      await stage.as(founder),
      await stage.as(await stage.user({ accreditation: 'verified' })),
    ]
    const statuses = async (id: Id<'company'>) =>
      Promise.all([stage.everybody, team, accredited].map(async (get) => (await get(`/companies/${id}`)).status))
    expect(await statuses(bare)).toEqual([404, 200, 404])
    expect(await statuses(hidden)).toEqual([404, 404, 404])
    expect(await statuses(vault)).toEqual([404, 404, 200])
    const [one, other] = [
      await stage.everybody(`/companies/${hidden}`),
      await stage.everybody(`/companies/${newId('company')}`),
    ]
    expect({ ...one.error, request_id: '' }).toEqual({ ...other.error, request_id: '' })
  })

  test('401 without a credential, 404 for a company of the other world, 304 while nothing has changed', async () => {
    const company = await stage.company()
    await stage.offering({ company })
    const path = `/companies/${company}`
    expect((await fetch(stage.url + path)).status).toBe(401)
    const bare = await stage.as(await stage.user(), ['read:profile'])
    expect((await bare(path)).data).toEqual((await stage.everybody(path)).data)
    const live = await stage.arrange(async (tx) => {
      const id = await makeCompany(tx)
      await makeOffering(tx, { company: id, listed: true })
      return id
    }, 'live')
    expect((await stage.everybody(`/companies/${live}`)).status).toBe(404)
    expect((await stage.bearer(stage.client.live.keyId)(`/companies/${live}`)).status).toBe(200)
    const tag = (await stage.bearer(await clientToken(stage))(path)).headers.get('etag') ?? ''
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(304)
  })
})
