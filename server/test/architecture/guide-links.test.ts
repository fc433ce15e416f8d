import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DOCS, readGuideIndex } from '../../../docs-site/guide-index.ts'
import { renderGuides } from '../../../docs-site/render-guides.ts'
import { html } from '../../src/pages/html.ts'
import { conventionsPage } from '../../src/pages/reference/conventions.ts'

const index = await readGuideIndex()
const entries = index.groups.flatMap(({ guides }) => guides)
const rendered = await renderGuides(index)
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
const ids = new Map(rendered.map(({ slug, html }) => [slug, idsOf(html)]))

/** Addresses of the site that are not guides; the reference checks its own. */
const OTHER_PAGES = /^\/(docs(\/changelog|\/api\/[\w/-]+)?|developers|settings[\w/]*|conditions|status|openapi\.json)$/

describe('docs/guides.json', () => {
  test('names each address and each file once, and files that exist', () => {
    expect(new Set(entries.map(({ slug }) => slug)).size).toBe(entries.length)
    expect(new Set(entries.map(({ file }) => file)).size).toBe(entries.length)
    expect(entries.filter(({ file }) => !existsSync(join(DOCS, file)))).toEqual([])
    expect(entries.filter(({ slug }) => !/^[a-z][a-z0-9-]*$/.test(slug))).toEqual([])
  })
})

test('the conventions of the reference and the guides link to each other', async () => {
  const api = JSON.parse(await readFile(join(DOCS, '../server/openapi.json'), 'utf8'))
  const conventions = html`${conventionsPage(api).content}`.markup
  const sections = idsOf(conventions)
  for (const [, slug = '', anchor] of conventions.matchAll(/href="\/docs\/guides\/([\w-]+)(?:#([\w-]+))?"/g)) {
    expect([...(ids.get(slug) ?? [])], slug).toEqual(
      anchor === undefined ? expect.anything() : expect.arrayContaining([anchor]),
    )
  }
  const linked = rendered.flatMap((guide) => [...guide.html.matchAll(/\/docs\/api\/conventions#([\w-]+)"/g)])
  expect(new Set(linked.map(([, id]) => id))).toEqual(
    new Set([...sections].filter((id) => id?.includes('verify') === false)),
  )
})

describe('every link leads somewhere, in', () => {
  test.each(rendered)('$slug', ({ slug, html }) => {
    const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href)
    const isDead = (href: string) => {
      if (/^(https?|mailto):/.test(href)) return false
      const [path = '', anchor] = href.split('#')
      const [, target = path === '' ? slug : ''] = /^\/docs\/guides\/([^/]+)$/.exec(path) ?? []
      if (target === '') return !OTHER_PAGES.test(path)
      return anchor === undefined ? !ids.has(target) : ids.get(target)?.has(anchor) !== true
    }
    expect(links.filter(isDead)).toEqual([])
  })

  test.each(entries)('$file, as a file of the repository', async ({ file }) => {
    const text = (await readFile(join(DOCS, file), 'utf8')).replace(/^```.*?^```$/gms, '')
    const files = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => path)
    const local = files.filter((path) => !/^([a-z]+:|\/)/.test(path))
    expect(local.filter((path) => !existsSync(join(DOCS, path)))).toEqual([])
  })
})
