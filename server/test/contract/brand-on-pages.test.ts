import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedRoutes } from '#main/generated-documents.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'

const LINKS = ['https://vine.example/help', 'https://vine.example/terms', 'https://vine.example/privacy']

let service: ServiceInProcess
beforeAll(async () => {
  service = await serviceInProcess({
    environment: {
      PORTICO_LIMITS: 'off',
      PORTICO_PLATFORM_NAME: 'Harbor & Vine',
      PORTICO_ACCENT_COLOR: '#7a1f5c',
      PORTICO_SUPPORT_URL: LINKS[0] ?? '',
      PORTICO_TERMS_URL: LINKS[1] ?? '',
      PORTICO_PRIVACY_URL: LINKS[2] ?? '',
    },
  })
})
afterAll(() => service?.close())

/** Documents inside a frame, which need not show the brand: the join form of a partner, and the body of a demo mail. */
const FRAMED: ReadonlySet<string> = new Set(['/join/:link/form', '/demo/mail/:file/body'])

/** Every page of the service. If the record in the parameters does not exist, an error page is shown. */
const PAGES = describedRoutes()
  .filter(
    ({ method, path, contentType }) => method === 'GET' && contentType?.startsWith('text/html') && !FRAMED.has(path),
  )
  .map(({ path }) => path.replaceAll(/:\w+/g, 'nothing'))

const ACCEPT = { accept: 'text/html' }

async function expectBrand(path: string): Promise<void> {
  const response = await fetch(service.url + path, { headers: ACCEPT })
  const text = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toMatch(/<title>[^<]*Harbor &amp; Vine/)
  for (const link of LINKS) expect(text).toContain(`<a href="${link}">`)
  expect(text).toContain('<link rel="stylesheet" href="/assets/platform/accent.css?v=')
  const [, icon = ''] = /<link rel="icon" href="([^"]+)">/.exec(text) ?? []
  expect((await fetch(service.url + icon)).status).toBe(200)
}

describe('the platform’s name, colour, icon and links are on', () => {
  test.each(PAGES)('%s', expectBrand)
  test('a page that does not exist', () => expectBrand('/no/such/page'))
})

test('the list of these pages contains well-known pages', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['/', '/status', '/sign-in', '/docs', '/oauth/authorize']))
})
