import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as Sdk from '@portico/sdk'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { compressedBytes } from '../../scripts/sdk-size.ts'
import { offeredOn } from '../../server/test/contract/flow.ts'
import { type App, CALLBACK, type Key, openStage, type Person, type Stage } from '../../server/test/contract/stage.ts'
import { launchBrowser } from '../../server/test/support/browser.ts'
import { olderNode } from './older-node.ts'
import { programInput, writeProgram } from './runtime-program.ts'

/**
 * These tests run the SDK's JavaScript as partners do: in an older Node (20 to 22) if one is installed, in the Node that runs the
 * tests, and in a browser.
 */

const run = promisify(execFile)

let stage: Stage
let app: App
let publicKey: Key
let person: Person
let folder: string
let bundle: string
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:profile', 'read:webhooks'], approved: true })
  publicKey = await stage.keyOf(app, { clientType: 'public' })
  person = await stage.person()
  await stage.goPublic(await stage.company())
  folder = await mkdtemp(join(tmpdir(), 'portico-sdk-'))
  bundle = await writeProgram(folder)
})
afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true, force: true })
})

const olderNodePath = await olderNode()
describe('in Node', () => {
  test('a Node of version 20 to 22 is on the path if CI requires one', () => {
    expect(olderNodePath !== undefined || process.env['PORTICO_TEST_NODE20'] !== 'required').toBe(true)
  })

  test.each([process.execPath, ...(olderNodePath === undefined ? [] : [olderNodePath])])(
    '%s reads lists, verifies a webhook and opens a stream',
    async (node) => {
      const { clientId, secret: clientSecret } = app.key
      const input = programInput({ baseUrl: stage.service.url, clientId, clientSecret })
      const { stdout } = await run(node, [join(folder, 'program.mjs'), input])
      const expected = { offerings: 1, again: 1, refusal: 'PermissionError', event: { id: 'evt_1' }, status: 'open' }
      expect(JSON.parse(stdout)).toEqual(expected)
    },
  )
})

test('in Chromium, a page of another origin signs a person in with PKCE and a public key', async () => {
  const site = createServer(async (request, response) => {
    response.setHeader('content-type', request.url === '/sdk.mjs' ? 'text/javascript' : 'text/html')
    response.end(request.url === '/sdk.mjs' ? await readFile(bundle) : '<title>A partner’s page</title>')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const browser = await launchBrowser()
  onTestFinished(async () => {
    await browser.close()
    site.closeAllConnections()
    site.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  const runInPage = <T>(work: string, given: object) =>
    page.evaluate<T>(`import('/sdk.mjs').then(async (sdk) => { const given = ${JSON.stringify(given)}; ${work} })`)

  const options = { baseUrl: stage.service.url, clientId: publicKey.clientId, redirectUri: CALLBACK }
  const authorization = await runInPage<Sdk.AuthorizationRequest>('return sdk.authorizeUrl(given)', {
    ...options,
    scope: 'read:profile',
  })
  const path = authorization.url.slice(stage.service.url.length)
  const consent = await person.browser.open(path)
  const { location } = await person.browser.submit(path, { decision: 'connect', scope: offeredOn(consent) })
  const results = await runInPage<readonly [string, string, number]>(
    `const store = sdk.memoryTokenStore(await sdk.exchangeCode(given))
     const signedIn = new sdk.Client({ ...given, credential: sdk.user({ ...given, store }) })
     const { data } = await signedIn.get('/users/me')
     // The page refreshes the token too.
     await store.set({ ...(await store.get()), expiresAt: 0 })
     const next = new sdk.Client({ ...given, credential: sdk.user({ ...given, store }) })
     const again = await next.get('/users/me')
     const open = new sdk.Client({ ...given, credential: sdk.publishableKey(given.clientId) })
     return [data.id, again.data.id, (await open.list('/explore').toArray()).length]`,
    { ...options, ...authorization, callbackUrl: location },
  )
  expect(results).toEqual([person.user, person.user, 1])
})

test('the whole SDK is less than 25 KB compressed, and a page that uses a part of it loads less', async () => {
  const [whole, open] = [await compressedBytes(), await compressedBytes(['Client', 'publishableKey'])]
  expect(whole).toBeLessThan(25 * 1_024)
  expect(open).toBeLessThan(whole / 2 + 1_024)
})
