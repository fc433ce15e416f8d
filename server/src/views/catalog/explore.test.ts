import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  BUSINESS_MODELS,
  followCompany,
  INDUSTRIES,
  type Industry,
  setRole,
  updateCompany,
} from '#market/companies/index.ts'
import { inviteUser, startClosing, updateOffering } from '#market/offerings/index.ts'
import { addDeal, leaveSyndicate, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { type CatalogStage, clientToken, idsOf, openCatalogStage, refusal } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2025-01-15' }

/** Every test uses its own industry, so that no test sees another's offerings. */
const unused = [...INDUSTRIES]
function ownIndustry(): Industry {
  const industry = unused.pop()
  if (industry === undefined) throw new Error('no industry is left')
  return industry
}

type Terms = Parameters<CatalogStage['offering']>[0]

/** Creates these offerings in this order, each of a new company unless its terms name one. */
async function offerings(industry: Industry, all: readonly Terms[]): Promise<Id<'offering'>[]> {
  const made: Id<'offering'>[] = []
  for (const terms of all) {
    const company = terms?.company ?? (await stage.company({ industries: [industry] }))
    made.push(await stage.offering({ company, ...terms }))
  }
  return made
}

const day = (text: string) => worldTime(`${text}T12:00:00.000000Z`)

describe('GET /explore', () => {
  test('200: open, listed offerings with all fields of a list', async () => {
    const industry = ownIndustry()
    const [id] = await offerings(industry, [
      {},
      { status: 'upcoming' },
      { status: 'closing' },
      { status: 'closed' },
      { listed: false },
      { exemption: 'reg_d_506b', listed: false },
      { exemption: 'reg_d_506c' },
      { accredited_only: true },
    ])
    const response = await stage.everybody(`/explore?industry=${industry}`)
    expect([response.status, idsOf(response)]).toEqual([200, [id]])
    expect(response.meta).toEqual({
      has_more: false,
      page_count: 1,
      next_cursor: null,
      total_count: 1,
      sort: 'most_raised',
      filters: { industry: [industry] },
      fetched_at: expect.any(String),
    })
    expect(response.list[0]).toEqual((await stage.everybody(`/offerings/${id}`)).data)
  })

  test('200 with the same list for an app’s own token and for a user token without read:explore; 401 without a credential', async () => {
    const industry = ownIndustry()
    const [id] = await offerings(industry, [{}, { accredited_only: true }])
    const path = `/explore?industry=${industry}`
    const accredited = await stage.user({ accreditation: 'verified' })
    const views = [
      stage.bearer(await clientToken(stage)),
      await stage.as(accredited, ['read:public']),
      await stage.as(accredited, ['read:profile']),
    ]
    for (const view of views) {
      const response = await view(path)
      expect([idsOf(response), response.meta['personalized']]).toEqual([[id], undefined])
    }
    expect((await fetch(stage.url + path)).status).toBe(401)
  })

  test('an offering that starts to close disappears at once', async () => {
    const industry = ownIndustry()
    const [id] = await offerings(industry, [{}])
    const path = `/explore?industry=${industry}`
    expect(idsOf(await stage.everybody(path))).toEqual([id])
    await stage.arrange((tx) =>
      startClosing(tx, { id: id as Id<'offering'> }, occasionAt('2026-02-01T00:00:00.000000Z')),
    )
    const { list, meta } = await stage.everybody(path)
    expect([list, meta['total_count']]).toEqual([[], 0])
  })

  test('an offering that becomes unlisted disappears at once, and appears again when it is listed', async () => {
    const industry = ownIndustry()
    const company = await stage.company({ industries: [industry] })
    const id = await stage.offering({ company })
    const shown = async () => {
      const response = await stage.everybody(`/explore?industry=${industry}`)
      return [idsOf(response), response.meta['total_count']]
    }
    const list = (listed: boolean) => stage.arrange((tx) => updateOffering(tx, { id, listed }, occasionAt()))
    expect(await shown()).toEqual([[id], 1])
    await list(false)
    expect(await shown()).toEqual([[], 0])
    await list(true)
    expect(await shown()).toEqual([[id], 1])
  })

  test('a page that was read before shows every later change', async () => {
    const industry = ownIndustry()
    const company = await stage.company({ industries: [industry], name: 'Before' })
    const id = await stage.offering({ company })
    const shown = async () => (await stage.everybody(`/explore?industry=${industry}`)).list[0]?.attributes
    expect(await shown()).toMatchObject({ company_name: 'Before', funding_target: null, amount_raised: 0 })
    await stage.arrange((tx) => updateCompany(tx, { id: company, name: 'After' }, occasionAt()))
    expect(await shown()).toMatchObject({ company_name: 'After' })
    const terms = { id, funding_target_cents: 500_00 as Cents }
    await stage.arrange((tx) => updateOffering(tx, terms, occasionAt()))
    expect(await shown()).toMatchObject({ funding_target: 500 })
    await stage.invest(id, 70)
    await stage.refresh()
    expect(await shown()).toMatchObject({ amount_raised: 70 })
    // A change that is rolled back is never visible.
    const failed = stage.arrange(async (tx) => {
      await updateCompany(tx, { id: company, name: 'Never' }, occasionAt())
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    expect(await shown()).toMatchObject({ company_name: 'After' })
  })

  test('lists one offering of each company: one that accepts investments rather than one that tests the waters, and the latest of several', async () => {
    const industry = ownIndustry()
    const company = await stage.company({ industries: [industry] })
    const [tests, , later] = await offerings(industry, [
      { company, testing_the_waters: true },
      { company },
      { company },
    ])
    const path = `/explore?industry=${industry}`
    const response = await stage.everybody(path)
    expect([idsOf(response), response.meta['total_count']]).toEqual([[later], 1])
    expect(response.list[0]?.warnings).toMatchObject([{ code: 'concurrent_rounds' }])
    expect(idsOf(await stage.everybody(`${path}&testing_the_waters=true`))).toEqual([])
    expect((await stage.everybody(`/offerings/${tests}`)).status).toBe(200)
  })

  test('does not list offerings of the other world', async () => {
    const industry = ownIndustry()
    await offerings(industry, [{}])
    const live = await stage.bearer(stage.client.live.keyId)('/explore')
    expect([live.status, live.list]).toEqual([200, []])
  })
})

describe('sorting', () => {
  test('by amount raised, by investors, by launch and by closing date; offerings without a closing date are last', async () => {
    const industry = ownIndustry()
    const [a, b, c] = await offerings(industry, [
      { closes_at: day('2026-12-01') },
      {},
      { closes_at: day('2026-11-01') },
    ])
    if (a === undefined || b === undefined || c === undefined) throw new Error('not made')
    await stage.invest(a, 500)
    await stage.invest(b, 300)
    await stage.invest(b, 100)
    await stage.db.sql(`update test.offerings set opens_at = '2026-01-02T01:00:00Z' where id = $1`, [b])
    await stage.refresh()
    const sorted = async (sort: string) => idsOf(await stage.everybody(`/explore?industry=${industry}${sort}`))
    expect(await sorted('')).toEqual([a, b, c])
    expect(await sorted('&sort=most_raised')).toEqual([a, b, c])
    expect(await sorted('&sort=most_investors')).toEqual([b, a, c])
    expect(await sorted('&sort=newest')).toEqual([b, c, a])
    expect(await sorted('&sort=closing_soon')).toEqual([c, a, b])
    const { meta } = await stage.everybody(`/explore?industry=${industry}&sort=newest`)
    expect(meta['sort']).toBe('newest')
  })
})

describe('filters', () => {
  const industry = ownIndustry()
  const path = `/explore?industry=${industry}`
  let made: Record<'cf' | 'a' | 'note' | 'testing', Id<'offering'>>
  beforeAll(async () => {
    const company = await stage.company({ industries: [industry], business_models: ['b2b', 'saas'] })
    const [cf, a, note, testing] = await offerings(industry, [
      { company, min_investment_cents: 100_00 as Cents, closes_at: day('2026-06-30') },
      { exemption: 'reg_a', min_investment_cents: 250_00 as Cents },
      { security: { type: 'convertible_note', terms: {} } },
      { testing_the_waters: true, intended_security: 'safe' },
    ])
    if (cf === undefined || a === undefined || note === undefined || testing === undefined) throw new Error('not made')
    made = { cf, a, note, testing }
    await stage.invest(cf, 1_000)
    await stage.refresh()
  })

  test.each<[string, readonly (keyof typeof made)[], unknown]>([
    ['exemption=reg_cf', ['cf', 'testing', 'note'], { exemption: 'reg_cf' }],
    ['exemption=reg_d', [], { exemption: 'reg_d' }],
    ['security=safe', ['cf', 'a'], { security: 'safe' }],
    ['security=convertible_note', ['note'], { security: 'convertible_note' }],
    ['testing_the_waters=true', ['testing'], { testing_the_waters: true }],
    ['testing_the_waters=false', ['cf', 'note', 'a'], { testing_the_waters: false }],
    ['max_min_investment=100', ['cf'], { max_min_investment: 100 }],
    ['max_min_investment=99.5', [], { max_min_investment: 99.5 }],
    ['closing_before=2026-06-30', ['cf'], { closing_before: '2026-06-30' }],
    ['closing_before=2026-06-29', [], { closing_before: '2026-06-29' }],
    ['closing_before=0000-02-29', [], { closing_before: '0000-02-29' }],
    ['closing_before=9999-12-31', ['cf'], { closing_before: '9999-12-31' }],
    ['min_amount_raised=1000', ['cf'], { min_amount_raised: 1000 }],
    ['min_amount_raised=1000.01', [], { min_amount_raised: 1000.01 }],
    ['business_model=retail,saas', ['cf'], { business_model: ['retail', 'saas'] }],
    ['business_model=retail&business_model=b2b', ['cf'], { business_model: ['retail', 'b2b'] }],
    ['business_model=', ['cf', 'testing', 'note', 'a'], {}],
    ['security=safe&exemption=reg_cf', ['cf'], { security: 'safe', exemption: 'reg_cf' }],
    ['color=blue', ['cf', 'testing', 'note', 'a'], {}],
  ])('%s', async (filter, expected, echoed) => {
    const response = await stage.everybody(`${path}&${filter}`)
    expect(new Set(idsOf(response))).toEqual(new Set(expected.map((name) => made[name])))
    expect(response.meta).toMatchObject({ total_count: expected.length })
    expect(response.meta['filters']).toEqual({ industry: [industry], ...(echoed as object) })
    const own = await (await stage.as(await stage.user()))(`${path}&${filter}`)
    expect([idsOf(own), own.meta['total_count']]).toEqual([idsOf(response), expected.length])
  })

  test.each([
    ['sort=best', 'most_raised, closing_soon, newest, most_investors'],
    ['exemption=reg_x', 'reg_cf, reg_d'],
    ['security=gold', 'safe, equity, convertible_note, revenue_share, debt, fund, other'],
    ['industry=energy,astrology', INDUSTRIES.join(', ')],
    ['business_model=astrology', BUSINESS_MODELS.join(', ')],
    ['testing_the_waters=maybe', 'true or false'],
    ['closing_before=tomorrow', 'date'],
    ['closing_before=2026-02-30', 'date'],
    ['max_min_investment=few', 'a number'],
    ['min_amount_raised=-1', 'at least 0'],
    ['per_page=many', 'an integer'],
    ['sort=newest&sort=newest', 'more than once'],
  ])('400 for %s, with the accepted values', async (wrong, named) => {
    const { status, error } = await stage.everybody(`/explore?${wrong}`)
    expect([status, error.type]).toEqual([400, 'invalid_request'])
    expect(error.message).toContain(named)
  })
})

describe('the user’s own view', () => {
  test('lists the public offerings and the private offerings that this user may see, and is marked as personalized', async () => {
    const industry = ownIndustry()
    const [invited, founder] = [await stage.user(), await stage.user()]
    const [shown, vault, secret] = await offerings(industry, [{}, { accredited_only: true }, { listed: false }])
    if (shown === undefined || vault === undefined || secret === undefined) throw new Error('not made')
    const { data } = await (await stage.as(await stage.user({ accreditation: 'verified' })))(`/offerings/${vault}`)
    await stage.arrange(async (tx) => {
      await inviteUser(tx, { id: secret, user: invited }, occasionAt())
      await setRole(tx, { company: data.company, user: founder, role: 'employee' }, occasionAt())
    })
    const path = `/explore?industry=${industry}&sort=newest`
    const views = {
      stranger: stage.everybody,
      user: await stage.as(await stage.user()),
      accredited: await stage.as(await stage.user({ accreditation: 'self_attested' })),
      invited: await stage.as(invited),
      team: await stage.as(founder),
    }
    const seen = Object.fromEntries(
      await Promise.all(
        Object.entries(views).map(async ([name, get]) => {
          const { list, meta } = await get(path)
          return [name, [new Set(idsOf({ list })), meta['total_count'], meta['personalized']]] as const
        }),
      ),
    )
    expect(seen).toEqual({
      stranger: [new Set([shown]), 1, undefined],
      user: [new Set([shown]), 1, true],
      accredited: [new Set([shown, vault]), 2, true],
      invited: [new Set([shown, secret]), 2, true],
      team: [new Set([shown, vault]), 2, true],
    })
    const own = await views.invited(path)
    expect(own.list.find(({ id }) => id === secret)?.attributes).toMatchObject({
      publicly_visible: false,
      invested: false,
      followed: false,
    })
  })

  test('lists the company’s public round, and every round that this user may see but the public may not', async () => {
    const industry = ownIndustry()
    const company = await stage.company({ industries: [industry] })
    const [shown, second, secret, vault, elder] = await offerings(industry, [
      { company },
      { company, testing_the_waters: true },
      { company, listed: false },
      { company, exemption: 'reg_d_506c' },
      { company, accredited_only: true, exemption: 'reg_cf' },
    ])
    const [user, invited] = [await stage.user({ accreditation: 'verified' }), await stage.user()]
    for (const one of [user, invited]) {
      await stage.arrange((tx) => inviteUser(tx, { id: secret as Id<'offering'>, user: one }, occasionAt()))
      // The company's entry in the public list stays the same, also for a user who invested in another round of the company.
      await stage.arrange((tx) => makeInvestment(tx, { offering: second as Id<'offering'>, investor: one }))
    }
    const path = `/explore?industry=${industry}&sort=newest`
    const seen = async (get: typeof stage.everybody, more = '') => {
      const { list, meta } = await get(path + more)
      return [new Set(idsOf({ list })), list.length, meta['total_count']]
    }
    const [everybody, own, other] = [stage.everybody, await stage.as(user), await stage.as(invited)]
    expect(await seen(everybody)).toEqual([new Set([shown]), 1, 1])
    expect(await seen(own)).toEqual([new Set([shown, secret, vault, elder]), 4, 4])
    expect(await seen(other)).toEqual([new Set([shown, secret]), 2, 2])
    expect(await seen(own, '&exemption=reg_d')).toEqual([new Set([vault]), 1, 1])
    expect(await seen(await stage.as(await stage.user()))).toEqual([new Set([shown]), 1, 1])
    for (const { id, attributes } of (await own(path)).list) {
      expect(attributes['publicly_visible']).toBe(id === shown)
    }
  })

  test('is the same with a token of the user’s own installation; a token on a company gets the public view', async () => {
    const industry = ownIndustry()
    const user = await stage.user()
    const [shown, secret] = await offerings(industry, [{}, { listed: false }])
    await stage.arrange((tx) => inviteUser(tx, { id: secret as Id<'offering'>, user }, occasionAt()))
    const { data } = await (await stage.as(user))(`/offerings/${secret}`)
    const path = `/explore?industry=${industry}`
    const own = await stage.installedOn({ user })
    expect(new Set(idsOf(await own(path)))).toEqual(new Set([shown, secret]))
    expect((await own(path)).meta['personalized']).toBe(true)
    expect((await own(`/offerings/${secret}`)).data.attributes['publicly_visible']).toBe(false)
    expect((await own(`/companies/${data.company}`)).status).toBe(200)
    const views = [
      await stage.installedOn({ company: data.company }),
      await stage.installedOn({ user: await stage.user() }),
      await stage.installedOn({ user }, ['read:public']),
    ]
    for (const view of views) {
      expect(idsOf(await view(path))).toEqual([shown])
      expect((await view(`/offerings/${secret}`)).status).toBe(404)
    }
    expect((await views[0]?.(path))?.meta['personalized']).toBeUndefined()
  })

  test('has the private deals of syndicates that the user is a member or manager of, and no other private deals', async () => {
    const industry = ownIndustry()
    const [deal, another] = (await offerings(industry, [{ listed: false }, { listed: false }])) as [
      Id<'offering'>,
      Id<'offering'>,
    ]
    const [manager, member, applicant, gone, outsider] = [
      await stage.user(),
      await stage.user(),
      await stage.user(),
      await stage.user(),
      await stage.user(),
    ]
    await stage.arrange(async (tx) => {
      const [syndicate, elsewhere] = [await makeSyndicate(tx), await makeSyndicate(tx)]
      await addDeal(tx, { syndicateId: syndicate, offeringId: deal }, occasionAt())
      await addDeal(tx, { syndicateId: elsewhere, offeringId: another }, occasionAt())
      await setManager(tx, { syndicateId: syndicate, userId: manager, permission: 'operator' }, occasionAt())
      await makeMembership(tx, { syndicate, user: member, status: 'member' })
      await makeMembership(tx, { syndicate, user: applicant })
      const id = await makeMembership(tx, { syndicate, user: gone, status: 'member' })
      await leaveSyndicate(tx, { id }, occasionAt('2026-03-01T00:00:00.000000Z'))
      await makeMembership(tx, { syndicate: elsewhere, user: outsider, status: 'member' })
    })
    const seen = async (user: Id<'user'>) => idsOf(await (await stage.as(user))(`/explore?industry=${industry}`))
    expect([await seen(manager), await seen(member)]).toEqual([[deal], [deal]])
    expect([await seen(applicant), await seen(gone), await seen(outsider)]).toEqual([[], [], [another]])
    expect((await (await stage.as(applicant))(`/offerings/${deal}`)).status).toBe(404)
  })

  test('can be filtered by followed companies; 400 in the public view', async () => {
    const industry = ownIndustry()
    const [a, b] = await offerings(industry, [{}, {}])
    const user = await stage.user()
    const { data } = await stage.everybody(`/offerings/${a}`)
    await stage.arrange((tx) => followCompany(tx, { company: data.company, user }, occasionAt()))
    const own = await stage.as(user)
    const path = `/explore?industry=${industry}`
    const followed = await own(`${path}&followed=true`)
    expect([idsOf(followed), followed.meta['total_count']]).toEqual([[a], 1])
    expect(followed.list[0]?.attributes['followed']).toBe(true)
    expect(followed.meta['filters']).toEqual({ industry: [industry], followed: true })
    expect(idsOf(await own(`${path}&followed=false`))).toEqual([b])
    for (const view of [stage.everybody, await stage.as(user, ['read:public'])]) {
      const { status, error } = await view(`${path}&followed=true`)
      expect([status, error.type]).toEqual([400, 'invalid_request'])
      expect(error.message).toContain('followed')
    }
  })
})

describe('pages', () => {
  /** All pages that follow the page with this meta. */
  const walkFrom = async (path: string, meta: Readonly<Record<string, unknown>>, get = stage.everybody) => {
    const seen: string[] = []
    for (let at = meta; at['has_more'] === true; ) {
      expect(typeof at['next_cursor']).toBe('string')
      const response = await get(`${path}&cursor=${at['next_cursor']}`)
      expect(response.meta['page_count']).toBe(response.list.length)
      seen.push(...idsOf(response))
      at = response.meta
    }
    return seen
  }

  const walk = async (path: string, get = stage.everybody) => {
    const first = await get(path)
    return [...idsOf(first), ...(await walkFrom(path, first.meta, get))]
  }

  test.each(['most_raised', 'closing_soon', 'newest', 'most_investors'])(
    'sorted by %s have every row once, in both views, even if all rows have the same sort value',
    async (sort) => {
      const industry = ownIndustry()
      const both = await stage.company({ industries: [industry] })
      const all = await offerings(industry, [
        { company: both },
        {},
        { closes_at: day('2026-12-01') },
        {},
        { listed: false },
        { company: both, listed: false },
        { company: both, accredited_only: true },
      ])
      const user = await stage.user({ accreditation: 'verified' })
      const theirAlone = all.slice(4)
      for (const id of all.slice(4, 6)) await stage.arrange((tx) => inviteUser(tx, { id, user }, occasionAt()))
      const path = `/explore?industry=${industry}&sort=${sort}&per_page=2`
      const [theirs, own] = [await walk(path), await walk(path, await stage.as(user))]
      expect([theirs.length, new Set(theirs)]).toEqual([4, new Set(all.slice(0, 4))])
      expect([own.length, new Set(own)]).toEqual([7, new Set(all)])
      expect(own.filter((id) => theirAlone.every((each) => each !== id))).toEqual(theirs)
    },
  )

  test('have no row twice and miss no unchanged row while other rows change', async () => {
    const industry = ownIndustry()
    const all = await offerings(industry, [{}, {}, {}, {}, {}, {}])
    for (const [at, id] of all.entries()) await stage.invest(id, 1_000 - at * 100)
    await stage.refresh()
    const path = `/explore?industry=${industry}&per_page=2`
    const first = await stage.everybody(path)
    expect(idsOf(first)).toEqual(all.slice(0, 2))
    // A new row appears at the top, and the last row of the first page raises more. Of the rows on later pages, one
    // starts to close and one moves to the top.
    const [, behind, gone, stays, climbs, last] = all as Id<'offering'>[]
    const [newcomer] = await offerings(industry, [{}])
    for (const [id, units] of [
      [newcomer, 5_000],
      [climbs, 9_000],
      [behind, 1],
    ] as const) {
      await stage.invest(id as Id<'offering'>, units)
    }
    const when = occasionAt('2026-02-03T00:00:00.000000Z')
    await stage.arrange((tx) => startClosing(tx, { id: gone as Id<'offering'> }, when))
    await stage.refresh()
    expect(await walkFrom(path, first.meta)).toEqual([stays, last])
  })

  test('have the requested size: at most 100, and 25 for zero or less', async () => {
    const industry = ownIndustry()
    await stage.arrange(async (tx) => {
      for (let n = 0; n < 101; n++) await makeOffering(tx, { listed: true })
    })
    await stage.db.sql(
      `update test.companies set industries = array[$1] where industries = '{}' and id in (select company_id from test.offerings)`,
      [industry],
    )
    const sizes = ['', '&per_page=0', '&per_page=-3', '&per_page=7', '&per_page=100', '&per_page=1000']
    const counts = await Promise.all(
      sizes.map(async (size) => (await stage.everybody(`/explore?industry=${industry}${size}`)).meta['page_count']),
    )
    expect(counts).toEqual([25, 25, 25, 7, 100, 100])
  })

  test('400 for a changed cursor, a cursor of another order or of the other world, and text that is not a cursor', async () => {
    const industry = ownIndustry()
    await offerings(industry, [{}, {}])
    const path = `/explore?industry=${industry}&per_page=1`
    const cursor = String((await stage.everybody(path)).meta['next_cursor'])
    const changed = `${cursor.slice(0, 10)}${cursor[10] === 'A' ? 'B' : 'A'}${cursor.slice(11)}`
    for (const wrong of [changed, '1', 'x', '%00']) {
      expect(refusal(await stage.everybody(`${path}&cursor=${wrong}`))).toEqual([400, 'invalid_request'])
    }
    expect(refusal(await stage.everybody(`${path}&sort=newest&cursor=${cursor}`))).toEqual([400, 'invalid_request'])
    const live = stage.bearer(stage.client.live.keyId)
    expect(refusal(await live(`${path}&cursor=${cursor}`))).toEqual([400, 'invalid_request'])
  })

  test('before 2026-11-01: cursors are whole numbers that count rows', async () => {
    const industry = ownIndustry()
    const all = await offerings(industry, [{}, {}, {}])
    const path = `/explore?industry=${industry}&per_page=2`
    const first = await stage.everybody(path, OLD)
    expect(first.meta).toMatchObject({ has_more: true, next_cursor: 2, total_count: 3 })
    expect(first.list[0]?.attributes).toMatchObject({ amount_raised: '0.00', exemption: { family: 'reg_cf' } })
    const second = await stage.everybody(`${path}&cursor=2`, OLD)
    expect(second.meta).toMatchObject({ has_more: false, next_cursor: null, page_count: 1 })
    expect(new Set([...idsOf(first), ...idsOf(second)])).toEqual(new Set(all))
    const own = await (await stage.as(await stage.user()))(`${path}&cursor=2`, OLD)
    expect(idsOf(own)).toEqual(idsOf(second))
    expect((await stage.everybody(`${path}&cursor=100000`, OLD)).list).toEqual([])
    for (const wrong of ['-1', '1.5', 'x', '100001', '9999999', '99999999']) {
      expect(refusal(await stage.everybody(`${path}&cursor=${wrong}`, OLD))).toEqual([400, 'invalid_request'])
    }
  })

  test('304 while the page is unchanged; the tag does not depend on the fetch time or the sealed cursor', async () => {
    const industry = ownIndustry()
    const [id] = await offerings(industry, [{}, {}])
    const path = `/explore?industry=${industry}&per_page=1`
    const tag = (await stage.everybody(path)).headers.get('etag') ?? ''
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(304)
    await stage.invest(id as Id<'offering'>, 100)
    await stage.refresh()
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(200)
  })
})
