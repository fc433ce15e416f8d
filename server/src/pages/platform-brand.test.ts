import { describe, expect, onTestFinished, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import { pageAssetRoutes } from './assets.ts'
import { html } from './html.ts'
import { page } from './layout.ts'
import {
  accentStyle,
  contrast,
  defaultFavicon,
  isReadableAccent,
  namedBrand,
  type PlatformBrand,
} from './platform-brand.ts'

const PICTURE = { mediaType: 'image/png', bytes: Buffer.from('a picture') } as const
const BRAND: PlatformBrand = {
  name: 'Harbor & Vine',
  accent: '#7a1f5c',
  logo: PICTURE,
  favicon: PICTURE,
  links: {
    support: 'https://help.example/',
    terms: 'https://vine.example/terms',
    privacy: 'https://vine.example/privacy',
  },
}
const pageOf = (brand: PlatformBrand) => page({ title: 'Sign in', main: html`<p>Hello</p>`, brand })
const sourcesOf = (text: string) => [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address]) => address ?? '')

describe('the platform’s brand on a page', () => {
  test('shows the logo instead of the name, with the name as its alternative text', () => {
    const text = pageOf(BRAND)
    expect(text).toMatch(
      /<p class="brand"><a href="\/"><img src="\/assets\/platform\/logo\?v=[\w-]{12}" alt="Harbor &amp; Vine"><\/a><\/p>/,
    )
    expect(text).toContain('<title>Sign in · Harbor &amp; Vine</title>')
  })

  test('shows the favicon, the colour and the links', () => {
    const text = pageOf(BRAND)
    expect(text).toMatch(/<link rel="icon" href="\/assets\/platform\/favicon\?v=/)
    expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/platform\/accent.css\?v=/)
    for (const link of Object.values(BRAND.links)) expect(text).toContain(`<a href="${link}">`)
  })

  test('without settings, shows the name as text, no footer and our icon, and loads nothing else', () => {
    const text = pageOf(namedBrand('Portico'))
    expect(text).toContain('<p class="brand"><a href="/">Portico</a></p>')
    expect(text).not.toContain('<footer')
    expect(text).toMatch(/<link rel="icon" href="\/favicon\.svg\?v=/)
    expect(text).not.toContain('/assets/platform')
  })

  test('loads its files only from our own origin, which serves all of them', async () => {
    const edge = await serveProbes(pageAssetRoutes(BRAND))
    onTestFinished(() => edge.close())
    const sources = sourcesOf(pageOf(BRAND))
    expect(sources).toHaveLength(4)
    for (const address of sources) {
      const response = await fetch(`http://127.0.0.1:${edge.port}${address}`)
      expect([address, response.status]).toEqual([address, 200])
    }
  })

  test('a picture that is not set is not served', async () => {
    const edge = await serveProbes(pageAssetRoutes(namedBrand('Portico')))
    onTestFinished(() => edge.close())
    const response = await fetch(`http://127.0.0.1:${edge.port}/assets/platform/logo`)
    expect(response.status).toBe(404)
  })
})

describe('the favicon', () => {
  const favicon = async (brand: PlatformBrand, path: string) => {
    const edge = await serveProbes(pageAssetRoutes(brand))
    onTestFinished(() => edge.close())
    const response = await fetch(`http://127.0.0.1:${edge.port}${path}`)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  test.each(['/favicon.ico', '/favicon.svg'])('is our icon at %s, in the platform’s colour', async (path) => {
    const { status, type, text } = await favicon({ ...BRAND, favicon: null }, path)
    expect([status, type]).toEqual([200, 'image/svg+xml'])
    expect(text).toContain('fill="#7a1f5c"')
  })

  test('is the platform’s own if it is set, also for pages without an icon', async () => {
    expect(await favicon(BRAND, '/favicon.ico')).toEqual({ status: 200, type: 'image/png', text: 'a picture' })
    expect((await favicon(BRAND, '/favicon.svg')).status).toBe(404)
  })

  test.each([null, '#7a1f5c', '#000000', '#0f5a43'])('with the colour %s can be recognised', (accent) => {
    const [, tile = '', sign = ''] = /rect .*fill="(#\w{6})".*path fill="(#\w{6})"/.exec(defaultFavicon(accent)) ?? []
    expect(contrast(tile, sign)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('the accent colour', () => {
  test.each(['#7a1f5c', '#0f5a43', '#000000'])('%s can be read on our pages', (colour) => {
    expect(isReadableAccent(colour)).toBe(true)
  })

  test.each(['#ffff00', '#ffffff', '#7fd3b1'])('%s cannot be read on our pages', (colour) => {
    expect(isReadableAccent(colour)).toBe(false)
  })

  test.each(['#7a1f5c', '#000000', '#1a0033'])(
    '%s can be read in the dark scheme too, and so can the text on it',
    (colour) => {
      const [light, dark] = [...accentStyle(colour).matchAll(/--accent: (#\w{6});/g)].map(([, found]) => found ?? '')
      const [onLight, onDark] = [...accentStyle(colour).matchAll(/--on-accent: (#\w{6});/g)].map(
        ([, found]) => found ?? '',
      )
      expect(light).toBe(colour)
      expect(contrast(dark ?? '', '#181d1b')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(onLight ?? '', light ?? '')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(onDark ?? '', dark ?? '')).toBeGreaterThanOrEqual(4.5)
    },
  )
})
