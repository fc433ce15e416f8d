import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { sharedDemoService } from './demo-service.ts'
import { type Client, connect } from './person.ts'

/**
 * "A browser can fetch public reads with a publishable key from another origin." Pages may also call every other bearer
 * route of the partner API with a token. They cannot call the platform's routes, and no request may have cookies.
 */

type Demo = {
  base_url: string
  operator_keys: { test: string }
  apps: { name: string; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'investor', { email: string; password: string }>
  ids: { company: string; offering_public: string; offering_private: string }
}

let demo: Demo
let browser: Browser
/** A site on another origin. Its pages can read only what CORS allows. */
let site: Server
let page: Page
let userToken: string

sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>a site</title>'))
  site.listen(0, '127.0.0.1')
  await new Promise((resolve) => site.once('listening', resolve))
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

const keyOf = (type: string) => {
  const found = demo.apps[0]?.keys.find((key) => key.mode === 'test' && key.type === type)
  if (found === undefined) throw new Error(`the demo has no ${type} key`)
  return found
}

beforeAll(async () => {
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  const scopes = ['read:explore', 'read:profile', 'write:follows']
  const client = keyOf('confidential')
  userToken = (await connect(demo.base_url, demo.people.investor, { client, scopes })).access_token
})

type RequestOptions = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }
/** What the page can read: the response, or 'nothing' if the browser hides it. */
type PageResult = { status: number; headers: Record<string, string>; body: string } | 'nothing'

function fetchFromSite(path: string, sent: RequestOptions = {}): Promise<PageResult> {
  const request = JSON.stringify({ url: demo.base_url + path, sent })
  return page.evaluate<PageResult>(`(async ({ url, sent }) => {
    try {
      const response = await fetch(url, sent)
      const headers = Object.fromEntries(response.headers)
      return { status: response.status, headers, body: await response.text() }
    } catch {
      return 'nothing'
    }
  })(${request})`)
}

const withToken = (token: string, more: Record<string, string> = {}): RequestOptions => ({
  headers: { authorization: `Bearer ${token}`, ...more },
})
const withKey = (more?: Record<string, string>) => withToken(keyOf('public').client_id, more)

/** Returns a response that the page can read. The test fails if the browser hides it. */
async function readFromPage(path: string, sent: RequestOptions) {
  const learned = await fetchFromSite(path, sent)
  if (learned === 'nothing') throw new Error(`the page could not read the response of ${path}`)
  return learned
}

describe('a page on another origin, with a publishable key', () => {
  const reads = [
    ['/explore', () => '/explore?per_page=3&sort=newest'],
    ['/offerings/{id}', () => `/offerings/${demo.ids.offering_public}`],
    ['/companies/{id}', () => `/companies/${demo.ids.company}`],
    ['/companies/search', () => '/companies/search?q=a&limit=3'],
    ['/api/v2/explore', () => '/api/v2/explore'],
  ] as const

  test.each(reads)('reads %s, after a preflight', async (_, path) => {
    const { status, headers, body } = await readFromPage(path(), withKey())
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'wefunder-version': '2026-11-01',
      'wefunder-version-latest': '2026-11-01',
      'x-request-id': expect.stringMatching(/^req_/),
      etag: expect.stringMatching(/^(W\/)?"/),
    })
    expect(JSON.parse(body)).toHaveProperty('data')
  })

  test.each(reads)('gets no body when it requests %s again with its ETag', async (_, path) => {
    const { headers } = await readFromPage(path(), withKey())
    const again = await fetchFromSite(path(), {
      ...withKey({ 'if-none-match': headers['etag'] ?? '' }),
      // With its own cache, the browser would hide the 304 from the page.
      ...{ cache: 'no-store' },
    })
    expect(again).toMatchObject({ status: 304, body: '' })
  })

  test('can choose the API version', async () => {
    const { headers } = await readFromPage('/explore', withKey({ 'wefunder-version': '2026-10-01' }))
    expect(headers).toMatchObject({ 'wefunder-version': '2026-10-01', 'wefunder-version-latest': '2026-11-01' })
  })

  test('can read why its request was rejected', async () => {
    const unknown = await readFromPage('/explore', withToken(`pk_test_${'z'.repeat(24)}`))
    expect([unknown.status, JSON.parse(unknown.body).error.type]).toEqual([401, 'invalid_token'])
    const hidden = await readFromPage(`/offerings/${demo.ids.offering_private}`, withKey())
    expect([hidden.status, JSON.parse(hidden.body).error.type]).toEqual([404, 'not_found'])
    const malformed = await readFromPage('/explore?sort=best', withKey())
    expect([malformed.status, JSON.parse(malformed.body).error.type]).toEqual([400, 'invalid_request'])
  })

  test('reads the description of the API', async () => {
    expect(JSON.parse((await readFromPage('/openapi.json', {})).body).openapi).toBe('3.1.1')
  })
})

describe('a page on another origin, with a user’s token', () => {
  test.each(['/explore', '/users/me', '/users/me/follows', '/installations', '/connected-apps'])(
    'reads the response of %s to that token',
    async (path) => {
      const itself = await fetch(demo.base_url + path, withToken(userToken))
      const { status, headers } = await readFromPage(path, withToken(userToken))
      expect([status, headers['x-request-id']]).toEqual([itself.status, expect.stringMatching(/^req_/)])
    },
  )

  test('may change what the token may change', async () => {
    const path = `/users/me/follows/${demo.ids.company}`
    const followed = async () => {
      const response = await fetch(`${demo.base_url}/users/me/follows?per_page=100`, withToken(userToken))
      const { data } = (await response.json()) as { data: { id: string }[] }
      return data.map(({ id }) => id).includes(demo.ids.company)
    }
    const before = await followed()
    await readFromPage(path, { ...withToken(userToken), method: before ? 'DELETE' : 'PUT' })
    expect(await followed()).toBe(!before)
  })

  test('reads the error when it calls a user’s own routes with a publishable key', async () => {
    expect((await readFromPage('/users/me', withKey())).status).toBe(403)
  })
})

describe('a page on another origin cannot read', () => {
  test('the platform’s routes', async () => {
    expect(await fetchFromSite('/platform/apps', withToken(demo.operator_keys.test))).toBe('nothing')
  })

  test('public reads, if it sends cookies', async () => {
    const sent = { ...withKey(), credentials: 'include' } as RequestOptions
    expect(await fetchFromSite('/explore', sent)).toBe('nothing')
  })
})
