import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import type { Cents } from '#kernel/money.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
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
  stage.company({ slug, name, page_url: `/c/${slug}`, tagline: 'Power & tides', logo_url: '/assets/logos/x.svg' })

describe('GET /c/{slug}', () => {
  test('200 for everybody: the company, its open offerings with figures, when they were read and through whom', async () => {
    const id = await company('tidal')
    const offering = await stage.offering({
      company: id,
      funding_target_cents: 1_250_000_00 as Cents,
      min_investment_cents: 100_00 as Cents,
      closes_at: worldTime('2027-12-31T12:00:00.000000Z'),
    })
    await stage.invest(offering, 54_300)
    await stage.refresh()
    const { status, headers, text } = await visit('/c/tidal')
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
    // It is where attributes.url leads.
    const { url } = (await stage.everybody(`/offerings/${offering}`)).data.attributes
    expect(new URL(String(url)).pathname).toBe('/c/tidal')
  })

  test('testing the waters: one reserves, and no word speaks of investing', async () => {
    const id = await company('waters')
    const offering = await stage.offering({
      company: id,
      testing_the_waters: true,
      intended_security: 'safe',
      min_investment_cents: 100_00 as Cents,
    })
    await stage.arrange((tx) => makeInvestment(tx, { offering }))
    await stage.refresh()
    const { text } = await visit('/c/waters')
    for (const shown of ['Open for reservations', 'Reserved', '$250', 'Minimum reservation', 'SAFE, intended']) {
      expect(text).toContain(shown)
    }
    expect(text).not.toMatch(/invest/i)
  })

  test('shows nothing private: no such leg, and no page for a company that only has such', async () => {
    const id = await company('partly')
    await stage.offering({ company: id, currency: 'eur', exemption: 'ecsp', funding_target_cents: 100_00 as Cents })
    await stage.offering({ company: id, exemption: 'reg_d_506c', funding_target_cents: 777_00 as Cents })
    const { text } = await visit('/c/partly')
    expect([text.includes('€100'), text.includes('$777')]).toEqual([true, false])
    await stage.offering({ company: await company('secret'), listed: false })
    expect([(await visit('/c/secret')).status, (await visit('/c/nobody')).status]).toEqual([404, 404])
  })

  test('a funded company has a page that says it is not raising', async () => {
    await stage.offering({ company: await company('funded'), status: 'closed' })
    const { status, text } = await visit('/c/funded')
    expect([status, text.includes('No open offering'), text.includes('Figures as of')]).toEqual([200, true, false])
  })

  test('what a company is called is text and never markup', async () => {
    await stage.offering({ company: await company('markup', '<script>alert(1)</script>') })
    const { text } = await visit('/c/markup')
    expect([text.includes('<script>'), text.includes('&lt;script&gt;')]).toEqual([false, true])
  })

  test('of two worlds’ companies with one slug the real one is shown, unless the sandbox’s is asked for', async () => {
    await stage.offering({ company: await company('both', 'Sandbox One') })
    await stage.arrange(async (tx) => {
      const id = await makeCompany(tx, { slug: 'both', name: 'Real One', page_url: '/c/both' })
      await makeOffering(tx, { company: id, listed: true })
    }, 'live')
    const [shown, asked] = [await visit('/c/both'), await visit('/c/both?mode=test')]
    expect([shown.text.includes('Real One'), shown.text.includes('Sandbox.')]).toEqual([true, false])
    expect([asked.text.includes('Sandbox One'), asked.text.includes('Sandbox.')]).toEqual([true, true])
  })

  test('503 and never 500 while a table is locked, also for who comes second with a statement nobody has run yet', async () => {
    const fresh = await openCatalogStage()
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

  test('404 as a page for what cannot be a slug', async () => {
    for (const path of ['/c/UPPER', '/c/%27%3B--', `/c/${'x'.repeat(101)}`]) {
      const { status, headers } = await visit(path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })
})
