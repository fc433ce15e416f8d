import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { setRole } from '#market/companies/index.ts'
import { cancelOffering, confirmInvestment } from '#market/investments/index.ts'
import { addDeal } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { refreshFigures } from '#views/catalog/index.ts'
import { setFundHolding } from '#views/portfolio/index.ts'
import { allPages, openProfileStage, type ProfileStage, refusal, type Send } from '#views/profile/testing/stage.ts'
import { rosterRoutes } from './http.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage(rosterRoutes)
})
afterAll(() => stage.close())

const pathOf = (company: string) => `/companies/${company}/fundraises`
const offer = (terms: Parameters<typeof makeOffering>[1]) => stage.arrange((tx) => makeOffering(tx, terms))
const seenBy = async (send: Send, path: string) =>
  (await send('GET', path)).list.map(({ id, attributes }) => [id, attributes['kind']]).toSorted()

async function founded() {
  const [company, founder] = [await stage.arrange((tx) => makeCompany(tx, { name: 'Brightkiln' })), await stage.user()]
  await stage.arrange((tx) => setRole(tx, { company, user: founder, role: 'founder' }, occasionAt()))
  return { company, path: pathOf(company), send: await stage.as(founder, ['read:companies']) }
}

/** A fund that holds these companies. */
const vehicle = (...held: Id<'company'>[]) =>
  stage.arrange(async (tx) => {
    const fund = await makeCompany(tx, { kind: 'fund', name: 'Kiln SPV' })
    for (const company of held) await setFundHolding(tx, { fund, company, status: 'active' })
    return fund
  })

describe('GET /companies/{company_id}/fundraises', () => {
  test('200: all fields of a round', async () => {
    const { company, path, send } = await founded()
    const id = await offer({
      company,
      name: 'Seed',
      exemption: 'reg_d_506b',
      funding_target_cents: 50_000_000 as Cents,
      min_investment_cents: 10_000 as Cents,
    })
    await stage.arrange(async (tx) => {
      const investment = await makeInvestment(tx, { offering: id, amount_cents: 250_000 as Cents })
      await confirmInvestment(tx, { id: investment }, occasionAt())
    })
    await stage.arrange((tx) => refreshFigures(tx, { changes: 1_000, offerings: 1_000 }))
    const { status, list, meta } = await send('GET', path)
    expect([status, list]).toEqual([
      200,
      [
        {
          id,
          type: 'fundraise',
          attributes: {
            kind: 'round',
            name: 'Seed',
            company,
            company_name: 'Brightkiln',
            status: 'open',
            testing_the_waters: false,
            exemption: 'reg_d_506b',
            security: expect.objectContaining({ type: 'safe', label: 'SAFE' }),
            currency: 'usd',
            amount_raised_cents: 250_000,
            funding_target_cents: 50_000_000,
            min_investment_cents: 10_000,
            max_investment_cents: null,
            investor_count: 1,
            opened_at: '2026-01-02T00:00:00.000000Z',
            closes_at: null,
            closed_at: null,
            created_at: '2026-01-01T00:00:00.000000Z',
            updated_at: expect.stringMatching(/Z$/),
          },
        },
      ],
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('a round that tests the waters has no security while it is undecided; in older versions the security is null', async () => {
    const { company, path, send } = await founded()
    await offer({ company, testing_the_waters: true })
    const [newest] = (await send('GET', path)).list
    expect(newest?.attributes['security']).toEqual({ type: null, terms: null })
    const [older] = (await send('GET', path, undefined, { 'wefunder-version': '2026-10-01' })).list
    expect(older?.attributes['security']).toBeNull()
  })

  test('lists every round of the company in every state, also private rounds', async () => {
    const { company, path, send } = await founded()
    const states = ['upcoming', 'open', 'closing', 'closed'] as const
    const ids = await Promise.all(states.map((status) => offer({ company, status })))
    await offer({})
    expect(await seenBy(send, path)).toEqual(ids.map((id) => [id, 'round']).toSorted())
  })

  test('a canceled round of the company itself is listed; a canceled round of a vehicle is not', async () => {
    const { company, path, send } = await founded()
    const [own, raised] = [await offer({ company }), await offer({ company: await vehicle(company) })]
    expect(await seenBy(send, path)).toHaveLength(2)
    await stage.arrange(async (tx) => {
      for (const id of [own, raised]) await cancelOffering(tx, { id }, occasionAt())
    })
    const { list } = await send('GET', path)
    expect(list.map(({ id, attributes }) => [id, attributes['status']])).toEqual([[own, 'canceled']])
  })

  test('an SPV is a round that a syndicate runs, or a round of a vehicle that holds only this company', async () => {
    const { company, path, send } = await founded()
    const [direct, deal] = [await offer({ company }), await offer({ company })]
    await stage.arrange(async (tx) => {
      await addDeal(tx, { syndicateId: await makeSyndicate(tx), offeringId: deal }, occasionAt())
    })
    const raised = await offer({ company: await vehicle(company), security: { type: 'fund', terms: {} } })
    expect(await seenBy(send, path)).toEqual(
      [
        [direct, 'round'],
        [deal, 'spv'],
        [raised, 'spv'],
      ].toSorted(),
    )
  })

  test('a fund’s own offerings are SPVs; a fund of many companies is not an SPV of any of them', async () => {
    const { company, path, send } = await founded()
    const fund = await vehicle(company, await stage.arrange((tx) => makeCompany(tx)))
    const offering = await offer({ company: fund })
    expect(await seenBy(send, path)).toEqual([])
    const ofFund = await stage.installedOn({ company: fund }, ['read:companies'])
    expect(await seenBy(ofFund, pathOf(fund))).toEqual([[offering, 'spv']])
  })

  test('an upcoming round of a vehicle is not listed', async () => {
    const { company, path, send } = await founded()
    await offer({ company: await vehicle(company), status: 'upcoming' })
    expect(await seenBy(send, path)).toEqual([])
  })

  test('with every page size each fundraise is listed once, newest first', async () => {
    const { company, path, send } = await founded()
    const fund = await vehicle(company)
    const first = newId('offering').slice(0, 20)
    const ids: string[] = []
    for (let n = 1; n <= 5; n += 1) {
      const id = `${first}${String(n).padStart(8, '0')}` as Id<'offering'>
      ids.unshift(await offer({ id, company: n % 2 === 0 ? fund : company }))
    }
    for (const size of [1, 2, 5, 100]) {
      const pages = await allPages(send, `${path}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(ids)
      expect(pages).toHaveLength(Math.ceil(5 / size))
    }
    const page = await send('GET', `${path}?per_page=2`)
    await offer({ company, id: `${first}99999999` as Id<'offering'> })
    const rest = await send('GET', `${path}?cursor=${encodeURIComponent(page.meta.next_cursor ?? '')}`)
    expect([...page.list, ...rest.list].map(({ id }) => id)).toEqual(ids)
  })

  test('400 for a cursor of another company, or a malformed one', async () => {
    const [one, other] = [await founded(), await founded()]
    for (const _ of [1, 2]) await offer({ company: one.company })
    const cursor = (await one.send('GET', `${one.path}?per_page=1`)).meta.next_cursor ?? ''
    const foreign = `${other.path}?cursor=${encodeURIComponent(cursor)}`
    expect(refusal(await other.send('GET', foreign))).toEqual([400, 'invalid_request'])
    expect(refusal(await one.send('GET', `${one.path}?cursor=1`))).toEqual([400, 'invalid_request'])
  })
})
