import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PartnerService, partnerService } from '#access/apps/testing/partner-service.ts'
import { aTeam } from '#access/apps/testing/team.ts'
import { conditionRoutes, conditionsPage } from './http.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService(conditionRoutes({ brand: 'wefunder' }))
})
afterAll(() => service.close())

const open = (path: string) => fetch(service.url + path)
const wordsAt = async (path: string) =>
  (await (await open(path)).text())
    .replace(/<[^>]+>/g, '')
    .replace(/&#39;|’/g, "'")
    .replace(/\s+/g, ' ')

describe('the usage conditions of API access', () => {
  test('an app’s acceptance links to exactly the accepted version', async () => {
    const team = await aTeam(service)
    const { data: asked } = await team.owner.send('GET', '/portal/api/usage_conditions')
    const { version, url } = asked as unknown as { version: string; url: string }
    const { data: app } = await team.owner.send('POST', '/portal/api/apps', {
      ...{ organization_id: team.organization, name: 'Fieldbook', accepted_conditions: version },
    })
    expect(app.attributes['conditions']).toMatchObject({ version, url })
    const page = await open(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain(`${version}, in force`)
  })

  test('GET /conditions is the version in force, with its permanent address', async () => {
    const [newest, dated] = [await open('/conditions'), await open('/conditions/2026-11-01')]
    const text = await newest.text()
    expect(text).toBe(await dated.text())
    expect(text).toContain('href="/conditions/2026-11-01"')
    expect(newest.headers.get('cache-control')).toBe('public, max-age=300')
    expect(newest.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(['2020-01-01', '2026-11-01.md', '../texts/2026-11-01', 'latest'])(
    '404 as a page for the version %s',
    async (version) => {
      const answer = await open(`/conditions/${encodeURIComponent(version)}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )

  test('a version that is no longer in force is marked, and links to the current one', () => {
    const page = conditionsPage({ brand: 'wefunder', version: '2026-11-01', inForce: '2027-05-01' })
    expect(page).toContain('New apps accept <a href="/conditions/2027-05-01">version 2027-05-01</a>')
    expect(page).not.toContain('in force</dd>')
  })

  /** Each line of the specification's six, by the words that carry its obligations. */
  const OBLIGATIONS: [string, readonly string[]][] = [
    ['they apply to every app', ['sandbox', 'live', 'accepts them', 'recorded']],
    ['1. allowed', ['read:public', 'attributes.url', 'Cache', 'no longer', 'scopes they granted', 'while their auth']],
    ['1. private rounds', ['Private rounds', 'only investors may see', 'read:explore', 'to nobody else']],
    ['2. redistribution', ['redistributed', 'resold', 'bulk exports', 'mirrors', 'feeds']],
    ['2. scraping', ['limits allow', 'changing addresses, keys or organizations']],
    [
      '2. stale money',
      ['amount_raised', 'funding_target', 'investor_count', 'time at which', 'fetch them again before'],
    ],
    ['2. attribution and endorsement', ['not removed', 'not hidden', 'endorsed', 'vetted', 'ranked', 'partnership']],
    ['3. attribution', ["one of Wefunder's", 'via Wefunder', 'company page', 'company.url', 'position or a holding']],
    ['3. where it leads', ['portfolio', 'dashboard', 'investing or reserving', 'redirect that hides']],
    ['3. wordmark', ['optional', 'as it is', 'legible', 'original', 'one flat colour', 'only as part of']],
    ['4. facts', ['name, logo, tagline, security type, exemption', 'target', 'amount raised', 'opening and closing']],
    [
      '4. no records of a person',
      ['advertising', 'advice', 'ranking', 'score', 'calculated yourself', 'without the link'],
    ],
    ['4. testing the waters', ['attributes.testing_the_waters', 'reserve', 'reservation', 'never “invest”']],
    [
      '5. investors',
      ['never public', 'read:investors:pii', "company's team", 'displayed in public', 'across companies'],
    ],
    ['5. purposes', ['to contact investors for purposes of your own']],
    ['5. deletion', ['Delete it when the installation is revoked', 'to them alone', 'delete when they revoke']],
    ['6. suspension', ['suspended', 'no longer accepted', 'cannot be installed', 'Only Wefunder lifts']],
    ['6. the end', ['again and again, or on purpose', 'end the access of the whole organization']],
  ]
  test.each(OBLIGATIONS)('%s', async (_, words) => {
    const page = await wordsAt('/conditions')
    for (const word of words) expect(page).toContain(word)
  })

  test('has six conditions, numbered', async () => {
    const text = await (await open('/conditions')).text()
    expect([...text.matchAll(/<h2>(\d)\. /g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})
