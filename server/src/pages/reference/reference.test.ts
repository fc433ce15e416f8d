import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { open, operator, user, visitor } from '#http/access.ts'
import { openApiDocument } from '#http/openapi.ts'
import { STAND_IN } from '#http/openapi-examples.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { faviconAddress } from '../platform-brand.ts'
import { topicAddress } from './endpoints.ts'
import { searchScript } from './frame.ts'
import { type OpenDemo, type ReferencePages, referencePages } from './page.ts'
import { referenceRoutes } from './routes.ts'

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
const ASSETS = { style: '/docs/reference.css', script: '/docs/reference.js' }
const Note = Type.Object({ text: Type.String({ description: HOSTILE, default: HOSTILE }) }, { title: 'Note' })

const ROUTES: readonly Route[] = [
  route({
    operation: 'createNote',
    method: 'POST',
    path: '/companies/:company_id/notes',
    summary: 'Write a note',
    tag: 'Notes',
    access: user('write:notes', 'admin:notes'),
    schema: {
      params: Type.Object({ company_id: Type.String({ examples: ["it's/one"] }) }),
      query: Type.Object({ notify: Type.Boolean() }),
      body: Type.Object({ text: Type.String({ examples: ["don't"] }) }),
      response: { 201: Type.Object({ data: Note }) },
    },
    transaction: async () => ({ status: 201 as const, body: { data: { text: '' } } }),
  }),
  route({
    operation: 'importNotes',
    method: 'PUT',
    path: '/platform/notes',
    summary: 'Import notes',
    tag: 'Platform',
    access: operator('viewer', 'platform'),
    accepts: ['application/x-www-form-urlencoded'],
    schema: { body: Type.Object({ source: Type.String() }), response: { 204: Type.Null() } },
    handler: async () => ({ status: 204, body: null }),
  }),
  route({
    operation: 'readNote',
    method: 'GET',
    path: '/note',
    summary: HOSTILE,
    tag: HOSTILE,
    access: open(HOSTILE),
    schema: { response: { 200: Note } },
    handler: async () => ({ status: 200, body: { text: '' } }),
  }),
  route({
    operation: 'askPerson',
    method: 'GET',
    path: '/ask',
    summary: 'Ask a person',
    tag: 'Notes',
    documented: true,
    access: visitor('a probe'),
    queryAs: 'raw',
    schema: {
      query: Type.Object({ client_id: Type.String({ examples: ['pk_1'] }) }),
      response: { 200: Type.String() },
    },
    contentType: 'text/html; charset=utf-8',
    handler: async () => ({ status: 200, body: '' }),
  }),
]

const WEBHOOK = {
  ...{ event: 'note.written', description: 'A note was written', tag: 'Events', payload: Note },
  receivers: [{ through: 'company', scope: 'read:notes' }],
}
const DOCUMENT = openApiDocument(ROUTES, {
  title: 'Test API',
  brand: 'wefunder',
  baseUrl: 'https://api.example',
  webhooks: [WEBHOOK],
})
const ADDRESSES = [
  '/docs',
  ...DOCUMENT.tags.map(({ name }) => topicAddress(name)),
  ...['/docs/api/errors', '/docs/api/conventions', '/docs/api/versions', '/docs/api/schemas', '/docs/api/schemas/Note'],
]
const pages = referencePages(DOCUMENT, ASSETS)
const pageAt = (address: string, from: ReferencePages = pages) => from(address) ?? ''
const START = pageAt('/docs')
const TOPICS = DOCUMENT.tags.map(({ name }) => pageAt(topicAddress(name))).join('')
const ALL = ADDRESSES.map((address) => pageAt(address)).join('')

function sectionOf(operation: string): string {
  return TOPICS.split(`id="op-${operation}"`)[1]?.split('</section>')[0] ?? ''
}

/** The text of a page as a browser shows it. */
function unescaped(markup: string): string {
  const text = markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

describe('the reference', () => {
  test.each([
    ['createNote', 'Notes'],
    ['importNotes', 'Platform'],
    ['readNote', HOSTILE],
    ['receiveNoteWritten', 'Events'],
  ])('shows %s once, on the page of its topic, and links to it from the start', (operation, topic) => {
    expect(TOPICS.split(`id="op-${operation}"`)).toHaveLength(2)
    expect(pageAt(topicAddress(topic))).toContain(`id="op-${operation}"`)
    expect(START).toContain(`href="${topicAddress(topic)}#op-${operation}"`)
  })

  test('has a page for each topic and each schema, and common pages such as errors; other addresses have no page', () => {
    for (const address of ADDRESSES) expect(pages(address), address).toContain('</html>')
    for (const address of ['/docs/api/none', '/docs/api/schemas/None', '/docs/api/schemas/toString', '/docs/api/']) {
      expect(pages(address), address).toBeNull()
    }
  })

  test('marks in the contents which page is shown, and lists only the operations of this page', () => {
    const notes = pageAt(topicAddress('Notes'))
    expect(notes.match(/<a href="([^"]*)" aria-current="page">/)?.[1]).toBe('/docs/api/notes')
    const contents = notes.slice(notes.indexOf('<nav id="contents"'), notes.lastIndexOf('</nav>'))
    expect([...contents.matchAll(/href="#op-(\w+)"/g)].map(([, operation]) => operation)).toEqual([
      'askPerson',
      'createNote',
    ])
  })

  test('lists the callers in words', () => {
    expect(sectionOf('createNote')).toContain(
      'Call it with <a href="#credentials">a user’s token</a> that holds any one of <code>write:notes</code> or <code>admin:notes</code>.',
    )
    expect(sectionOf('importNotes')).toContain('Call it with <a href="#credentials">an operator key</a>.')
    expect(sectionOf('readNote')).toContain('Anyone may call this without a credential: ')
    expect(sectionOf('askPerson')).toContain('For people, in a browser.')
  })

  test('links an operation to its differences in an older version, if it has any', () => {
    const step: VersionStep = { name: 'notes as text', before: '2026-11-01', operations: ['createNote'] }
    const page = referencePages(DOCUMENT, ASSETS, null, [step])
    const linked = [...(page(topicAddress('Notes')) ?? '').matchAll(/href="([^"]*versions#[^"]*)"/g)].map(
      ([, href]) => href,
    )
    expect(linked).toEqual([`${topicAddress('versions')}#2026-10-01-createNote`])
    expect(page(topicAddress('versions'))).toContain('id="2026-10-01-createNote"')
  })

  test('has only links that lead to a page of the reference or of this server', () => {
    const others = [faviconAddress(null), ASSETS.style, ASSETS.script, '/', '/openapi.json', '/docs/changelog']
    const documents = [
      '/openapi.yaml',
      '/docs/postman.json',
      '/docs/scopes.json',
      '/docs/events.json',
      '/docs/changelog.xml',
    ]
    const pages = ['/docs/guides', '/conditions', '/status']
    const known = new Set([...others, ...documents, ...pages, searchScript()])
    for (const address of ADDRESSES) {
      const targets = [...pageAt(address).matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, target]) => target ?? [])
      expect(targets.length).toBeGreaterThan(10)
      // docs-links.test.ts checks the links that lead to guides.
      for (const target of targets.filter((it) => !known.has(it) && !it.startsWith('/docs/guides/'))) {
        const [path = '', id] = target.split('#')
        const page = pageAt(path === '' ? address : path)
        expect(page, target).toContain(id === undefined ? '</html>' : `id="${id}"`)
      }
    }
  })

  test('escapes descriptions, summaries, tags and examples', () => {
    expect(ALL).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    const scripts = searchScript() === null ? 1 : 2
    expect(ALL.match(/<script/g)).toHaveLength(ADDRESSES.length * scripts)
    expect(ALL).not.toContain('<img')
  })

  test('has no inline script, style or event handler, because the policy would reject them', () => {
    const tags = ALL.match(/<[a-z][^>]*>/g) ?? []
    expect(tags.filter((tag) => /\s(on\w+|style)=/.test(tag))).toEqual([])
    expect(ALL).not.toContain('<style')
  })

  test('has a sample in each language, with quotes escaped as the language requires', () => {
    const shown = unescaped(sectionOf('createNote'))
    const address = 'https://api.example/companies/it%27s%2Fone/notes?notify=true'
    expect(shown).toContain(
      [
        `curl -X POST '${address}' \\`,
        '  -H "Authorization: Bearer $PORTICO_TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"text":"don'\\''t"}'`,
      ].join('\n'),
    )
    expect(shown).toContain(
      `client.post('/companies/{company_id}/notes', {
  path: { company_id: "it's/one" },
  query: { notify: true },
  body: { text: "don't" },
})`,
    )
    expect(shown).toContain(`fetch('${address}', {`)
    expect(shown).toContain('body = {"text": "don\'t"}')
    expect(shown).toContain('request.body = JSON.generate({ "text" => "don\'t" })')
    expect(unescaped(sectionOf('importNotes'))).toContain("--data-urlencode 'source=text'")
  })

  test('shows the address of an operation that is a page, and no "Try it"', () => {
    expect(sectionOf('askPerson')).toContain('<code>https://api.example/ask?client_id=pk_1</code>')
    expect(sectionOf('askPerson')).not.toMatch(/curl|data-method/)
  })

  test('says that a cursor contains the order of its list and not the filters', () => {
    const text = 'another list or order answers 400. A cursor does not contain the filters'
    expect(pageAt('/docs/api/conventions')).toContain(text)
  })

  test('shows who receives an event and how to verify it, and gives each event an address', () => {
    const section = sectionOf('receiveNoteWritten')
    expect(section).toContain('id="event-note.written"')
    expect(section).toContain('Apps installed on the company of the event, with the scope <code>read:notes</code>.')
    expect(section).toContain('href="/docs/api/conventions#webhooks"')
  })

  test('shows the changes of an older version, by applying its steps to the recorded response', () => {
    const step: VersionStep = {
      name: 'notes as texts',
      before: '2026-11-01',
      operations: ['readNote'],
      response: (body) => ({ note: (body as { text: string }).text }),
    }
    const examples = {
      operations: { readNote: { parameters: {}, responses: { 200: { text: 'first' } } } },
      webhooks: {},
    }
    const api = { title: 'Test API', brand: 'wefunder', baseUrl: 'https://api.example', examples }
    const page = unescaped(
      pageAt('/docs/api/versions', referencePages(openApiDocument(ROUTES, api), ASSETS, null, [step])),
    )
    expect(page).toContain('What differs in 2025-01-15')
    expect(page).toContain('Behaves like 2026-10-01.')
    expect(page).toContain('text does not exist')
    expect(page).toContain('note exists: "first"')
    expect(page).toContain('Tokens of installations do not expire.')
  })

  test('contains the data that the script needs for "Try it"', () => {
    expect(sectionOf('createNote')).toContain(
      'data-method="POST" data-path="/companies/{company_id}/notes" data-open="no" data-holders="user" data-scopes="write:notes admin:notes"',
    )
    expect(sectionOf('createNote')).toContain(
      'data-parameter="company_id" data-in="path" data-required="yes" data-example="it&#39;s/one"',
    )
    expect(sectionOf('createNote')).toContain(
      'data-parameter="notify" data-in="query" data-required="yes" data-choices="true false"',
    )
    expect(sectionOf('createNote')).toContain('data-body="application/json" data-required="yes"')
    expect(sectionOf('importNotes')).toContain('data-body="application/x-www-form-urlencoded"')
  })
})

const DEMO: OpenDemo = {
  publishableKey: 'pk_test_shown',
  clientId: 'pk_test_public',
  scopes: ['read:profile', 'write:notes'],
  people: {
    investor: 'i@demo.example',
    founder: 'f@demo.example',
    manager: 'm@demo.example',
    developer: 'd@demo.example',
  },
  ids: { nt_: 'nt_thatexists', answered_id: 'nt_answered' },
  users: [],
}

describe('with a demo', () => {
  const about = route({
    operation: 'readAbout',
    method: 'GET',
    path: '/notes/:id/answers/:answered_id',
    summary: 'Read a note',
    tag: 'Notes',
    access: user(),
    schema: {
      params: Type.Object({
        id: Type.String({ pattern: '^nt_[0-9A-Za-z]{24}$' }),
        answered_id: Type.String({ pattern: '^nt_[0-9A-Za-z]{24}$' }),
      }),
      response: { 200: Note },
    },
    handler: async () => ({ status: 200 as const, body: { text: '' } }),
  })
  const inDemo = referencePages(
    openApiDocument([about], { title: 'Test API', brand: 'wefunder', baseUrl: 'https://api.example' }),
    ASSETS,
    DEMO,
  )

  const [page, start] = [pageAt('/docs/api/notes', inDemo), pageAt('/docs', inDemo)]

  test('the examples name existing records', () => {
    expect(page).toContain('data-example="nt_thatexists"')
    expect(page).toContain('https://api.example/notes/nt_thatexists/answers/nt_answered')
    expect(page).not.toContain(`nt_${STAND_IN}`)
  })

  test('the start page contains the demo’s publishable key; each page has the client id and the scopes for the script', () => {
    expect(start).toContain('<code class="key">pk_test_shown</code>')
    for (const shown of [start, page]) {
      expect(shown).toContain('data-client-id="pk_test_public" data-scopes="read:profile write:notes"')
    }
    expect(ALL).not.toContain('data-client-id')
  })

  test('the pages contain no data of the demo until it is ready', async () => {
    let shown: OpenDemo | null = null
    const routes = referenceRoutes(
      () => DOCUMENT,
      () => shown,
    )
    expect((await get('/docs', routes)).body).not.toContain('pk_test_shown')
    shown = DEMO
    expect((await get('/docs', routes)).body).toContain('pk_test_shown')
  })
})

async function get(path: string, routes: readonly Route[]): Promise<{ body: string; headers: Record<string, string> }> {
  const found = routes.find((it) => it.path === path)
  if (found === undefined) throw new Error(`no route ${path}`)
  // These handlers do not use their request.
  const answer = await found.run(undefined as never)
  return { body: String(answer.body), headers: { ...answer.headers } as Record<string, string> }
}

describe('the routes of the reference', () => {
  const routes = referenceRoutes(() => DOCUMENT)

  test('need no credential, and are not operations of the API', () => {
    expect(routes.map(({ path }) => path)).toEqual([
      '/openapi.json',
      '/docs',
      '/docs/api',
      '/docs/api/:topic',
      '/docs/api/schemas/:name',
      '/docs/reference.css',
      '/docs/reference.js',
      '/docs/search/:file',
      '/openapi.yaml',
      '/docs/postman.json',
      '/docs.md',
      '/docs/api/:topic.md',
      '/docs/api/schemas/:name.md',
    ])
    expect(routes.every(({ access, alias }) => access.kind === 'open' && alias === false)).toBe(true)
  })

  test('serve the page with a policy that allows only files of this server', async () => {
    const { headers } = await get('/docs', routes)
    expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'/)
    expect(headers['Content-Security-Policy']).not.toMatch(/unsafe|http|\*/)
  })

  test('serve assets that load nothing else, at the addresses that the page contains', async () => {
    const { body: page } = await get('/docs', routes)
    for (const path of ['/docs/reference.css', '/docs/reference.js']) {
      expect(page).toContain(`"${path}?v=`)
      const { body } = await get(path, routes)
      expect(body).not.toMatch(/https?:\/\/|@import|url\(|innerHTML|eval\(|document\.cookie/)
      // Credentials are stored only as long as the tab is open. Only the language of the samples is stored longer.
      expect(body.replaceAll(/localStorage\.[gs]etItem\(LANGUAGE\b/g, '')).not.toContain('localStorage')
    }
  })

  test('serve the script as one file that imports nothing', async () => {
    const { body } = await get('/docs/reference.js', routes)
    expect(body).not.toMatch(/^\s*(import|export)\b/m)
    const declared = [...body.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, name]) => name)
    expect(declared.length).toBeGreaterThan(20)
    expect(new Set(declared).size).toBe(declared.length)
  })

  test('serve the OpenAPI document', async () => {
    const found = routes.find(({ path }) => path === '/openapi.json')
    const { body } = (await found?.run(undefined as never)) ?? {}
    expect(body instanceof StoredJson && JSON.parse(body.text.toString())).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
  })
})
