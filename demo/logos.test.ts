import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProbeApp, serveProbes } from '../server/src/http/testing/probe-app.ts'
import { logoRoutes } from '../server/src/main/logo-routes.ts'
import { demoCompanies, logoPath } from './companies.ts'
import { companyLogo, initials } from './logos.ts'

describe('a company’s logo', () => {
  test('is the same for the same name and id, and differs for another id', () => {
    const [first, second] = demoCompanies()
    expect(companyLogo('Brightkiln', String(first?.id))).toBe(companyLogo('Brightkiln', String(first?.id)))
    expect(companyLogo('Brightkiln', String(first?.id))).not.toBe(companyLogo('Brightkiln', String(second?.id)))
  })

  test.each([
    ['Brightkiln', 'B'],
    ['Marrow & Rye', 'MR'],
    ['The Ninth Ward Cinema', 'NW'],
    ['Ría Azul', 'RA'],
    ['Élan', 'É'],
  ])('%s has the initials %s', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })

  test('does not contain markup that is part of the company’s name', () => {
    const svg = companyLogo('<script>alert("x")</script> & Sons', 'co_x')
    expect(svg).not.toContain('<script')
    expect(svg).toContain('>SA</text>')
  })

  test('does not contain the name, because every holder of the address can read a private company’s logo', () => {
    for (const { id, story } of demoCompanies()) expect(companyLogo(story.name, id)).not.toContain(story.name)
  })

  test('has white letters with AA contrast on every color', () => {
    const colours = new Set(
      demoCompanies().map(({ id, story }) => /fill="(#[0-9a-f]{6})"/.exec(companyLogo(story.name, id))?.[1]),
    )
    expect(colours.size).toBeGreaterThan(8)
    for (const colour of colours) expect(contrastToWhite(String(colour))).toBeGreaterThanOrEqual(4.5)
  })
})

describe('GET /assets/logos/{company_id}.svg', () => {
  let probe: ProbeApp
  beforeAll(async () => {
    probe = await serveProbes(logoRoutes())
  })
  afterAll(() => probe.close())

  test('responds with 200, a picture that is cacheable for a day, and a policy against scripts', async () => {
    const [company] = demoCompanies()
    if (company === undefined) throw new Error('the demo has companies')
    const answer = await fetch(probe.url + logoPath(company.id))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    // Any other site may show the picture, also in a canvas.
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toBe(companyLogo(company.story.name, company.id))
  })

  test.each(['/assets/logos/co_000000000000000000000000.svg', '/assets/logos/x.svg', '/assets/logos/x.png'])(
    'responds with 404 for %s',
    async (path) => {
      expect((await fetch(probe.url + path)).status).toBe(404)
    },
  )
})

/** The contrast ratio of WCAG 2.2. */
function contrastToWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
