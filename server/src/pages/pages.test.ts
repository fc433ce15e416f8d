import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import { pageAssetRoutes, pageStyle } from './assets.ts'
import {
  appHead,
  card,
  emptyState,
  facts,
  itemFoot,
  items,
  notice,
  points,
  radios,
  sentenceOf,
  switches,
} from './blocks.ts'
import { actions, button, errorSummary, field, form, linkButton, moment } from './elements.ts'
import { errorPage } from './error-page.ts'
import { html } from './html.ts'
import { page, settingsPage } from './layout.ts'
import { namedBrand } from './platform-brand.ts'

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
const PERSON = { name: HOSTILE, email: HOSTILE }
const NOW = Date.parse('2026-03-01T12:00:00Z')

/** All elements that a page can have, filled with hostile texts. */
const FULL = page({
  title: HOSTILE,
  world: 'test',
  person: PERSON,
  csrf: 'token-of-this-browser',
  wide: true,
  main: card(
    appHead({ name: HOSTILE, logoUrl: `/logos/${HOSTILE}`, lines: [HOSTILE] }),
    notice(HOSTILE, 'warning'),
    errorSummary([{ field: 'reason', message: HOSTILE }, { message: HOSTILE }]),
    form({
      action: `/x?${HOSTILE}`,
      csrf: 'token-of-this-browser',
      content: [
        switches(HOSTILE, [{ name: 'scope', value: HOSTILE, sentence: HOSTILE, sensitive: HOSTILE, checked: true }]),
        radios(HOSTILE, [{ name: 'target', value: HOSTILE, sentence: HOSTILE, hint: HOSTILE }]),
        field({ name: 'reason', label: HOSTILE, value: HOSTILE, hint: HOSTILE, error: HOSTILE }),
        field({ name: 'more', label: 'More', lines: 3, value: HOSTILE }),
        actions(button({ label: HOSTILE, name: 'decision', value: HOSTILE }), linkButton(HOSTILE, `/${HOSTILE}`)),
      ],
    }),
    facts([[HOSTILE, HOSTILE]]),
    points([sentenceOf({ sentence: HOSTILE })]),
    items([card(itemFoot(HOSTILE, button({ label: 'Disconnect', kind: 'danger' })))]),
    emptyState({ title: HOSTILE, text: HOSTILE, action: linkButton('Begin', '/begin') }),
  ),
})

describe('a page', () => {
  test('shows hostile text as text, and runs no part of it', () => {
    expect(FULL).not.toContain('<script')
    expect(FULL.match(/<img [^>]*>/g)).toHaveLength(1)
  })

  test('has no inline script, style or event handler, because the policy would reject them', () => {
    const tags = FULL.replaceAll(/"[^"]*"/g, '""').match(/<[a-z][^>]*>/g) ?? []
    expect(tags.length).toBeGreaterThan(50)
    expect(tags.filter((tag) => /\s(on\w+|style)=/.test(tag))).toEqual([])
    expect(FULL).not.toContain('<style')
  })

  test('has one heading, one main part, and a link that skips to the main part', () => {
    expect(FULL.match(/<h1>/g)).toHaveLength(1)
    expect(FULL.match(/<main /g)).toHaveLength(1)
    expect(FULL).toContain('<a class="skip" href="#main">')
  })

  test('has the sandbox band only in the test world', () => {
    const plain = (world: 'test' | 'live' | null) => page({ title: 'T', world, main: html`<h1>T</h1>` })
    expect(plain('test')).toContain('Sandbox.')
    expect(plain('live')).not.toContain('Sandbox')
    expect(plain(null)).not.toContain('Sandbox')
  })

  test('names the signed-in person, and has a form with a CSRF token to sign out', () => {
    expect(FULL).toMatch(/action="\/sign-out"><input type="hidden" name="csrf" value="token-of-this-browser">/)
    expect(page({ title: 'T', person: null, main: html`` })).not.toContain('sign-out')
  })

  test('has no link that would load another page into a frame of another site', () => {
    const links = { support: 'https://vine.example/help', terms: 'https://vine.example/terms', privacy: null }
    const parts = { title: 'Join', main: html`<h1>Join</h1>`, brand: { ...namedBrand('Vine'), links } }
    const linksOf = (text: string) => [...text.matchAll(/<a [^>]*>/g)].map(([tag]) => tag)
    expect(linksOf(page(parts))).toContain('<a href="/">')
    const [skip, ...others] = linksOf(page({ ...parts, embedded: true }))
    expect(skip).toContain('href="#main"')
    expect(others).toHaveLength(2)
    for (const link of others) expect(link).toContain('target="_blank" rel="noopener"')
  })

  test('has the brand in its title', () => {
    expect(page({ title: 'Sign in', brand: 'acme', main: html`` })).toContain('<title>Sign in · Acme</title>')
  })
})

describe('a form', () => {
  test('has the CSRF token of its browser', () => {
    expect(form({ action: '/x', csrf: 'abc', content: '' }).markup).toContain(
      '<input type="hidden" name="csrf" value="abc">',
    )
  })

  test('connects a field with its label, its hint and its error', () => {
    const { markup } = field({ name: 'email', label: 'Email', hint: 'Yours', error: 'Enter it.' })
    expect(markup).toContain('<label for="field-email">')
    expect(markup).toContain('aria-describedby="field-email-hint field-email-error" aria-invalid="true"')
    expect(field({ name: 'email', label: 'Email' }).markup).not.toContain('aria-')
  })

  test('lists errors that belong to no field at the top and gives them the focus; an error of a field is only at the field', () => {
    const mistakes = [{ field: 'email', message: 'Enter it.' }, { message: 'Too late.' }]
    const summary = html`${errorSummary(mistakes)}`.markup
    expect(summary).toContain('tabindex="-1" autofocus')
    expect(summary).toContain('<li>Too late.</li>')
    expect(summary).not.toContain('Enter it.')
    expect(html`${errorSummary(mistakes.slice(0, 1))}`.markup).toBe('')
    expect(field({ name: 'email', label: 'Email', error: 'Enter it.' }).markup).toContain('autofocus')
    expect(html`${errorSummary([])}`.markup).toBe('')
  })
})

describe('an app’s mark', () => {
  test.each(['https://partner.example/logo.png', '//partner.example/logo.png', null, undefined])(
    'is the first letter of the name and loads nothing for %s, so that no other site can see the visit',
    (logoUrl) => {
      const { markup } = appHead({ name: 'Fieldbook', ...(logoUrl === undefined ? {} : { logoUrl }) })
      expect(markup).not.toContain('<img')
      expect(markup).toContain('>F</span>')
    },
  )

  test('is its logo, if the logo is stored on this server', () => {
    expect(appHead({ name: 'Fieldbook', logoUrl: '/logos/a.svg' }).markup).toContain('src="/logos/a.svg"')
  })
})

describe('an error page', () => {
  test('shows what happened, what it means, what to do, and the request id', () => {
    const text = errorPage({ title: 'Happened', message: 'Means', remediation: 'Do', requestId: 'req_1' })
    expect(text).toMatch(/<h1>Happened<\/h1>\s*<p>Means<\/p>\s*<p>Do<\/p>[\s\S]*req_1/)
  })
})

test.each([
  [-5_000, 'just now'],
  [-150_000, '2 minutes ago'],
  [-3_600_000, '1 hour ago'],
  [-26 * 3_600_000, 'yesterday'],
  [3 * 86_400_000, 'in 3 days'],
  [7 * 86_400_000 - 2_000, 'in 7 days'],
  [20_000, 'within a minute'],
  [1_000, 'just now'],
  [-400 * 86_400_000, 'last year'],
])('a moment %i ms away reads "%s", with the exact time on hover', (offset, words) => {
  const { markup } = moment(new Date(NOW + offset).toISOString(), NOW)
  expect(markup).toContain(`>${words}</time>`)
  expect(markup).toMatch(/title="[A-Z][a-z]{2} \d+, \d{4}, .* UTC"/)
})

describe('the style sheet', () => {
  test('is served at the address that pages contain, and loads nothing else', async () => {
    const edge = await serveProbes(pageAssetRoutes(namedBrand('Portico')))
    const address = /rel="stylesheet" href="([^"]+)"/.exec(FULL)?.[1] ?? ''
    const response = await fetch(edge.url + address)
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const text = await response.text()
    expect(text).toBe(pageStyle().text)
    expect(text).not.toMatch(/https?:\/\/|@import|url\(/)
    await edge.close()
  })

  test('defines every class that pages use', () => {
    const used = new Set([...FULL.matchAll(/class="([^"]+)"/g)].flatMap(([, names]) => names?.split(' ') ?? []))
    expect([...used].filter((name) => !pageStyle().text.includes(`.${name}`))).toEqual([])
  })

  test('defines its colours in one place only', () => {
    const own = readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8')
    expect(own).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/)
  })
})

describe('text has a contrast of at least 7:1 with its background', () => {
  const [light = '', dark = ''] = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').split('@media')
  const coloursIn = (text: string) => [...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)]
  const paletteOf = (...texts: string[]) => new Map(texts.flatMap(coloursIn).map(([, name, value]) => [name, value]))

  test.each([
    ['light', paletteOf(light)],
    ['dark', paletteOf(light, dark)],
  ])('%s', (_, palette) => {
    const pairs = [
      ...['ink', 'muted', 'accent', 'danger'].flatMap((text) => [
        [text, 'ground'],
        [text, 'paper'],
      ]),
      ...[
        ['ink', 'raised'],
        ['muted', 'raised'],
        ['accent', 'raised'],
        ['on-accent', 'accent'],
        ['on-danger', 'danger'],
      ],
      ...[
        ['warning', 'warning-ground'],
        ['danger', 'danger-ground'],
        ['on-accent', 'accent-strong'],
      ],
    ]
    const low = pairs.filter(([text, ground]) => contrast(palette.get(text) ?? '', palette.get(ground) ?? '') < 7)
    expect(low).toEqual([])
  })
})

/** The contrast ratio of WCAG 2. */
function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('a page of the settings', () => {
  const shown = settingsPage({
    tab: 'organizations',
    title: 'Acme',
    heading: HOSTILE,
    lead: HOSTILE,
    person: PERSON,
    csrf: 'token-of-this-browser',
    main: card('content'),
  })

  test('has links to every tab and marks its own tab, also for screen readers', () => {
    const nav = /<nav [^>]*>.*?<\/nav>/s.exec(shown)?.[0] ?? ''
    expect(nav).toContain('aria-label="Settings"')
    expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/settings',
      '/settings/security',
      '/settings/apps',
      '/settings/organizations',
      '/settings/data',
    ])
    expect(nav.match(/aria-current="page"/g)).toHaveLength(1)
    expect(nav).toContain('<a href="/settings/organizations" aria-current="page">Organizations</a>')
  })

  test('has one heading and a title of the window, and shows hostile text as text', () => {
    expect(shown.match(/<h1>/g)).toHaveLength(1)
    expect(shown).toContain('<title>Acme · Portico</title>')
    expect(shown).not.toContain('<script')
  })
})
