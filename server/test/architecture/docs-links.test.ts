import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wholeReference } from '#test/reference-pages.ts'
import { DOCS, readGuideIndex } from '../../../docs-site/guide-index.ts'
import { renderGuides } from '../../../docs-site/render-guides.ts'
import { searchDocuments } from '../../../docs-site/search/documents.ts'

const index = await readGuideIndex()
const entries = index.groups.flatMap(({ guides }) => guides)
const guides = await renderGuides(index)
const { document, pages: reference } = wholeReference()

/** The content of every page of the site with anchors, by its address. */
const site: ReadonlyMap<string, string> = new Map([
  ...reference,
  ...guides.map(({ slug, html }) => [`/docs/guides/${slug}`, html] as const),
])
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
const ids = new Map([...site].map(([address, html]) => [address, idsOf(html)]))

/** Addresses of the service that are not pages of the site. */
const OTHERS =
  /^\/(|openapi\.(json|yaml)|docs\/(guides|changelog|changelog\.xml|postman\.json|scopes\.json|events\.json)|developers|settings[\w/]*|conditions|status|llms(-full)?\.txt)$/

/** Returns the broken links of a page. Links to other servers are not checked. */
function deadLinks(address: string, links: readonly string[]): readonly string[] {
  return links.filter((href) => {
    if (/^(https?|mailto):/.test(href)) return false
    const [path = '', anchor] = href.split('#')
    const target = ids.get(path === '' ? address : path)
    if (target === undefined) return !OTHERS.test(path) || anchor !== undefined
    return anchor !== undefined && !target.has(anchor)
  })
}

const linksIn = (html: string) => [...html.matchAll(/<a\b[^>]* href="([^"]+)"/g)].map(([, href = '']) => href)

describe('docs/guides.json', () => {
  test('names each address and each file once, and only files that exist', () => {
    expect(new Set(entries.map(({ slug }) => slug)).size).toBe(entries.length)
    expect(new Set(entries.map(({ file }) => file)).size).toBe(entries.length)
    expect(entries.filter(({ file }) => !existsSync(join(DOCS, file)))).toEqual([])
    expect(entries.filter(({ slug }) => !/^[a-z][a-z0-9-]*$/.test(slug))).toEqual([])
  })
})

describe('every link leads to a page, and to an anchor of that page, in', () => {
  test.each(guides)('the guide $slug', ({ slug, html }) => {
    expect(deadLinks(`/docs/guides/${slug}`, linksIn(html))).toEqual([])
  })

  test.each(entries)('$file in the repository, where only the file of each link is checked', async ({ file }) => {
    const text = (await readFile(join(DOCS, file), 'utf8')).replace(/^```.*?^```$/gms, '')
    const files = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => path)
    const local = files.filter((path) => !/^([a-z]+:|\/)/.test(path))
    expect(local.filter((path) => !existsSync(join(DOCS, path)))).toEqual([])
  })

  test('the reference: topics, conventions, versions, errors, scopes and schemas', () => {
    expect(reference.size).toBeGreaterThan(200)
    const dead = [...reference].flatMap(([address, html]) =>
      deadLinks(address, linksIn(html)).map((href) => `${href} on ${address}`),
    )
    expect([...new Set(dead)]).toEqual([])
  })

  test('the results of the search', () => {
    const found = searchDocuments(document, guides)
    expect(found.length).toBeGreaterThan(1_000)
    expect(
      deadLinks(
        '',
        found.map(({ address }) => address),
      ),
    ).toEqual([])
  })

  test('the check finds links to missing pages and to missing anchors, also to anchors of the same page', () => {
    const links = ['/docs/guides/none', '/docs/guides/quickstart#none', '#none', '/docs/guides#none', '/none']
    expect(deadLinks('/docs/guides/quickstart', links)).toEqual(links)
  })
})

test('each convention of the reference has a guide that links back to it', () => {
  const conventions = reference.get('/docs/api/conventions') ?? ''
  const sections = [...conventions.matchAll(/class="operation convention" id="([\w-]+)"/g)].map(([, id]) => id)
  expect(sections.length).toBeGreaterThan(5)
  const linked = guides.flatMap(({ html }) => [...html.matchAll(/\/docs\/api\/conventions#([\w-]+)"/g)])
  expect(new Set(linked.map(([, id]) => id))).toEqual(new Set(sections))
})
