import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBrowser } from '#http/testing/browser.ts'
import { worldTime } from '#kernel/clock.ts'
import type { Cents } from '#kernel/money.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { type CatalogStage, openCatalogStage } from './testing/catalog-stage.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage()
})
afterAll(() => stage.close())

async function visit(path: string) {
  const response = await fetch(stage.url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const company = (slug: string, name = 'Tidal Works') =>
  stage.company({
    slug,
    name,
    page_url: `/sandbox/c/${slug}`,
    tagline: 'Power & tides',
    logo_url: '/assets/logos/x.svg',
  })

describe('GET /c/{slug}, in the sandbox /sandbox/c/{slug}', () => {
  test('200 for every visitor: the company and its open offerings, with figures and their time and source', async () => {
    const id = await company('tidal')
    const offering = await stage.offering({
      company: id,
      funding_target_cents: 1_250_000_00 as Cents,
      min_investment_cents: 100_00 as Cents,
      closes_at: worldTime('2027-12-31T12:00:00.000000Z'),
    })
    await stage.invest(offering, 54_300)
    await stage.refresh()
    const { status, headers, text } = await visit('/sandbox/c/tidal')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const shown of [
      '<h1>Tidal Works</h1>',
      'Power &amp; tides',
      'via Wefunder',
      '$54,300',
      '$1,250,000',
      '$100',
      'December 31, 2027',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).toMatch(/Figures as of <time datetime="\d{4}-\d\d-\d\dT[^"]+Z">/)
    expect(text).toContain('src="/assets/logos/x.svg"')
    expect(text).toContain('Open for investment')
    expect(text).toContain('Sandbox.')
    // The API's attributes.url is the address of this page.
    const { url } = (await stage.everybody(`/offerings/${offering}`)).data.attributes
    expect(new URL(String(url)).pathname).toBe('/sandbox/c/tidal')
  })

  test('the page of a round that tests the waters says reserve and never invest', async () => {
    const id = await company('waters')
    const offering = await stage.offering({
      company: id,
      testing_the_waters: true,
      intended_security: 'safe',
      min_investment_cents: 100_00 as Cents,
    })
    await stage.arrange((tx) => makeInvestment(tx, { offering }))
    await stage.refresh()
    const { text } = await visit('/sandbox/c/waters')
    for (const shown of ['Open for reservations', 'Reserved', '$250', 'Minimum reservation', 'SAFE, intended']) {
      expect(text).toContain(shown)
    }
    expect(text).not.toMatch(/invest/i)
  })

  test('a round that tests the waters with a security of the type “other” is shown as not decided yet', async () => {
    const id = await company('undecided')
    await stage.offering({ company: id, testing_the_waters: true, security: { type: 'other', terms: {} } })
    const { text } = await visit('/sandbox/c/undecided')
    expect(text).toContain('Not decided yet')
    expect(text).not.toContain('Other')
  })

  test('shows no private round, and no page for a company with only private rounds', async () => {
    const id = await company('partly')
    await stage.offering({ company: id, currency: 'eur', exemption: 'ecsp', funding_target_cents: 100_00 as Cents })
    await stage.offering({ company: id, exemption: 'reg_d_506c', funding_target_cents: 777_00 as Cents })
    const { text } = await visit('/sandbox/c/partly')
    expect([text.includes('€100'), text.includes('$777')]).toEqual([true, false])
    await stage.offering({ company: await company('secret'), listed: false })
    expect([(await visit('/sandbox/c/secret')).status, (await visit('/sandbox/c/nobody')).status]).toEqual([404, 404])
  })

  test('a funded company has a page that says that the company is not raising', async () => {
    await stage.offering({ company: await company('funded'), status: 'closed' })
    const { status, text } = await visit('/sandbox/c/funded')
    expect([status, text.includes('No open offering'), text.includes('Figures as of')]).toEqual([200, true, false])
  })

  test('a company’s name is text and never markup', async () => {
    await stage.offering({ company: await company('markup', '<script>alert(1)</script>') })
    const { text } = await visit('/sandbox/c/markup')
    expect([text.includes('<script>'), text.includes('&lt;script&gt;')]).toEqual([false, true])
  })

  test('companies of two worlds with the same slug have separate pages, without links between them', async () => {
    const sandboxed = await stage.offering({ company: await company('both', 'Sandbox One') })
    await stage.offering({ company: await company('alone', 'Alone') })
    await stage.arrange(async (tx) => {
      const id = await makeCompany(tx, { slug: 'both', name: 'Real One', page_url: '/c/both' })
      await makeOffering(tx, { company: id, listed: true })
    }, 'live')
    const { url } = (await stage.everybody(`/offerings/${sandboxed}`)).data.attributes
    const [real, sandbox] = [await visit('/c/both'), await visit(new URL(String(url)).pathname)]
    expect([real.text.includes('Real One'), real.text.includes('Sandbox.')]).toEqual([true, false])
    expect([sandbox.text.includes('Sandbox One'), sandbox.text.includes('Sandbox.')]).toEqual([true, true])
    expect([(await visit('/c/both?mode=test')).text.includes('Real One'), (await visit('/c/alone')).status]).toEqual([
      true,
      404,
    ])
  })

  test('a signed-in person sees their private rounds, marked as such; other people do not', async () => {
    const [invited, accredited] = [await stage.user(), await stage.user({ accreditation: 'verified' })]
    const secret = await stage.offering({ company: await company('mine', 'Mine Alone'), listed: false })
    await stage.arrange((tx) => inviteUser(tx, { id: secret, user: invited }, occasionAt()))
    await stage.offering({ company: await company('vault', 'Vault Only'), exemption: 'reg_d_506c' })
    const seen = async (by: TestBrowser) => [
      (await by.open('/sandbox/c/mine')).status,
      (await by.open('/sandbox/c/vault')).status,
    ]
    const browser = await stage.signedIn(invited)
    expect(await seen(browser)).toEqual([200, 404])
    expect(await seen(await stage.signedIn(accredited))).toEqual([404, 200])
    expect(await seen(await stage.signedIn(null))).toEqual([404, 404])
    expect(await seen(stage.browser())).toEqual([404, 404])
    const { text } = await browser.open('/sandbox/c/mine')
    for (const shown of ['Mine Alone', 'Open for investment', 'because of who you are', 'Sign out']) {
      expect(text).toContain(shown)
    }
    const { url } = (await (await stage.as(invited))(`/offerings/${secret}`)).data.attributes
    expect(new URL(String(url)).pathname).toBe('/sandbox/c/mine')
  })

  test('a user of the other world only gets the public view', async () => {
    const user = await stage.arrange((tx) => makeUser(tx, { accreditation: 'verified' }), 'live')
    await stage.offering({ company: await company('elsewhere'), exemption: 'reg_d_506c' })
    const browser = await stage.signedIn(user, 'live')
    expect((await browser.open('/sandbox/c/elsewhere')).status).toBe(404)
  })

  test('404 with the same page for a hidden and an unknown company; a visitor gets a link to sign in and return', async () => {
    await stage.offering({ company: await company('unseen'), listed: false })
    const pageFor = async (browser: TestBrowser, slug: string) => {
      const { status, text } = await browser.open(`/sandbox/c/${slug}`)
      return [
        status,
        text
          .replaceAll(slug, '…')
          .replace(/req_\w+/, '')
          .replace(/name="csrf" value="[^"]+"/, ''),
      ]
    }
    const stranger = stage.browser()
    expect(await pageFor(stranger, 'unseen')).toEqual(await pageFor(stranger, 'neverwas'))
    const { text } = await stranger.open('/sandbox/c/unseen')
    expect(text).toContain('href="/sign-in?return_to=%2Fsandbox%2Fc%2Funseen"')
    const somebody = await stage.signedIn(await stage.user())
    expect(await pageFor(somebody, 'unseen')).toEqual(await pageFor(somebody, 'neverwas'))
    expect((await somebody.open('/sandbox/c/unseen')).text).not.toContain('/sign-in?')
  })

  test('503 and never 500 while a table is locked, even if an earlier request could not prepare the statement', async () => {
    // `times: {}` sets the service's own time limits. The other tests of this file have longer ones.
    const fresh = await openCatalogStage({ times: {} })
    try {
      await fresh.db.sql('begin')
      await fresh.db.sql('lock table live.companies in access exclusive mode')
      const visits = [1, 2, 3].map(async () => (await fetch(`${fresh.url}/c/tidal`)).status)
      expect(await Promise.all(visits)).toEqual([503, 503, 503])
      await fresh.db.sql('rollback')
      expect((await fetch(`${fresh.url}/c/tidal`)).status).toBe(404)
    } finally {
      await fresh.close()
    }
  })

  test('404 with a page for a malformed slug', async () => {
    for (const path of ['/c/UPPER', '/sandbox/c/UPPER', '/c/%27%3B--', `/c/${'x'.repeat(101)}`]) {
      const { status, headers } = await visit(path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })
})
