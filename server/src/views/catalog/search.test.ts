import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { updateCompany } from '#market/companies/index.ts'
import { inviteUser, openOffering, updateOffering } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { type CatalogStage, ORIGIN, openCatalogStage, refusal } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
  for (const name of NAMES) await company(name)
  await company('Solar Vault', { accredited_only: true })
  await company('Solar Secret', { listed: false })
})
afterAll(() => stage.close())

const NAMES = [
  'Solar',
  'Solara Foods',
  'Northern Solar Works',
  'Isolario',
  'Harbor Street Climate Fund',
  'Field Book',
  "Ben & Jerry's Kitchen",
  'Café Größe',
  'Ясная Поляна',
  '100% Wool_Co',
  'Robert’); DROP TABLE companies;--',
  'Acme',
  'Mycelium Materials',
  'ÆGIR Đorđe',
  'Łódź Øl',
  'ΑΘΗΝΑ',
  'Hearth & Hinge',
  'Moss and Lichen',
  'Andromeda',
]

const company = (name: string, terms: Parameters<typeof makeOffering>[1] = {}) =>
  stage.arrange(async (tx) => {
    const id = await makeCompany(tx, { name })
    await makeOffering(tx, { company: id, listed: true, ...terms })
    return id
  })

const OLDER = { 'wefunder-version': '2025-01-15' }
const search = (q: string, more = '') => stage.everybody(`/companies/search?q=${encodeURIComponent(q)}${more}`)
const namesFor = async (q: string, more = '') =>
  (await search(q, more)).list.map(({ attributes }) => attributes['name'])

describe('GET /companies/search', () => {
  test('200: best match first, with the fields of a result', async () => {
    const { status, list, meta } = await search('solar')
    expect(status).toBe(200)
    expect(list.map(({ attributes }) => attributes['name'])).toEqual([
      'Solar',
      'Solara Foods',
      'Northern Solar Works',
      'Isolario',
    ])
    expect(list[0]).toEqual({
      id: expect.stringMatching(/^co_/),
      type: 'company',
      attributes: {
        name: 'Solar',
        tagline: null,
        url: expect.stringContaining(`${ORIGIN}/`),
        logo_url: null,
        raising: true,
        profile_available: true,
      },
    })
    expect(meta).toEqual({ query: 'solar', count: 4, has_more: false, page_count: 4, next_cursor: null })
  })

  test.each([
    ['SOLAR', 'Solar'],
    ['  solar  ', 'Solar'],
    ['solra foods', 'Solara Foods'],
    ['sollara', 'Solara Foods'],
    ['climate', 'Harbor Street Climate Fund'],
    ['street harbor', 'Harbor Street Climate Fund'],
    ['habor stret', 'Harbor Street Climate Fund'],
    ['fieldbook', 'Field Book'],
    ['field  book', 'Field Book'],
    ['fe', undefined],
    ['jerrys', "Ben & Jerry's Kitchen"],
    ['ben and', "Ben & Jerry's Kitchen"],
    ['ben and jerry', "Ben & Jerry's Kitchen"],
    ['ben jerry', "Ben & Jerry's Kitchen"],
    ['hearth and hinge', 'Hearth & Hinge'],
    ['hearth & hinge', 'Hearth & Hinge'],
    ['moss & lichen', 'Moss and Lichen'],
    ['and', 'Andromeda'],
    ['cafe grosse', 'Café Größe'],
    ['CAFÉ GRÖSSE', 'Café Größe'],
    ['ясная', 'Ясная Поляна'],
    ['ЯСНАЯ', 'Ясная Поляна'],
    ['aegir', 'ÆGIR Đorđe'],
    ['DORDE', 'ÆGIR Đorđe'],
    ['lodz ol', 'Łódź Øl'],
    ['αθήνα', 'ΑΘΗΝΑ'],
    ['akme', 'Acme'],
    ['amce', 'Acme'],
    ['mycelum', 'Mycelium Materials'],
    ['myceliumm materals', 'Mycelium Materials'],
    ['a', 'Acme'],
    ['zebra crossing', undefined],
  ])('%s finds %s', async (q, expected) => {
    expect((await namesFor(q))[0]).toBe(expected)
  })

  test('among equal matches, a raising company is first, then the company that raised more, then the shorter name', async () => {
    const funded = await company('Quartz Alpha', { status: 'closed' })
    const [small, large] = [await company('Quartz Gamma Longer'), await company('Quartz Beta')]
    const [row] = await stage.db.sql<{ id: string }>('select id from test.offerings where company_id = $1', [large])
    await stage.invest(row?.id as Id<'offering'>, 500)
    await stage.refresh()
    const found = (await search('quartz')).list.map(({ id }) => id)
    expect(found).toEqual([large, small, funded])
    expect((await search('quartz')).list.at(-1)).toMatchObject({ attributes: { raising: false } })
  })

  test.each([
    `'`,
    `"`,
    `';--`,
    `' or '1'='1`,
    `\\`,
    `%`,
    `_`,
    `%%%___`,
    `🚀`,
    `👩‍👩‍👧‍👦 solar`,
    `$1`,
    `{{7*7}}`,
    `<script>`,
    `(((`,
    `[a-`,
    `a`.repeat(200),
    `é`.repeat(200),
    `x y `.repeat(50),
  ])('%s is harmless', async (q) => {
    const { status, list } = await search(q)
    expect(status).toBe(200)
    expect(list.length).toBeLessThanOrEqual(8)
  })

  test('a percent sign, an underscore and a quote are ignored characters, not patterns', async () => {
    expect(await namesFor('100%')).toEqual(['100% Wool_Co'])
    expect(await namesFor('wool_co')).toEqual(['100% Wool_Co'])
    expect(await namesFor('w%l')).toEqual([])
    expect((await namesFor('robert’); drop table companies;--'))[0]).toBe('Robert’); DROP TABLE companies;--')
    expect(await stage.db.sql('select 1 from test.companies limit 1')).toHaveLength(1)
  })

  test('older versions use limit: 8 by default, 1 to 20; the newest version ignores limit and returns pages', async () => {
    for (let n = 0; n < 30; n++) await company(`Granite ${n}`)
    const older = (more = '') => stage.everybody(`/companies/search?q=granite${more}`, OLDER)
    expect((await older()).list).toHaveLength(8)
    expect((await older('&limit=1')).list).toHaveLength(1)
    expect((await older('&limit=20')).list).toHaveLength(20)
    for (const wrong of ['0', '21', '-1', 'x', '1.5']) {
      expect(refusal(await older(`&limit=${wrong}`))).toEqual([400, 'invalid_request'])
    }
    expect((await search('granite', '&limit=x')).list).toHaveLength(25)
    expect((await search('granite', '&per_page=100')).list).toHaveLength(30)
  })

  test('pages of any size give each result once, in the same order; the result is the best 200', async () => {
    await stage.arrange(async (tx) => {
      for (let n = 0; n < 230; n++) {
        await makeOffering(tx, { company: await makeCompany(tx, { name: `Quartzite ${n}` }), listed: true })
      }
    })
    const walk = async (size: number) => {
      const seen: string[] = []
      let cursor = ''
      for (;;) {
        const { list, meta } = await search('quartzite', `&per_page=${size}&cursor=${cursor}`)
        seen.push(...list.map(({ id }) => id))
        expect(meta).toMatchObject({ page_count: list.length, has_more: meta['next_cursor'] !== null })
        if (meta['next_cursor'] === null) return seen
        cursor = String(meta['next_cursor'])
      }
    }
    const [large, small] = [await walk(100), await walk(37)]
    expect([large.length, new Set(large).size]).toEqual([200, 200])
    expect(small).toEqual(large)
  })

  test('400 without q, with a blank one, and with one that is too long in characters or in bytes', async () => {
    expect(refusal(await stage.everybody('/companies/search'))).toEqual([400, 'invalid_request'])
    for (const q of ['', '   ', '\t\n', 'a'.repeat(201), '💶'.repeat(126), 'é'.repeat(201), '\u0000']) {
      expect(refusal(await search(q)), q).toEqual([400, 'invalid_request'])
    }
    // The longest allowed texts: 500 bytes in 125 characters, and 200 characters in 400 bytes.
    expect((await search('💶'.repeat(125))).status).toBe(200)
    expect((await search('é'.repeat(200))).status).toBe(200)
  })

  test('401 without a credential; every token of an app holds read:public', async () => {
    expect((await fetch(`${stage.url}/companies/search?q=solar`)).status).toBe(401)
    const bare = await stage.as(await stage.user(), ['read:profile'])
    expect((await bare('/companies/search?q=solar')).status).toBe(200)
  })

  test('finds only companies that the viewer may see; the user’s accreditation decides about rounds for accredited investors', async () => {
    const accredited = await stage.as(await stage.user({ accreditation: 'verified' }))
    const seen = async (get: typeof accredited) =>
      (await get('/companies/search?q=solar')).list.map(({ attributes }) => attributes['name'])
    expect(await seen(accredited)).toContain('Solar Vault')
    expect(await seen(await stage.as(await stage.user()))).not.toContain('Solar Vault')
    expect(await namesFor('solar vault')).not.toContain('Solar Vault')
    expect(await seen(accredited)).not.toContain('Solar Secret')
    const live = stage.bearer(stage.client.live.keyId)
    expect((await live('/companies/search?q=solar')).list).toEqual([])
  })

  test('hidden companies with similar names do not displace a result', async () => {
    const listed = await company('Zorblax International Holdings')
    await stage.arrange(async (tx) => {
      for (let n = 0; n < 225; n++) {
        await makeOffering(tx, { company: await makeCompany(tx, { name: `Zorblax ${n}` }), listed: false })
        const vault = await makeCompany(tx, { name: `Zorblax V${n}` })
        await makeOffering(tx, { company: vault, listed: true, accredited_only: true })
      }
    })
    expect((await search('zorblax')).list.map(({ id }) => id)).toEqual([listed])
    const user = await stage.user()
    const own = await company('Zorblax Private', { listed: false })
    const [round] = await stage.db.sql<{ id: string }>('select id from test.offerings where company_id = $1', [own])
    await stage.arrange((tx) => inviteUser(tx, { id: round?.id as Id<'offering'>, user }, occasionAt()))
    const seen = async (get: typeof stage.everybody) =>
      new Set((await get('/companies/search?q=zorblax&per_page=20')).list.map(({ id }) => id))
    expect(await seen(await stage.as(user))).toEqual(new Set([listed, own]))
    expect(await seen(await stage.installedOn({ user }))).toEqual(new Set([listed, own]))
    expect(await seen(await stage.as(await stage.user()))).toEqual(new Set([listed]))
    expect((await seen(await stage.as(await stage.user({ accreditation: 'verified' })))).size).toBe(20)
  })

  test('a short prefix finds the company that raised most, although very many shorter names match', async () => {
    const popular = await company('Wrenfield Regenerative Agriculture Company')
    const [round] = await stage.db.sql<{ id: string }>('select id from test.offerings where company_id = $1', [popular])
    await stage.invest(round?.id as Id<'offering'>, 90_000)
    await stage.arrange(async (tx) => {
      for (let n = 0; n < 450; n++) {
        await makeOffering(tx, { company: await makeCompany(tx, { name: `Wren ${n}` }), listed: true })
      }
    })
    const exact = await company('Wren', { status: 'closed' })
    await stage.refresh()
    for (const q of ['w', 'wr', 'wre']) expect((await search(q)).list[0]?.id, q).toBe(popular)
    // The company with exactly this name comes first.
    expect((await search('wren')).list.slice(0, 2).map(({ id }) => id)).toEqual([exact, popular])
  })

  test('a company is found only while it is in the catalogue', async () => {
    const id = await company('Vexillum', { status: 'upcoming' })
    expect(await namesFor('vexillum')).toEqual([])
    const [round] = await stage.db.sql<{ id: string }>('select id from test.offerings where company_id = $1', [id])
    const offering = { id: round?.id as Id<'offering'> }
    await stage.arrange((tx) => openOffering(tx, offering, occasionAt('2026-02-01T00:00:00.000000Z')))
    expect(await namesFor('vexillum')).toEqual(['Vexillum'])
    await stage.arrange((tx) => updateOffering(tx, { ...offering, listed: false }, occasionAt()))
    expect(await namesFor('vexillum')).toEqual([])
  })

  test('a company is found under its new name and no longer under the old one', async () => {
    const id = await company('Oldname Industries')
    await stage.arrange((tx) => updateCompany(tx, { id, name: 'Brandnew' }, occasionAt()))
    expect(await namesFor('oldname')).toEqual([])
    expect(await namesFor('brandnew')).toEqual(['Brandnew'])
  })

  test('every result is served by GET /companies/{id}', async () => {
    for (const { id } of (await search('solar')).list)
      expect((await stage.everybody(`/companies/${id}`)).status).toBe(200)
  })
})
