import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { anAccount } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { portalBuild, portalRoutes } from './portal-routes.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.close())

const ADA: AccountCaller = {
  kind: 'account',
  accountId: newId('account'),
  name: 'Ada',
  email: 'ada@example.com',
  sessionHash: Buffer.alloc(32),
  provenSecondsAgo: 0,
}

async function served(directory: string, caller: AccountCaller | null = ADA) {
  const routes = portalRoutes({
    brand: 'Harbor & Vine',
    build: portalBuild(directory),
    platform: db.databases.platform,
  })
  const edge = await serveProbes(routes, {
    ports: { signIns: { find: async () => caller }, csrfKeys: keyring('secret')('csrf') },
  })
  onTestFinished(() => edge.close())
  return (path: string) =>
    fetch(edge.url + path, { headers: { cookie: `portico=${'x'.repeat(43)}` }, redirect: 'manual' })
}

async function builtPortal(script: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await mkdir(join(directory, '.vite'))
  await mkdir(join(directory, 'scripts'))
  await mkdir(join(directory, 'console'))
  const manifest = {
    'src/main.tsx': { file: `scripts/${script}` },
    'src/console/main.tsx': { file: `console/${script}` },
  }
  await writeFile(join(directory, '.vite/manifest.json'), JSON.stringify(manifest))
  const encoded = { '': Buffer.from(script), '.br': brotliCompressSync(script), '.gz': gzipSync(script) }
  for (const [ending, bytes] of Object.entries(encoded)) {
    await writeFile(join(directory, `scripts/${script}${ending}`), bytes)
    await writeFile(join(directory, `console/${script}${ending}`), bytes)
  }
  return directory
}

describe('the portal', () => {
  test('without a build names the command to run', async () => {
    const get = await served(join(tmpdir(), 'no-portal-here'))
    const response = await get('/developers/apps/app_1/logs')
    expect(response.status).toBe(503)
    const text = await response.text()
    expect(text).toContain('has not been built')
    expect(text).toContain('npm ci')
  })

  test('responds at every address with its page, which has the brand and no inline script', async () => {
    const get = await served(await builtPortal('main-1.js'))
    for (const path of ['/developers', '/developers/apps', '/developers/apps/app_1/logs/req_1?mode=live']) {
      const response = await get(path)
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
      const text = await response.text()
      expect(text).toContain('data-brand="Harbor &amp; Vine"')
      expect(text).toContain('src="/developers/scripts/main-1.js"')
      expect(text).not.toMatch(/<script(?![^>]* src=)/)
    }
  })

  test('sends a visitor to sign in and back to the same address', async () => {
    const get = await served(await builtPortal('main-1.js'), null)
    const response = await get('/developers/apps?mode=live')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/sign-in?return_to=%2Fdevelopers%2Fapps%3Fmode%3Dlive')
  })

  test('serves a new build without a restart; a script of the earlier build is 404', async () => {
    const directory = await builtPortal('main-1.js')
    const get = await served(directory)
    expect((await get('/developers/scripts/main-1.js')).status).toBe(200)
    await rm(join(directory, 'scripts'), { recursive: true })
    await cp(await builtPortal('main-2.js'), directory, { recursive: true })
    await utimes(join(directory, '.vite/manifest.json'), new Date(), new Date(Date.now() + 60_000))
    expect(await (await get('/developers')).text()).toContain('/developers/scripts/main-2.js')
    expect((await get('/developers/scripts/main-1.js')).status).toBe(404)
    expect(await (await get('/developers/scripts/main-2.js')).text()).toBe('main-2.js')
  })
})

describe('the console', () => {
  const PATHS = ['/console', '/console/apps/app_1', '/developers/console/main-1.js']
  const statuses = async (get: Awaited<ReturnType<typeof served>>) =>
    Promise.all(PATHS.map(async (path) => (await get(path)).status))

  test('is 404 except for a person with a staff role; a changed role applies from the next request', async () => {
    const caller = { ...ADA, accountId: await anAccount(db) }
    const get = await served(await builtPortal('main-1.js'), caller)
    const setRole = (role: string | null) =>
      db.sql('update platform.accounts set staff_role = $2 where id = $1', [caller.accountId, role])
    expect(await statuses(get)).toEqual([404, 404, 404])
    await setRole('viewer')
    expect(await statuses(get)).toEqual([200, 200, 200])
    const page = await (await get('/console')).text()
    expect(page).toContain('src="/developers/console/main-1.js"')
    expect(page).toContain('<title>Console · Harbor &amp; Vine</title>')
    expect((await get('/developers/console/main-1.js')).headers.get('cache-control')).toBe('private, no-cache')
    await setRole(null)
    expect(await statuses(get)).toEqual([404, 404, 404])
  })

  test('redirects a visitor to the sign-in page, and returns 401 for a script', async () => {
    const get = await served(await builtPortal('main-1.js'), null)
    expect(await statuses(get)).toEqual([303, 303, 401])
    expect((await get('/console/requests')).headers.get('location')).toBe('/sign-in?return_to=%2Fconsole%2Frequests')
  })

  test('the page of the portal does not load scripts of the console', async () => {
    const get = await served(await builtPortal('main-1.js'))
    expect(await (await get('/developers')).text()).not.toContain('/console/')
    expect((await get('/developers/scripts/../console/main-1.js')).status).toBe(404)
  })
})
