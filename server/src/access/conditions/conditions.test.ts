import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PartnerService, partnerService } from '#access/apps/testing/partner-service.ts'
import { aTeam } from '#access/apps/testing/team.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { builtInText, conditionRoutes, conditionsPage } from './http.ts'

let service: PartnerService
const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
/** The routes are created before their database. */
const platform: PlatformDatabase = {
  transaction: (work) => service.db.databases.platform.transaction(work),
  get reads() {
    return service.db.databases.platform.reads
  },
}
beforeAll(async () => {
  service = await partnerService(conditionRoutes({ brand: 'wefunder', platform, cursors, notify: notifyAppTeam }))
})
afterAll(() => service.close())

const open = (path: string) => fetch(service.url + path)
const wordsAt = async (path: string) =>
  (await (await open(path)).text())
    .replace(/<[^>]+>/g, '')
    .replace(/&#39;|’/g, "'")
    .replace(/\s+/g, ' ')

describe('the usage conditions of API access', () => {
  test('an app’s record links to the page of the version that was accepted for it', async () => {
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

  test('GET /conditions shows the version in force, with its permanent address', async () => {
    const [newest, dated] = [await open('/conditions'), await open('/conditions/2026-11-01')]
    const text = await newest.text()
    expect(text).toBe(await dated.text())
    expect(text).toContain('href="/conditions/2026-11-01"')
    expect(newest.headers.get('cache-control')).toBe('public, max-age=300')
    expect(newest.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(['2020-01-01', '2026-11-01.md', '../texts/2026-11-01', 'latest'])(
    '404 with a page for the version %s',
    async (version) => {
      const response = await open(`/conditions/${encodeURIComponent(version)}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )

  test('a version that is no longer in force is marked, and links to the current version', () => {
    const text = builtInText('2026-11-01')
    const versions = ['2027-05-01', '2026-11-01']
    const page = conditionsPage({ brand: 'wefunder', version: '2026-11-01', inForce: '2027-05-01', text, versions })
    expect(page).toContain('New apps accept <a href="/conditions/2027-05-01">version 2027-05-01</a>')
    expect(page).not.toContain('in force</dd>')
  })

  /** The six lines of the specification; for each, the words of our text that contain its obligations. */
  const OBLIGATIONS: [string, readonly string[]][] = [
    ['the conditions apply to every app', ['sandbox', 'live', 'accepts them', 'recorded']],
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
    ['3. where the attribution leads', ['portfolio', 'dashboard', 'investing or reserving', 'redirect that hides']],
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
    [
      '6. the end of an organization’s access',
      ['again and again, or on purpose', 'end the access of the whole organization'],
    ],
  ]
  test.each(OBLIGATIONS)('%s', async (_, words) => {
    const page = await wordsAt('/conditions')
    for (const word of words) expect(page).toContain(word)
  })

  test('has six numbered conditions', async () => {
    const text = await (await open('/conditions')).text()
    expect([...text.matchAll(/<h2>(\d)\. /g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})

const TEXT = `These conditions of {platform} apply to every app.

## What is allowed

Read what people granted, **and nothing else**. <b>Tags</b> are shown as text.

## What is not

- Selling it`

describe('operators publish conditions', () => {
  const publish = (body: object) => service.operator()('POST', '/platform/usage_conditions', body)
  const versions = async () =>
    (await service.operator()('GET', '/platform/usage_conditions')).list.map(({ id, attributes }) => [
      id,
      attributes['in_force'],
    ])
  const acceptances = async (query: string) =>
    (await service.operator()('GET', `/platform/usage_conditions/acceptances?${query}`)).list.map(
      ({ attributes }) => attributes,
    )

  test.each([
    ['a day that does not exist', { version: '2027-02-30', text: TEXT }, 'version'],
    ['a version that is not a date', { version: 'v2', text: TEXT }, 'version'],
    ['the version in force', { version: '2026-11-01', text: TEXT }, 'version'],
    ['an earlier version', { version: '2026-10-31', text: TEXT }, 'version'],
    ['a text without a heading', { version: '2027-01-01', text: 'Only words. '.repeat(20) }, 'text'],
    ['a text of a few words', { version: '2027-01-01', text: '## No' }, 'text'],
    ['no text', { version: '2027-01-01' }, 'text'],
  ])('422 for %s, and nothing changes', async (_, body, field) => {
    const { status, error } = await publish(body)
    expect([status, error.details]).toMatchObject([422, { fields: [{ field }] }])
    expect(await versions()).toEqual([['2026-11-01', true]])
  })

  test('new apps accept the new version from then on; existing apps keep their version, whose text stays', async () => {
    const team = await aTeam(service)
    const create = (name: string, accepted_conditions: string) =>
      team.owner.send('POST', '/portal/api/apps', { organization_id: team.organization, name, accepted_conditions })
    const { data: older } = await create('Older', '2026-11-01')
    const { status, data } = await publish({ version: '2027-01-01', text: TEXT })
    expect([status, data]).toMatchObject([201, { id: '2027-01-01', attributes: { in_force: true, apps: 0 } }])
    expect(await versions()).toEqual([
      ['2027-01-01', true],
      ['2026-11-01', false],
    ])
    const { data: asked } = await team.owner.send('GET', '/portal/api/usage_conditions')
    expect(asked).toEqual({ version: '2027-01-01', url: '/conditions/2027-01-01' })
    expect((await create('Late', '2026-11-01')).error.details).toMatchObject({
      fields: [{ field: 'accepted_conditions', code: 'outdated' }],
    })
    const { data: newer } = await create('Newer', '2027-01-01')

    const page = await wordsAt('/conditions')
    for (const words of ['2027-01-01, in force', 'of Wefunder apply', '1. What is allowed', '2. What is not'])
      expect(page).toContain(words)
    expect(await (await open('/conditions')).text()).toContain('&lt;b&gt;Tags')
    expect(await wordsAt('/conditions/2026-11-01')).toContain('New apps accept version 2027-01-01')

    const of = `organization_id=${team.organization}`
    expect(await acceptances(of)).toMatchObject([
      { version: '2026-11-01', in_force: false, app: { id: older.id, name: 'Older' }, account_id: team.owner.account },
      { version: '2027-01-01', in_force: true, app: { id: newer.id }, organization: { id: team.organization } },
    ])
    const names = async (query: string) => (await acceptances(query)).map(({ app }) => (app as { name: string }).name)
    expect(await names(`${of}&outdated=true`)).toEqual(['Older'])
    expect(await names(`${of}&version=2027-01-01`)).toEqual(['Newer'])
    expect(await names(`app_id=${newer.id}`)).toEqual(['Newer'])
    expect(await names(`account_id=${team.owner.account}&version=2026-11-01`)).toEqual(['Older'])
    const [audited] = await service.db.sql(
      `select action, reason, details ->> 'replaces' as replaces from platform.audit_entries where subject = '2027-01-01'`,
    )
    expect(audited).toMatchObject({ action: 'conditions.published', replaces: '2026-11-01' })
  })

  test('the team of an existing app gets a notice, and accepts the newer version; the list shows both acceptances', async () => {
    const team = await aTeam(service)
    const { data: inForce } = await team.owner.send('GET', '/portal/api/usage_conditions')
    const { version: older } = inForce as unknown as { version: string }
    const { data: made } = await team.owner.send('POST', '/portal/api/apps', {
      ...{ organization_id: team.organization, name: 'Kept', accepted_conditions: older },
    })
    expect(made.attributes['conditions']).toMatchObject({ version: older, newer: null })
    const version = '2027-02-01'
    expect((await publish({ version, text: TEXT })).status).toBe(201)

    const at = `/portal/api/apps/${made.id}`
    const shown = async () => (await team.developer.send('GET', at)).data.attributes['conditions']
    expect(await shown()).toMatchObject({ version: older, newer: { version, url: `/conditions/${version}` } })
    const of = `organization_id=${team.organization}`
    expect(await acceptances(of)).toMatchObject([{ version: older, not_accepted: version, earlier: [] }])
    const notices = await service.db.sql(
      `select kind, details ->> 'version' as version from platform.notices where app_id = $1`,
      [made.id],
    )
    expect(notices).toEqual([{ kind: 'app.conditions_published', version }])

    const accept = (member: typeof team.owner, accepted_conditions: string) =>
      member.send('POST', `${at}/conditions`, { accepted_conditions })
    expect((await accept(team.developer, older)).error.details).toMatchObject({
      fields: [{ field: 'accepted_conditions', code: 'outdated' }],
    })
    expect((await accept((await aTeam(service)).owner, version)).status).toBe(404)
    const answers = await Promise.all([accept(team.developer, version), accept(team.owner, version)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await shown()).toMatchObject({ version, newer: null })
    const [accepted] = await acceptances(of)
    expect(accepted).toMatchObject({
      ...{ version, in_force: true, not_accepted: null },
      earlier: [{ version: older, account_id: team.owner.account, accepted_at: expect.stringMatching(/Z$/) }],
    })
    expect(await acceptances(`${of}&version=${older}`)).toHaveLength(1)
    expect(await acceptances(`${of}&outdated=true`)).toEqual([])
    const { list } = await service.operator()('GET', '/platform/usage_conditions')
    expect(list.find(({ id }) => id === version)?.attributes['apps']).toBe(1)
    const { list: entries } = await team.owner.send('GET', `${at}/history`)
    const acts = entries.filter(({ attributes }) => attributes['action'] === 'app.conditions_accepted')
    expect(acts).toMatchObject([{ attributes: { details: { version, replaces: older } } }])
  })

  test('if one version is published twice at once, one request succeeds; a published text cannot be changed', async () => {
    const responses = await Promise.all([
      publish({ version: '2027-03-01', text: TEXT }),
      publish({ version: '2027-03-01', text: TEXT }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422])
    await expect(service.db.sql(`update platform.usage_conditions set text = 'x'`)).rejects.toThrow('append_only')
  })
})
