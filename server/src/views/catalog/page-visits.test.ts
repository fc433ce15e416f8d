import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type CatalogStage, openCatalogStage } from './testing/catalog-stage.ts'

/** "A code works on links to offerings (`?ref=CODE` on the pages we serve)." */

const COOKIE = '__Secure-portico_ref'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

let slug: string
let company: Id<'company'>
let code: string
let codeId: Id<'referralCode'>
let user: Id<'user'>
beforeEach(async () => {
  slug = newId('company').slice(3).toLowerCase()
  company = await stage.company({ slug, page_url: `/sandbox/c/${slug}` })
  await stage.offering({ company })
  user = await stage.user()
  code = `Page-${newId('request').slice(-8)}`
  codeId = await aCode(code)
})

async function aCode(text: string, world: World = 'test', state = 'active'): Promise<Id<'referralCode'>> {
  const id = newId('referralCode')
  const values = [id, stage.client[world].app, text, state]
  await stage.db.sql(
    `insert into ${world}.referral_codes (id, app_id, code, name, state) values ($1, $2, $3, 'A code', $4)`,
    values,
  )
  return id
}

const page = (query = '') => `/sandbox/c/${slug}${query}`
const visits = () =>
  stage.db.sql<{ user_id: string; company_id: string; code_id: string }>(
    'select user_id, company_id, code_id from test.referral_visits where company_id = $1 order by clicked_at',
    [company],
  )

describe('GET /c/{slug}?ref=CODE', () => {
  test('records one click of a signed-in person on this company’s page, also after reloads', async () => {
    const browser = await stage.signedIn(user)
    for (const spelt of [code, code.toLowerCase(), code]) {
      expect((await browser.open(page(`?utm_source=mail&ref=${spelt}`))).status).toBe(200)
    }
    expect(await visits()).toEqual([{ user_id: user, company_id: company, code_id: codeId }])
    expect(browser.cookies.has(COOKIE)).toBe(false)
  })

  test('another code is another click', async () => {
    const browser = await stage.signedIn(user)
    const other = `Other-${newId('request').slice(-8)}`
    const otherId = await aCode(other)
    for (const ref of [code, other, code]) await browser.open(page(`?ref=${ref}`))
    expect((await visits()).map(({ code_id }) => code_id)).toEqual([codeId, otherId, codeId])
  })

  test('stores nothing about a visitor; the visitor’s browser gets a cookie with only the code and the time', async () => {
    const browser = stage.browser()
    const { headers } = await browser.open(page(`?ref=${code}`))
    const [set] = headers.getSetCookie().filter((cookie) => cookie.startsWith(COOKIE))
    expect(set).toMatch(
      new RegExp(
        `^${COOKIE}=${code}~\\d{13}; Max-Age=2592000; Path=/sandbox/c/${slug}; HttpOnly; SameSite=Lax; Secure$`,
      ),
    )
    // The page's own cookie is still set.
    expect(headers.getSetCookie().length).toBe(2)
    expect(await visits()).toEqual([])
  })

  test('records a visitor’s click once the visitor signs in and opens the page again', async () => {
    const [stranger, browser] = [stage.browser(), await stage.signedIn(user)]
    await stranger.open(page(`?ref=${code}`))
    browser.cookies.set(COOKIE, stranger.cookies.get(COOKIE) ?? '')
    await browser.open(page())
    expect(await visits()).toEqual([{ user_id: user, company_id: company, code_id: codeId }])
    expect(browser.cookies.has(COOKIE)).toBe(false)
    await browser.open(page())
    expect(await visits()).toHaveLength(1)
  })

  test('a forged cookie cannot set a future time or an unknown code', async () => {
    const browser = await stage.signedIn(user)
    for (const value of [`${code}~${Date.now() + 3_600_000}`, `nobodys~${Date.now()}`, 'x', `${code}~1e3`]) {
      browser.cookies.set(COOKIE, value)
      expect((await browser.open(page())).status).toBe(200)
    }
    expect(await visits()).toEqual([])
  })

  test('shows the page and records nothing for an unknown, malformed, empty or paused code, or a code of the other world', async () => {
    await aCode('Of-the-live-world', 'live')
    await aCode('Taking-a-break', 'test', 'paused')
    const [browser, stranger] = [await stage.signedIn(user), stage.browser()]
    const odd = ['nobodys', 'Of-the-live-world', 'Taking-a-break', '', '%00', "'--", 'x'.repeat(2_000), '%E0%A4']
    for (const ref of odd) {
      for (const each of [browser, stranger]) expect((await each.open(page(`?ref=${ref}`))).status, ref).toBe(200)
    }
    expect(await visits()).toEqual([])
    expect(stranger.cookies.has(COOKIE)).toBe(false)
  })

  test('uses the first of two codes in one address', async () => {
    const browser = await stage.signedIn(user)
    await browser.open(page(`?ref=${code}&ref=another`))
    expect(await visits()).toHaveLength(1)
  })

  test('an image, a frame or a prefetch is not a click', async () => {
    const [browser, stranger] = [await stage.signedIn(user), stage.browser()]
    const asked = [
      ...[{ 'sec-fetch-dest': 'image' }, { 'sec-fetch-dest': 'iframe' }, { 'sec-purpose': 'prefetch;prerender' }],
      ...[{ purpose: 'prefetch' }, { 'x-moz': 'prefetch' }],
    ]
    for (const headers of asked) {
      for (const each of [browser, stranger]) await each.open(page(`?ref=${code}`), headers)
    }
    expect(await visits()).toEqual([])
    expect(stranger.cookies.has(COOKIE)).toBe(false)
    await browser.open(page(`?ref=${code}`), { 'sec-fetch-dest': 'document' })
    expect(await visits()).toHaveLength(1)
  })

  test('a HEAD request is not a click', async () => {
    const ask = (method: string) => fetch(stage.url + page(`?ref=${code}`), { method })
    const setsCookie = async (method: string) =>
      (await ask(method)).headers.getSetCookie().some((it) => it.includes('portico_ref'))
    expect([await setsCookie('HEAD'), await setsCookie('GET')]).toEqual([false, true])
  })

  test('a page that is 404 records no click', async () => {
    const browser = await stage.signedIn(user)
    const { status, headers } = await browser.open(`/sandbox/c/nobody-${slug}?ref=${code}`)
    expect([status, headers.getSetCookie().some((cookie) => cookie.startsWith(COOKIE))]).toEqual([404, false])
  })

  test('a signed-in person without a user in this world counts as a visitor', async () => {
    const browser = await stage.signedIn(null)
    await browser.open(page(`?ref=${code}`))
    expect(browser.cookies.has(COOKIE)).toBe(true)
    expect(await visits()).toEqual([])
  })
})
