import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type CatalogStage, type Get, ORIGIN, openCatalogStage, refusal } from '#views/catalog/testing/catalog-stage.ts'
import { OneDisclosures } from './disclosure-record.ts'
import { contentRoutes } from './http.ts'
import { fileDisclosures, type NewDisclosures, publishPitch, setPerks } from './index.ts'
import { OnePitch } from './pitch-record.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage({ more: contentRoutes })
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2026-10-01' }
type Attributes = Readonly<Record<string, unknown>>

async function aListedCompany() {
  const company = await stage.company({ name: 'Tidal Works', page_url: '/c/tidal' })
  const raise = newId('raise')
  return { company, raise, offering: await stage.offering({ company, raise }) }
}

const file = (filing: Partial<NewDisclosures> & Pick<NewDisclosures, 'offering'>) =>
  stage.arrange((tx) => fileDisclosures(tx, { filing: { filed: true }, ...filing }, occasionAt()))

const promised = { pitch: Compile(OnePitch), disclosures: Compile(OneDisclosures) }

/** The response is stored text, so only this check compares it with the declared schema. */
function requirePromised(what: keyof typeof promised, text: string): void {
  const body: unknown = JSON.parse(text)
  expect(promised[what].Check(body) ? [] : promised[what].Errors(body)).toEqual([])
}

describe('GET /companies/{id}/pitch', () => {
  test('200: the story as blocks with absolute addresses, and the perks of the round', async () => {
    const { company, offering } = await aListedCompany()
    await stage.arrange(async (tx) => {
      const story_html =
        '<h2>Tides</h2><p onclick="x()">We <a href="/about">use</a> them.</p><img src="/a.png"><script>x()</script>'
      await publishPitch(tx, { company, title: 'Power from tides', story_html }, occasionAt())
      const tiers = [
        { qualifying_amount_cents: 100_000, description: 'A visit' },
        { qualifying_amount_cents: 25_000, description: null },
      ]
      await setPerks(tx, { offering, tiers })
    })
    const { status, data, meta, text } = await stage.everybody(`/companies/${company}/pitch`)
    expect([status, Object.keys(meta)]).toEqual([200, ['fetched_at']])
    expect(data).toEqual({
      id: company,
      type: 'company_pitch',
      attributes: {
        offering_id: offering,
        title: 'Power from tides',
        url: `${ORIGIN}/c/tidal`,
        authored_by: 'company',
        disclaimer: null,
        story: {
          blocks: [
            { type: 'heading', level: 2, text: 'Tides' },
            { type: 'paragraph', text: 'We use them.', links: [{ text: 'use', url: `${ORIGIN}/about` }] },
            { type: 'image', url: `${ORIGIN}/a.png`, alt: null, filename: 'a.png' },
          ],
          image_count: 1,
          video_count: 0,
          inline_images_omitted: 0,
          character_count: 17,
        },
        perks: {
          offering_id: offering,
          currency: 'usd',
          described_in_pitch: false,
          tiers: [
            { qualifying_amount_cents: 25_000, currency: 'usd', description: null },
            { qualifying_amount_cents: 100_000, currency: 'usd', description: 'A visit' },
          ],
        },
      },
    })
    requirePromised('pitch', text)
  })

  test('before 2026-11-01: amounts are decimals, the currency is in capitals, and the author is the platform’s name', async () => {
    const { company, offering } = await aListedCompany()
    await stage.arrange(async (tx) => {
      await publishPitch(tx, { company, authored_by: 'platform', story_html: '<p>A memo</p>' }, occasionAt())
      await setPerks(tx, { offering, tiers: [{ qualifying_amount_cents: 25_000, description: 'A mug' }] })
    })
    const { attributes } = (await stage.everybody(`/companies/${company}/pitch`, OLD)).data
    expect(attributes).toMatchObject({
      authored_by: 'wefunder',
      disclaimer: expect.stringContaining('without the company'),
      perks: { currency: 'USD', tiers: [{ qualifying_amount: '250.00', description: 'A mug' }] },
    })
    expect(JSON.stringify(attributes['perks'])).not.toContain('cents')
  })

  test('a company that published nothing has a default title and no blocks', async () => {
    const { company, offering } = await aListedCompany()
    const { data, text } = await stage.everybody(`/companies/${company}/pitch`)
    requirePromised('pitch', text)
    expect(data.attributes).toMatchObject({
      title: 'About Tidal Works',
      story: { blocks: [], character_count: 0 },
      perks: { offering_id: offering, tiers: [] },
    })
  })

  test('sections: one section, both sections in both spellings, and 400 with the known names for an unknown one', async () => {
    const { company } = await aListedCompany()
    const keys = async (query: string) =>
      Object.keys((await stage.everybody(`/companies/${company}/pitch?${query}`)).data.attributes).slice(5)
    expect(await keys('sections=perks')).toEqual(['perks'])
    expect(await keys('sections=perks,story')).toEqual(['story', 'perks'])
    expect(await keys('sections=perks&sections=story')).toEqual(['story', 'perks'])
    const wrong = await stage.everybody(`/companies/${company}/pitch?sections=story,team`)
    expect(refusal(wrong)).toEqual([400, 'invalid_request'])
    expect(wrong.text).toContain('story, perks')
  })

  test('perks are null for a team member who sees no round', async () => {
    const company = await stage.company()
    const founder = await stage.user()
    await stage.arrange((tx) => setRole(tx, { company, user: founder, role: 'founder' }, occasionAt()))
    const { data, text } = await (await stage.as(founder))(`/companies/${company}/pitch`)
    requirePromised('pitch', text)
    expect(data.attributes).toMatchObject({ offering_id: null, perks: null })
  })

  test('304 while nothing has changed; another tag after a change and in another version', async () => {
    const { company } = await aListedCompany()
    const path = `/companies/${company}/pitch`
    const tag = (await stage.everybody(path)).headers.get('etag') ?? ''
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(304)
    expect((await stage.everybody(path, { 'if-none-match': tag, ...OLD })).status).toBe(200)
    await stage.arrange((tx) => publishPitch(tx, { company, story_html: '<p>New</p>' }, occasionAt()))
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(200)
  })

  test('publishing again replaces the story; a company’s own story has no disclaimer; an unknown company is rejected', async () => {
    const { company } = await aListedCompany()
    const publish = (pitch: Partial<Parameters<typeof publishPitch>[1]>) =>
      stage.arrange((tx) => publishPitch(tx, { company, story_html: '<p>One</p>', ...pitch }, occasionAt()))
    await publish({ title: 'First' })
    await publish({ story_html: '<p>Two</p>' })
    expect((await stage.everybody(`/companies/${company}/pitch`)).data.attributes).toMatchObject({
      title: 'About Tidal Works',
      story: { blocks: [{ type: 'paragraph', text: 'Two' }] },
    })
    await expect(publish({ disclaimer: 'Not us' })).rejects.toMatchObject({ type: 'validation_error' })
    await expect(publish({ company: newId('company') })).rejects.toMatchObject({ field: 'company' })
  })
})

const FILED: Omit<NewDisclosures, 'offering'> = {
  filing: {
    filed: true,
    sec_filing_url: 'https://sec.example/1',
    statement_date: '2025-12-31',
    fiscal_year_end: '--12-31',
  },
  business: { legal_name: 'Tidal Works, Inc.', employees: 4 },
  financial_statements: {
    most_recent: { revenue_cents: 1_000_050, net_income_cents: -250_025, total_assets_cents: 2_000_000 },
    prior: { revenue_cents: 1 },
  },
  current_position: { cash_on_hand_cents: 99_999, cash_on_hand_as_of: '2026-01-01' },
  financial_condition: 'We have < 12 months of cash.',
  investment_documents: [{ name: 'SAFE', url: '/files/safe.pdf' }],
  risks: ['The sea.', 'The <weather>.'],
  use_of_funds: [{ if_raised_cents: 5_000_000, plan: 'Turbines' }],
  people: [
    { name: 'Mary', titles: 'CEO', since: 2020, director: true, officer: true },
    { name: 'Grace', director: true },
  ],
  outstanding_notes: [{ amount: '$1.2 million', interest_rate_percent: '6' }],
  outstanding_debts: { note: 'None' },
}

describe('GET /companies/{id}/disclosures', () => {
  const read = async (get: Get, company: string, query = '') => get(`/companies/${company}/disclosures${query}`)

  test('200: the filing of the round, amounts in cents with a currency, computed ratios, text as filed', async () => {
    const { company, offering } = await aListedCompany()
    await file({ offering, ...FILED })
    const { status, data, meta, text } = await read(stage.everybody, company)
    requirePromised('disclosures', text)
    expect([status, Object.keys(meta)]).toEqual([200, ['fetched_at']])
    const year = (data.attributes['financial_statements'] as Attributes)['most_recent']
    expect(year).toMatchObject({ revenue_cents: 1_000_050, taxes_paid_cents: null, currency: 'usd' })
    expect(data.attributes).toMatchObject({
      offering_id: offering,
      filing: { exemption: 'reg_cf', filed: true, statement_date: '2025-12-31', fiscal_year_end: '--12-31' },
      business: { legal_name: 'Tidal Works, Inc.', legal_form: null, incorporated_on: null, employees: 4 },
      ratios: { net_margin_percent: '-25.00', gross_margin_percent: null, revenue_per_employee_cents: 250_013 },
      current_position: { cash_on_hand_cents: 99_999, average_monthly_burn_cents: null, currency: 'usd' },
      financial_condition: 'We have < 12 months of cash.',
      investment_documents: [{ name: 'SAFE', url: `${ORIGIN}/files/safe.pdf` }],
      risks: ['The sea.', 'The <weather>.'],
      use_of_funds: [{ if_raised_cents: 5_000_000, plan: 'Turbines', currency: 'usd' }],
      directors: [
        { name: 'Mary', officer: true },
        { name: 'Grace', titles: null, since: null, officer: false },
      ],
      officers: [{ name: 'Mary' }],
      voting_power: [],
      outstanding_notes: [{ amount: '$1.2 million', uncapped: false, interest_rate_percent: '6' }],
      outstanding_debts: { note: 'None', items: [] },
      related_parties: { description: null, parties: [] },
    })
    expect(Object.keys(data.attributes['financial_statements'] as object)).toEqual(['most_recent', 'prior'])
    expect(Object.keys(data.attributes)).toHaveLength(2 + 17)
  })

  test('before 2026-11-01: amounts are decimals in strings, and the exemption is in parts', async () => {
    const { company, offering } = await aListedCompany()
    await file({ offering, ...FILED })
    const { attributes } = (await stage.everybody(`/companies/${company}/disclosures`, OLD)).data
    expect(attributes).toMatchObject({
      filing: { exemption: { family: 'reg_cf', subtype: null, label: 'Reg CF' } },
      financial_statements: { most_recent: { revenue: '10000.50', net_income: '-2500.25', taxes_paid: null } },
      ratios: { revenue_per_employee: '2500.13' },
      current_position: { cash_on_hand: '999.99', cash_on_hand_as_of: '2026-01-01' },
      use_of_funds: [{ if_raised: '50000.00', plan: 'Turbines' }],
      outstanding_notes: [{ amount: '$1.2 million' }],
    })
    expect(JSON.stringify(attributes)).not.toMatch(/_cents|currency/)
  })

  test('sections: the filing is always returned, other sections only if requested; a hidden one is null, and an unknown one is 400', async () => {
    const { company, offering } = await aListedCompany()
    await file({ offering, ...FILED, hidden: ['ratios', 'directors'] })
    const { data, text } = await read(stage.everybody, company, '?sections=risks,directors&sections=ratios')
    requirePromised('disclosures', text)
    expect(Object.keys(data.attributes).toSorted()).toEqual(['directors', 'filing', 'offering_id', 'ratios', 'risks'])
    expect(data.attributes).toMatchObject({ ratios: null, directors: null, risks: FILED.risks })
    const wrong = await read(stage.everybody, company, '?sections=secrets')
    expect(refusal(wrong)).toEqual([400, 'invalid_request'])
    expect(wrong.text).toContain('related_parties')
  })

  test('404 no_disclosures if nothing was filed, and for a round that files no Form C', async () => {
    const { company } = await aListedCompany()
    expect(refusal(await read(stage.everybody, company))).toEqual([404, 'no_disclosures'])
    const other = await stage.company()
    const offering = await stage.offering({ company: other, exemption: 'reg_a' })
    await expect(file({ offering })).rejects.toMatchObject({ type: 'validation_error' })
    expect(refusal(await read(stage.everybody, other))).toEqual([404, 'no_disclosures'])
    await expect(file({ offering: newId('offering') })).rejects.toMatchObject({ field: 'offering' })
  })

  test('if the page shows a Reg D round first, the disclosures are those of the Reg CF round of the same raise', async () => {
    const { company, raise, offering } = await aListedCompany()
    await file({ offering, risks: ['Sibling'] })
    await stage.db.sql(`update test.offerings set listed = false where id = $1`, [offering])
    const secret = await stage.offering({ company, raise, exemption: 'reg_d_506b', listed: false })
    const invited = await stage.user()
    await stage.arrange(async (tx) => {
      for (const id of [offering, secret]) await inviteUser(tx, { id, user: invited }, occasionAt())
    })
    await stage.db.sql(`update test.offerings set opens_at = '2026-02-01' where id = $1`, [secret])
    const get = await stage.as(invited)
    const pitch = await get(`/companies/${company}/pitch`)
    expect(pitch.data.attributes['offering_id']).toBe(secret)
    const { data } = await read(get, company)
    expect(data.attributes).toMatchObject({ offering_id: offering, risks: ['Sibling'] })
    expect(refusal(await read(stage.everybody, company))).toEqual([404, 'not_found'])
    const elsewhere = await aListedCompany()
    await file({ offering: elsewhere.offering })
    await stage.db.sql(`update test.offerings set listed = false where id = $1`, [elsewhere.offering])
    await stage.offering({ company: elsewhere.company, exemption: 'reg_a' })
    expect(refusal(await read(stage.everybody, elsewhere.company))).toEqual([404, 'no_disclosures'])
  })

  test('a prior offering is named only to viewers who see it', async () => {
    const { company, offering } = await aListedCompany()
    const secret = await stage.offering({ company, exemption: 'reg_d_506b', listed: false, status: 'closed' })
    const invited = await stage.user()
    await stage.arrange((tx) => inviteUser(tx, { id: secret, user: invited }, occasionAt()))
    await file({ offering, prior_offerings: [{ amount_sold: '$100', offering: secret }] })
    const prior = async (get: Get) => (await read(get, company)).data.attributes['prior_offerings']
    expect(await prior(stage.everybody)).toMatchObject([{ amount_sold: '$100', offering_id: null }])
    expect(await prior(await stage.as(invited))).toMatchObject([{ offering_id: secret }])
  })
})

describe('readers of a company’s content', () => {
  const PATHS = ['pitch', 'disclosures', 'updates', `updates/${newId('update')}`, 'questions']

  test.each(PATHS)('GET …/%s: strangers get the same 404 for a private company as for an unknown one', async (path) => {
    const company = await stage.company()
    const offering = await stage.offering({ company, exemption: 'reg_d_506b', listed: false })
    const invited = await stage.user()
    await stage.arrange((tx) => inviteUser(tx, { id: offering, user: invited }, occasionAt()))
    const strangers = [stage.everybody, await stage.as(await stage.user()), await stage.as(invited, ['read:public'])]
    for (const get of [...strangers, await stage.installedOn({ company })]) {
      const hidden = await get(`/companies/${company}/${path}`)
      const unknown = await get(`/companies/${newId('company')}/${path}`)
      expect(refusal(hidden)).toEqual([404, 'not_found'])
      expect({ ...hidden.error, request_id: '' }).toEqual({ ...unknown.error, request_id: '' })
    }
    const seen = await (await stage.as(invited))(`/companies/${company}/${path}`)
    const expected: Record<string, unknown> = { disclosures: [404, 'no_disclosures'] }
    expect(refusal(seen)).toEqual(
      expected[path] ?? (path.startsWith('updates/') ? [404, 'not_found'] : [200, undefined]),
    )
  })

  test.each(PATHS)(
    'GET …/%s: a token without read:explore reads the public view; 404 in the other world; 401 with a revoked token',
    async (path) => {
      const { company } = await aListedCompany()
      const user = await stage.user()
      // "read:public is computed for every token of an app": without read:explore it gets the public view.
      const other = await (await stage.as(user, ['read:profile']))(`/companies/${company}/${path}`)
      expect(refusal(other)).toEqual(refusal(await stage.everybody(`/companies/${company}/${path}`)))
      const live = await stage.bearer(stage.client.live.keyId)(`/companies/${company}/${path}`)
      expect(refusal(live)).toEqual([404, 'not_found'])
      const get = await stage.as(user)
      await stage.db.sql('update test.access_tokens set revoked_at = clock_timestamp() where user_id = $1', [user])
      expect(refusal(await get(`/companies/${company}/${path}`))).toEqual([401, 'invalid_token'])
      const malformed = await stage.everybody(`/companies/co_1/${path}`)
      expect(malformed.status).toBe(404)
    },
  )
})
