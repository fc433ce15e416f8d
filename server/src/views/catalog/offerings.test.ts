import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import { cancelInvestment, cancelOffering } from '#market/investments/index.ts'
import { inviteUser, updateOffering } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { type CatalogStage, clientToken, type Get, ORIGIN, openCatalogStage, refusal } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2026-10-01' }

describe('GET /offerings/{id}', () => {
  test('200: every field of the specification, in the newest form', async () => {
    const company = await stage.company({
      name: 'Tidal Works',
      tagline: 'Power from tides',
      slug: 'tidal-works',
      page_url: '/c/tidal-works',
      logo_url: '/assets/logos/x.svg',
      industries: ['energy', 'ar_and_vr'],
      business_models: ['b2b'],
    })
    const id = await stage.offering({
      company,
      funding_target_cents: 5_000_000_00 as Cents,
      min_investment_cents: 100_00 as Cents,
      closes_at: worldTime('2026-12-31T12:00:00.000000Z'),
    })
    await stage.invest(id, 1_250)
    await stage.refresh()
    const { status, data, meta } = await stage.everybody(`/offerings/${id}`)
    expect(status).toBe(200)
    expect(data).toEqual({
      id,
      type: 'offering',
      company,
      attributes: {
        company_name: 'Tidal Works',
        tagline: 'Power from tides',
        url: `${ORIGIN}/c/tidal-works`,
        card_image_url: null,
        logo_url: `${ORIGIN}/assets/logos/x.svg`,
        exemption: 'reg_cf',
        security: {
          type: 'safe',
          label: 'SAFE',
          terms: {
            valuation_cap_cents: 800_000_000,
            uncapped: false,
            discount_percent: null,
            most_favored_nation: false,
            pro_rata: false,
          },
        },
        intended_security: null,
        industries: [
          { type: 'energy', label: 'Energy' },
          { type: 'ar_and_vr', label: 'AR & VR' },
        ],
        business_models: [{ type: 'b2b', label: 'B2B' }],
        status: 'open',
        testing_the_waters: false,
        currency: 'usd',
        funding_target: 5_000_000,
        funding_target_cents: 500_000_000,
        min_investment: 100,
        min_investment_cents: 10_000,
        amount_raised: 1_250,
        amount_raised_cents: 125_000,
        investor_count: 1,
        started_at: '2026-01-02T00:00:00.000000Z',
        closes_at: '2026-12-31T12:00:00.000000Z',
        closed_at: null,
      },
      warnings: [],
      etag: expect.stringMatching(/^[\w-]{27}$/),
    })
    expect(meta).toEqual({ fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
  })

  test('before 2026-11-01: amounts are decimals, the exemption is in parts, a closing round is closed, an undecided security is null', async () => {
    const [sold, tested] = [
      await stage.offering({ status: 'closing', funding_target_cents: 12_300 as Cents }),
      await stage.offering({ testing_the_waters: true, intended_security: 'equity' }),
    ]
    const newest = (await stage.everybody(`/offerings/${sold}`)).data
    expect(newest.attributes).toMatchObject({ status: 'closing', funding_target: 123, closes_at: null })
    const { data, headers } = await stage.everybody(`/offerings/${sold}`, OLD)
    expect(headers.get('wefunder-version')).toBe('2026-10-01')
    expect(data).toMatchObject({ id: sold, type: 'offering', company: newest.company, etag: newest.etag })
    expect(data.attributes).toMatchObject({
      amount_raised: '0.00',
      funding_target: '123.00',
      min_investment: null,
      exemption: { family: 'reg_cf', subtype: null, label: 'Reg CF' },
      status: 'closed',
      security: { type: 'safe' },
    })
    expect((await stage.everybody(`/offerings/${tested}`, OLD)).data.attributes).toMatchObject({
      security: null,
      intended_security: { type: 'equity', label: 'Equity' },
    })
  })

  test.each([
    ['intended', { intended_security: 'debt' as const }, { type: 'debt', label: 'Debt' }],
    ['undecided', {}, null],
    ['decided already', { security: { type: 'safe' as const, terms: {} } }, { type: 'safe', label: 'SAFE' }],
  ])('a round that tests the waters has no security; its intended security is %s', async (_how, terms, intended) => {
    const id = await stage.offering({ testing_the_waters: true, ...terms })
    const { attributes } = (await stage.everybody(`/offerings/${id}`)).data
    expect(attributes).toMatchObject({
      testing_the_waters: true,
      security: { type: null, terms: null },
      intended_security: intended,
    })
    expect(Object.keys(attributes['security'] as object)).toEqual(['type', 'terms'])
  })

  test('404 for an unknown id, an id of another kind and a malformed id, with the same message', async () => {
    const paths = [newId('offering'), newId('company'), 'ofr_', 'x'.repeat(300)].map((id) => `/offerings/${id}`)
    const responses = await Promise.all(paths.map((path) => stage.everybody(path)))
    expect(responses.map(refusal)).toEqual(paths.map(() => [404, 'not_found']))
    expect(new Set(responses.map(({ error }) => error.message)).size).toBe(1)
  })

  test('401 without a credential; every token of an app holds read:public, and without read:explore gets the public view', async () => {
    const id = await stage.offering()
    const response = await fetch(`${stage.url}/offerings/${id}`)
    expect(response.status).toBe(401)
    const bare = await stage.as(await stage.user(), ['read:profile'])
    const result = await bare(`/offerings/${id}`)
    expect([result.status, result.data]).toEqual([200, (await stage.everybody(`/offerings/${id}`)).data])
  })

  test('200 under /api/v2, with an app’s token, and for a browser on another origin with a publishable key', async () => {
    const id = await stage.offering()
    expect((await stage.everybody(`/api/v2/offerings/${id}`)).data.id).toBe(id)
    const app = await stage.bearer(await clientToken(stage))(`/offerings/${id}`)
    expect([app.status, app.data.id]).toEqual([200, id])
    const browser = await stage.everybody(`/offerings/${id}`, { origin: 'https://elsewhere.example' })
    expect(browser.headers.get('access-control-allow-origin')).toBe('*')
    expect(browser.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(app.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('readers who may see an offering', () => {
  type Viewers = Readonly<Record<'stranger' | 'user' | 'accredited' | 'invited' | 'founder' | 'investor', Get>>
  let views: Viewers
  let people: Readonly<Record<'invited' | 'founder' | 'investor', Id<'user'>>>
  beforeAll(async () => {
    people = { invited: await stage.user(), founder: await stage.user(), investor: await stage.user() }
    views = {
      stranger: stage.everybody,
      user: await stage.as(await stage.user()),
      accredited: await stage.as(await stage.user({ accreditation: 'self_attested' })),
      invited: await stage.as(people.invited),
      founder: await stage.as(people.founder),
      investor: await stage.as(people.investor),
    }
  })

  /** An offering, and users with every relation to it. */
  const among = async (terms: Parameters<CatalogStage['offering']>[0], cancel = false) => {
    const company = await stage.company()
    const id = await stage.offering({ company, ...terms })
    await stage.arrange(async (tx) => {
      await setRole(tx, { company, user: people.founder, role: 'founder' }, occasionAt())
      await inviteUser(tx, { id, user: people.invited }, occasionAt())
      if (terms?.status === undefined) await makeInvestment(tx, { offering: id, investor: people.investor })
      if (cancel) await cancelOffering(tx, { id }, occasionAt('2026-03-01T00:00:00.000000Z'))
    })
    return id
  }

  const seenBy = async (id: Id<'offering'>) => {
    const seen = await Promise.all(
      Object.entries(views).map(async ([name, get]) => ((await get(`/offerings/${id}`)).status === 200 ? name : null)),
    )
    return seen.filter((name) => name !== null)
  }

  const EVERYBODY = ['stranger', 'user', 'accredited', 'invited', 'founder', 'investor']

  test.each<[string, Parameters<CatalogStage['offering']>[0], readonly string[]]>([
    ['open and listed', {}, EVERYBODY],
    ['open and testing the waters', { testing_the_waters: true }, EVERYBODY],
    ['closing', { status: 'closing' }, EVERYBODY],
    ['closed', { status: 'closed' }, EVERYBODY],
    ['upcoming', { status: 'upcoming' }, ['invited', 'founder']],
    ['accredited only', { accredited_only: true }, ['accredited', 'invited', 'founder', 'investor']],
    ['506(c)', { exemption: 'reg_d_506c' }, ['accredited', 'invited', 'founder', 'investor']],
    ['506(b)', { exemption: 'reg_d_506b', listed: false }, ['invited', 'founder', 'investor']],
    ['not listed', { listed: false }, ['invited', 'founder', 'investor']],
  ])('%s', async (_what, terms, expected) => {
    expect(await seenBy(await among(terms))).toEqual(expected)
  })

  test('a canceled offering: only people who are related to it', async () => {
    expect(await seenBy(await among({}, true))).toEqual(['invited', 'founder', 'investor'])
  })

  test('without read:explore a user gets the public view, also with only read:public', async () => {
    const id = await among({ listed: false })
    const plain = await stage.as(people.founder, ['read:public'])
    expect(refusal(await plain(`/offerings/${id}`))).toEqual([404, 'not_found'])
    const shown = await plain(`/offerings/${await among({})}`)
    expect(shown.data.attributes).not.toHaveProperty('publicly_visible')
  })

  test('an offering is hidden at once after it is unlisted, or after the reader’s role or accreditation has ended', async () => {
    const id = await among({})
    const path = `/offerings/${id}`
    await stage.arrange((tx) => updateOffering(tx, { id, listed: false }, occasionAt()))
    expect(await seenBy(id)).toEqual(['invited', 'founder', 'investor'])
    const { data } = await views.founder(path)
    await stage.arrange((tx) =>
      endRole(tx, { company: data.company, user: people.founder, role: 'founder' }, occasionAt()),
    )
    expect((await views.founder(path)).status).toBe(404)
    const user = await stage.user({ accreditation: 'verified' })
    const [view, vault] = [await stage.as(user), await stage.offering({ accredited_only: true })]
    expect((await view(`/offerings/${vault}`)).status).toBe(200)
    await stage.arrange((tx) => updateUser(tx, { id: user, accreditation: 'none' }, occasionAt()))
    expect((await view(`/offerings/${vault}`)).status).toBe(404)
  })

  test('the response for a hidden offering is the same as for an unknown one, except for the request id', async () => {
    const hidden = await stage.everybody(`/offerings/${await among({ listed: false })}`)
    const missing = await stage.everybody(`/offerings/${newId('offering')}`)
    const { request_id: _hidden, ...one } = hidden.error
    const { request_id: _missing, ...other } = missing.error
    expect(one).toEqual(other)
  })

  test('404 for an offering of the other world', async () => {
    const live = await stage.arrange((tx) => makeOffering(tx, { listed: true }), 'live')
    const here = await stage.offering()
    const there = stage.bearer(stage.client.live.keyId)
    expect((await there(`/offerings/${live}`)).status).toBe(200)
    expect((await there(`/offerings/${here}`)).status).toBe(404)
    expect((await stage.everybody(`/offerings/${live}`)).status).toBe(404)
    const user = await stage.arrange((tx) => makeUser(tx), 'live')
    const mine = await stage.as(user, ['read:explore'], 'live')
    expect([(await mine(`/offerings/${live}`)).status, (await mine(`/offerings/${here}`)).status]).toEqual([200, 404])
  })

  test('the user’s own view is the public view plus three fields', async () => {
    const id = await among({})
    const [theirs, own] = [await stage.everybody(`/offerings/${id}`), await views.investor(`/offerings/${id}`)]
    const { publicly_visible, invested, followed, ...attributes } = own.data.attributes
    expect(attributes).toEqual(theirs.data.attributes)
    expect({ publicly_visible, invested, followed }).toEqual({
      publicly_visible: true,
      invested: true,
      followed: false,
    })
    expect(own.data.etag).toBe(theirs.data.etag)
    const hidden = await among({ listed: false })
    expect((await views.invited(`/offerings/${hidden}`)).data.attributes).toMatchObject({
      publicly_visible: false,
      invested: false,
    })
  })

  test('invested excludes reservations and canceled investments', async () => {
    const [reserved, left] = [await among({ testing_the_waters: true }), await among({})]
    const [row] = await stage.db.sql<{ id: Id<'investment'> }>(
      'select id from test.investments where offering_id = $1',
      [left],
    )
    if (row === undefined) throw new Error('nobody invested')
    await stage.arrange((tx) => cancelInvestment(tx, row, occasionAt('2026-03-01T00:00:00.000000Z')))
    for (const id of [reserved, left]) {
      expect((await views.investor(`/offerings/${id}`)).data.attributes['invested']).toBe(false)
    }
  })
})

describe('warnings', () => {
  test('describe concurrent and completed rounds, and are not part of the etag', async () => {
    const company = await stage.company()
    const id = await stage.offering({ company })
    const before = (await stage.everybody(`/offerings/${id}`)).data
    expect(before.warnings).toEqual([])
    await stage.offering({ company })
    await stage.offering({ company, status: 'closed' })
    const { warnings, etag } = (await stage.everybody(`/offerings/${id}`)).data
    expect(warnings.map(({ code }) => code)).toEqual(['concurrent_rounds', 'prior_rounds'])
    expect(etag).toBe(before.etag)
  })

  test('do not mention rounds that the viewer may not see', async () => {
    const company = await stage.company()
    const id = await stage.offering({ company })
    await stage.offering({ company, exemption: 'reg_d_506c' })
    await stage.offering({ company, exemption: 'reg_d_506b', listed: false })
    expect((await stage.everybody(`/offerings/${id}`)).data.warnings).toEqual([])
    const accredited = await stage.as(await stage.user({ accreditation: 'verified' }))
    expect((await accredited(`/offerings/${id}`)).data.warnings).toHaveLength(1)
  })
})

describe('If-None-Match', () => {
  test('304 while the offering is unchanged, at any time; 200 with another tag after a change', async () => {
    const id = await stage.offering()
    const path = `/offerings/${id}`
    const first = await stage.everybody(path)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toBe('Authorization, Wefunder-Version')
    for (const given of [tag, `"x", ${tag}`, tag.slice(2), '*']) {
      const again = await stage.everybody(path, { 'if-none-match': given })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    expect((await stage.everybody(path, { 'if-none-match': '"other"' })).status).toBe(200)
    await stage.invest(id, 500)
    await stage.refresh()
    const changed = await stage.everybody(path, { 'if-none-match': tag })
    expect([changed.status, changed.data.etag === first.data.etag]).toEqual([200, false])
  })

  test('a tag of one version does not match in another', async () => {
    const path = `/offerings/${await stage.offering()}`
    const [newest, older] = [await stage.everybody(path), await stage.everybody(path, OLD)]
    const [tag, olderTag] = [newest.headers.get('etag') ?? '', older.headers.get('etag') ?? '']
    const status = async (headers: Readonly<Record<string, string>>) => (await stage.everybody(path, headers)).status
    expect([await status({ ...OLD, 'if-none-match': tag }), await status({ 'if-none-match': olderTag })]).toEqual([
      200, 200,
    ])
    expect(await status({ ...OLD, 'if-none-match': olderTag })).toBe(304)
  })

  test('a tag of one view does not match in the other', async () => {
    const id = await stage.offering()
    const own = await (await stage.as(await stage.user()))(`/offerings/${id}`)
    const tag = own.headers.get('etag') ?? ''
    expect((await stage.everybody(`/offerings/${id}`, { 'if-none-match': tag })).status).toBe(200)
  })
})
