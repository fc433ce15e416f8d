import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#access/installations/testing/site.ts'
import { userIn } from '#access/installations/testing/site.ts'
import { refusalOf } from '../../../../test/contract/sender.ts'
import { aClub, aPartner, eventsOf, installOn, openJoinSite, pressThrough } from './testing/join-site.ts'

let site: Site
beforeAll(async () => {
  site = await openJoinSite()
})
afterAll(() => site.close())

const NIGHT = { name: 'Night', accent: '#7FD3B1', paper: '#101412', ink: '#e9ece8', corners: 'round' }
const ORIGIN = 'https://partner.example'

async function themed() {
  const partner = await aPartner(site, { auto_approval: true })
  const themes = `/syndicates/${partner.syndicate}/join_themes`
  const { data: theme } = await partner.send('POST', themes, NIGHT)
  return { ...partner, themes, theme }
}

describe('themes of an app on a syndicate', () => {
  test('a changed theme is a new version; earlier versions never change', async () => {
    const { send, themes, theme } = await themed()
    expect(theme).toMatchObject({ type: 'join_theme', attributes: { ...NIGHT, accent: '#7fd3b1', version: 1 } })
    const changed = await send('PATCH', `${themes}/${theme.id}`, { corners: 'square' })
    expect(changed.data.attributes).toMatchObject({ version: 2, corners: 'square', accent: '#7fd3b1' })
    expect((await send('PATCH', `${themes}/${theme.id}`, { corners: 'square' })).data).toEqual(changed.data)
    expect((await send('GET', themes)).list).toEqual([changed.data])
  })

  test('omitted fields have the values of our own pages', async () => {
    const { send, themes } = await themed()
    const { status, data } = await send('POST', themes, { name: 'Ours' })
    expect(status).toBe(201)
    expect(data.attributes).toMatchObject({ accent: '#0f5a43', corners: 'rounded', version: 1 })
  })

  test('422 for colours with too little contrast, values that are not six-digit colours, and unknown fields', async () => {
    const { send, themes } = await themed()
    for (const change of [
      { ink: '#222222' },
      { accent: 'red' },
      { accent: '#fff' },
      { accent: '#ffffff;}' },
      { font: 'Comic' },
    ]) {
      expect(refusalOf(await send('POST', themes, { ...NIGHT, ...change }))).toBe('422 validation_error')
    }
  })

  test('422 for more than twenty themes, also with concurrent requests', async () => {
    const { send, themes } = await themed()
    const made = await Promise.all(Array.from({ length: 25 }, () => send('POST', themes, NIGHT)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(19)
  })

  test('ten concurrent changes make ten versions', async () => {
    const { send, themes, theme } = await themed()
    const inks = Array.from({ length: 10 }, (_, at) => `#e9ece${at}`)
    const made = await Promise.all(inks.map((ink) => send('PATCH', `${themes}/${theme.id}`, { ink })))
    const versions = made.map(({ data }) => Number(data.attributes['version'])).toSorted((a, b) => a - b)
    expect(new Set(versions).size).toBe(versions.length)
    expect(Math.max(...versions)).toBeGreaterThanOrEqual(10)
  })

  test('404 for a theme of another app, and for a theme of another syndicate', async () => {
    const { syndicate, client, themes, theme } = await themed()
    const other = await installOn(site, { syndicate })
    const elsewhere = await aClub(site)
    const sameApp = await installOn(site, { syndicate: elsewhere.syndicate }, { client })
    expect((await other.send('GET', themes)).list).toEqual([])
    expect(refusalOf(await other.send('PATCH', `${themes}/${theme.id}`, { name: 'x' }))).toBe('404 not_found')
    const there = `/syndicates/${elsewhere.syndicate}`
    expect(refusalOf(await sameApp.send('PATCH', `${there}/join_themes/${theme.id}`, {}))).toBe('404 not_found')
    const embed = { origins: [ORIGIN], theme: { id: theme.id } }
    expect(refusalOf(await sameApp.send('POST', `${there}/join_sessions`, { embed }))).toBe('404 not_found')
    expect(refusalOf(await sameApp.send('GET', themes))).toBe('404 not_found')
  })
})

describe('an embedded session pins a theme', () => {
  test('the newest version unless the request names a version, with a fingerprint of the overrides', async () => {
    const { send, at, themes, theme } = await themed()
    await send('PATCH', `${themes}/${theme.id}`, { corners: 'square' })
    const make = async (pinned: object) =>
      (await send('POST', at, { embed: { origins: [ORIGIN], theme: { id: theme.id, ...pinned } } })).data.attributes
    expect(await make({})).toMatchObject({ theme: { id: theme.id, version: 2, override_fingerprint: null } })
    const first = await make({ version: 1, overrides: { accent: '#ffffff' } })
    expect(first).toMatchObject({
      theme: { version: 1, override_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      embed: { origins: [ORIGIN], url: expect.stringContaining('/form') },
    })
  })

  test('422 for overrides with too little contrast, 404 for an unknown version', async () => {
    const { send, at, theme } = await themed()
    const make = (pinned: object) =>
      send('POST', at, { embed: { origins: [ORIGIN], theme: { id: theme.id, ...pinned } } })
    const rejected = await make({ overrides: { ink: '#111111' } })
    expect(refusalOf(rejected)).toBe('422 validation_error')
    expect(rejected.error.details).toMatchObject({ fields: [{ field: 'embed.theme.overrides.ink' }] })
    expect(refusalOf(await make({ version: 9 }))).toBe('404 not_found')
  })

  test('events of an embedded session contain its theme; every field of the theme is null if the session has none', async () => {
    const { send, at, syndicate, theme } = await themed()
    const embed = { origins: [ORIGIN], theme: { id: theme.id, overrides: { corners: 'square' } } }
    const { data } = await send('POST', at, { embed })
    const browser = await site.signedIn(await site.person())
    const path = new URL(String(data.attributes['url'])).pathname
    await pressThrough(browser, path)
    const plain = await send('POST', at, { embed: { origins: [ORIGIN] } })
    await send('DELETE', `${at}/${plain.data.id}`)
    const events = (await eventsOf(site, syndicate)).filter(({ name }) => name.startsWith('join_session'))
    expect(events.map((event) => event.data['theme'])).toEqual([
      data.attributes['theme'],
      { id: null, version: null, override_fingerprint: null },
    ])
    expect(data.attributes['theme']).toMatchObject({ id: theme.id, version: 1 })
  })
})

describe('the form in the frame', () => {
  const pathOf = (url: unknown) => new URL(String(url)).pathname

  test('only the session’s origins may show the page in a frame; the page names no person and has no HTML form', async () => {
    const { send, at, theme } = await themed()
    const embed = { origins: [ORIGIN, 'http://localhost:3000'], theme: { id: theme.id } }
    const { attributes } = (await send('POST', at, { embed })).data
    const { url } = attributes['embed'] as { url: string }
    const person = await site.person(undefined, 'Grace Hopper')
    const browser = await site.signedIn(person)
    const { status, headers, text } = await browser.open(pathOf(url))
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${ORIGIN} http://localhost:3000`)
    expect(headers.getSetCookie()).toEqual([])
    expect(text).not.toContain('<form')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('Grace Hopper')
    expect(text).not.toContain(userIn(person))
    expect(text).toContain(`href="${pathOf(attributes['url'])}" target="_blank"`)
    const style = await browser.open(`${pathOf(url)}/theme.css`)
    expect(style.headers.get('content-type')).toContain('text/css')
    expect(style.text).toContain('--accent: #7fd3b1;')
  })

  test('404 for a hosted session and for an unknown link', async () => {
    const { send, at } = await themed()
    const { data } = await send('POST', at)
    const browser = site.browser()
    for (const path of [`${pathOf(data.attributes['url'])}/form`, '/join/nowhere/form']) {
      const { status, headers } = await browser.open(path)
      expect(status).toBe(404)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
    expect((await browser.open(`${pathOf(data.attributes['url'])}/form/theme.css`)).status).toBe(404)
  })

  test('after the session has ended, the page shows only that the form is closed', async () => {
    const { send, at } = await themed()
    const { data } = await send('POST', at, { embed: { origins: [ORIGIN] } })
    const { url } = data.attributes['embed'] as { url: string }
    await send('DELETE', `${at}/${data.id}`)
    const { status, text } = await site.browser().open(pathOf(url))
    expect(status).toBe(200)
    expect(text).toContain('has been used, or is no longer open')
    expect(text).not.toContain('target="_blank"')
  })
})
