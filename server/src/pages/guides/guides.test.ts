import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '#http/openapi.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { namedBrand } from '../platform-brand.ts'
import type { OpenDemo } from '../reference/page.ts'
import { guideBuild } from './pages.ts'
import { guideRoutes } from './routes.ts'

const DOCUMENT = {
  ...openApiDocument([], { title: 'Test API', brand: 'wefunder', baseUrl: 'https://api.example', webhooks: [] }),
  tags: [{ name: 'Notes', description: 'What was written down.' }],
}
const PEOPLE = {
  investor: 'i@example.com',
  founder: 'f@example.com',
  manager: 'm@example.com',
  developer: 'd@example.com',
}
const DEMO: OpenDemo = {
  ...{ publishableKey: 'pk_test_1', clientId: 'pk_test_2', scopes: [], people: PEOPLE },
  ids: { co_: 'co_1' },
  users: [],
}
const VARIABLES = [
  { name: 'PORTICO_URL', about: 'The address.', demo: '.base_url', shown: 'url' },
  { name: 'CLIENT_ID', about: 'A key.', demo: '.key', shown: 'key' },
  { name: 'CLIENT_SECRET', about: 'Its secret.', demo: '.secret' },
  { name: 'COMPANY_ID', about: 'A company.', demo: '.company', shown: 'co_' },
]
const NAMES = VARIABLES.map(({ name }) => name)

const guide = (slug: string, group: string, variables: readonly string[] = []) => ({
  ...{ slug, group, title: `Do ${slug}`, summary: `How to do ${slug}. And more.`, sections: [], variables },
  headings: [
    { id: 'first', title: 'First <b>', level: 2 },
    { id: 'second', title: 'Second', level: 2 },
  ],
})

async function built(slugs: readonly string[] = ['start', 'sync', 'run']): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'guides-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeBuild(directory, slugs)
  return directory
}

async function writeBuild(directory: string, slugs: readonly string[]) {
  await mkdir(join(directory, 'guides'), { recursive: true })
  const guides = slugs.map((slug) =>
    guide(slug, slug === 'run' ? 'Platforms' : 'Partners', slug === 'sync' ? NAMES : []),
  )
  await writeFile(join(directory, 'guides.json'), JSON.stringify({ guides, variables: VARIABLES }))
  for (const slug of slugs) {
    await writeFile(join(directory, 'guides', `${slug}.html`), `<p>All of ${slug}</p>`)
    await writeFile(join(directory, 'guides', `${slug}.md`), `# Do ${slug}\n`)
  }
}

async function served(directory: string, demo: OpenDemo | null = null) {
  const routes = guideRoutes({
    ...{ brand: namedBrand('Harbor & Vine'), origin: () => 'https://api.example', demo: () => demo },
    ...{ describe: () => DOCUMENT, build: guideBuild(directory) },
  })
  const edge = await serveProbes(routes)
  onTestFinished(() => edge.close())
  return (path: string) => fetch(edge.url + path)
}

describe('the guides', () => {
  test('return 503 with the reason if they have not been built, and 404 for their Markdown', async () => {
    const get = await served(join(tmpdir(), 'no-guides-here'))
    for (const path of ['/docs/guides', '/docs/guides/start']) {
      const response = await get(path)
      expect(response.status).toBe(503)
      expect(await response.text()).toContain('have not been built')
    }
    expect((await get('/docs/guides/start.md')).status).toBe(404)
    expect(await (await get('/llms.txt')).text()).toContain('[Notes](/docs/api/notes.md)')
  })

  test('are listed by group, with their first sentence', async () => {
    const text = await (await (await served(await built()))('/docs/guides')).text()
    expect(text.indexOf('Partners')).toBeLessThan(text.indexOf('Platforms'))
    expect(text).toContain('<a href="/docs/guides/sync">Do sync</a><p>How to do sync.</p>')
    expect(text).toContain('Harbor &amp; Vine')
  })

  test('show their content, their headings and links to the previous and next guide', async () => {
    const response = await (await served(await built()))('/docs/guides/sync')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await response.text()
    expect(text).toContain('<p>All of sync</p>')
    expect(text).toContain('<a href="#first">First &lt;b&gt;</a>')
    expect(text).toContain('<a rel="prev" href="/docs/guides/start">')
    expect(text).toContain('<a rel="next" href="/docs/guides/run">')
    expect(text).toContain('<a href="/docs/guides/sync" aria-current="page">')
    expect(text).not.toMatch(/<script(?![^>]* src=)| style="/)
  })

  test('fill in public values of the demo if there is one, and never a secret', async () => {
    const text = await (await (await served(await built(), DEMO))('/docs/guides/sync')).text()
    expect(text).toContain('export PORTICO_URL=https://api.example\nexport CLIENT_ID=pk_test_1\n')
    expect(text).toContain('export CLIENT_SECRET=$(jq -r &#39;.secret&#39; .portico/demo.json)\n')
    expect(text).toContain('export COMPANY_ID=co_1<')
  })

  test('list the variables to fill in if there is no demo, and nothing if the code needs no variables', async () => {
    const get = await served(await built())
    expect(await (await get('/docs/guides/sync')).text()).toContain('export CLIENT_ID=&#39;&#39;  # A key.')
    expect(await (await get('/docs/guides/start')).text()).not.toContain('export ')
  })

  test.each(['nothing', '..%2F..%2Fguides', '%2e%2e', 'sync.html'])('404 at %s', async (slug) => {
    const get = await served(await built())
    expect((await get(`/docs/guides/${slug}`)).status).toBe(404)
    expect((await get(`/docs/guides/${slug}.md`)).status).toBe(404)
  })

  test('are also available as Markdown, at their address with .md, and are listed in llms.txt', async () => {
    const get = await served(await built())
    const response = await get('/docs/guides/run.md')
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toBe('# Do run\n')
    const list = await (await get('/llms.txt')).text()
    expect(list).toMatch(/^# Harbor & Vine\n\n> /)
    expect(list).toContain('- [Do run](/docs/guides/run.md): How to do run. And more.')
    expect(list.match(/\]\(\/docs\/[^)]*(?<!\.md)\)/g), 'the links in the Markdown of a guide').toBeNull()
    expect(list).toContain('[Conventions](/docs/api/conventions.md)')
    const index = await (await get('/docs/guides.md')).text()
    expect(index).toMatch(/^# Guides\n\n## Partners\n\n- \[Do start\]\(\/docs\/guides\/start\.md\): /)
    expect(await (await get('/llms-full.txt')).text()).toContain('# Do start\n\n# Do sync\n\n# Do run\n')
  })

  test('are served from a new build without a restart', async () => {
    const directory = await built(['start'])
    const get = await served(directory)
    expect((await get('/docs/guides/later')).status).toBe(404)
    await writeBuild(directory, ['start', 'later'])
    await utimes(join(directory, 'guides.json'), new Date(), new Date(Date.now() + 60_000))
    expect((await get('/docs/guides/later')).status).toBe(200)
  })

  test('serve a style sheet and a script that load nothing else', async () => {
    const get = await served(await built())
    for (const path of ['/docs/guides.css', '/docs/guides.js']) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(await response.text()).not.toMatch(/https?:|@import|fetch\(|import /)
    }
  })
})
