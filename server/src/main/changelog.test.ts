import { parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONDITIONS_VERSION, conditionsUrl } from '#access/apps/index.ts'
import { removedRoutes } from '#access/removed/http.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { VERSIONS } from '#http/versions.ts'
import { namedBrand } from '#pages/platform-brand.ts'
import { changelogRoutes } from '#pages/reference/changelog.ts'
import { referenceRoutes } from '#pages/reference/routes.ts'
import { changelogText } from './reference-sources.ts'
import { describeApi } from './routes.ts'

const SEARCH_SCRIPT = /<script type="module" src="\/docs\/search\/[\w-]+\.js"><\/script>/

let app: ProbeApp
let page: string
beforeAll(async () => {
  const routes = changelogRoutes({
    text: changelogText(),
    brand: namedBrand('Portico'),
    origin: () => 'https://api.example',
  })
  app = await serveProbes([
    ...routes,
    ...referenceRoutes(() => describeApi([], { brand: 'wefunder', baseUrl: 'https://api.example' })),
  ])
  page = await (await fetch(`${app.url}/docs/changelog`)).text()
})
afterAll(() => app.close())

describe('GET /docs/changelog', () => {
  test('200: a page that loads only our style sheet and runs only the script of the search', async () => {
    const { status, headers } = await fetch(`${app.url}/docs/changelog`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.replace(SEARCH_SCRIPT, '')).not.toContain('<script')
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? []
    expect((await fetch(app.url + style)).status).toBe(200)
  })

  test('has a section and a link for every version of the API, the newest first', () => {
    const sections = [...page.matchAll(/<section class="release" id="([^"]+)">/g)].map(([, id]) => id)
    const wanted = VERSIONS.toReversed().map((version) => `api-version-${version}`)
    expect(sections.filter((id) => id?.startsWith('api-version-'))).toEqual(wanted)
    for (const id of sections) expect(page).toContain(`<a href="#${id}">`)
    expect(new Set(sections).size).toBe(sections.length)
  })

  test('lists removed endpoints, and links to the current usage conditions', () => {
    const [, removed = ''] = page.split('id="api-on-2026-10-14"')
    const [section = ''] = removed.split('</section>')
    const words = ['stats', 'investments', 'webhooks', 'me', 'campaigns', 'partners', 'invites']
    for (const { path } of removedRoutes) {
      const named = words.filter((word) => path.slice('/campaigns'.length).includes(`/${word}`))
      for (const word of named) expect(section).toContain(`/${word}`)
      expect(named).not.toEqual([])
    }
    expect(page).toContain(`href="${conditionsUrl(CONDITIONS_VERSION)}"`)
  })

  test('the reference and the changelog have links to each other', async () => {
    const reference = await (await fetch(`${app.url}/docs`)).text()
    expect(reference).toContain('<a href="/docs/changelog">')
    expect(page).toContain('<a href="/docs">')
  })

  test('shows markup in the file as text and does not run it', async () => {
    const text = '# C\n\n## <script>alert(1)</script>\n\n- <img src=x onerror=y> [a](javascript:b)\n'
    const probe = await serveProbes([
      ...changelogRoutes({ text, brand: namedBrand('Portico'), origin: () => 'https://api.example' }),
    ])
    const made = await (await fetch(`${probe.url}/docs/changelog`)).text()
    await probe.close()
    expect(made.replace(SEARCH_SCRIPT, '')).not.toMatch(/<script|<img|href="javascript/)
    expect(made).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(made).toContain('id="script-alert-1-script"')
  })

  test('405 for another method', async () => {
    expect((await fetch(`${app.url}/docs/changelog`, { method: 'POST' })).status).toBe(405)
  })
})

describe('GET /docs/changelog.xml and /docs/changelog.md', () => {
  test('200: RSS with an item for each version, its date and absolute links', async () => {
    const response = await fetch(`${app.url}/docs/changelog.xml`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/rss+xml'])
    const [rss] = parseDocument(await response.text(), { xmlMode: true }).children.filter(isElement)
    const [channel] = elementsIn(rss, 'channel')
    const items = elementsIn(channel, 'item')
    expect(rss?.attribs['version']).toBe('2.0')
    for (const name of ['title', 'link', 'description']) expect(elementsIn(channel, name)).toHaveLength(1)
    const links = items.map((item) => textIn(elementsIn(item, 'link')[0]))
    const sections = [...page.matchAll(/<section class="release" id="([^"]+)">/g)].map(([, id]) => id)
    expect(links).toEqual(sections.map((id) => `https://api.example/docs/changelog#${id}`))
    expect(items.map((item) => textIn(elementsIn(item, 'guid')[0]))).toEqual(links)
    const [newest] = items
    expect(textIn(elementsIn(newest, 'pubDate')[0])).toBe(new Date(VERSIONS.at(-1) ?? '').toUTCString())
    const described = items.map((item) => textIn(elementsIn(item, 'description')[0]))
    expect(described.join('')).toContain('<a href="https://api.example/conditions/')
    expect(described.join('')).not.toMatch(/href="[/#]/)
  })

  test('changelog.md is the changelog as Markdown', async () => {
    const response = await fetch(`${app.url}/docs/changelog.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toBe(changelogText())
  })
})

type Node = ReturnType<typeof parseDocument>['children'][number]
type XmlElement = Extract<Node, { readonly attribs: object }>

const isElement = (node: Node): node is XmlElement => 'attribs' in node
const elementsIn = (parent: XmlElement | undefined, name: string) =>
  (parent?.children ?? []).filter(isElement).filter((child) => child.name === name)
const textIn = (element: XmlElement | undefined) =>
  (element?.children ?? []).map((child) => ('data' in child ? child.data : '')).join('')
