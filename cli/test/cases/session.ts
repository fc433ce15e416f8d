import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { phraseOf } from '../../src/commands/login.ts'
import { newRequests, readRequests } from '../../src/commands/logs.ts'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { allowCommandLine } from '../support/browser.ts'
import { connectionIn, portico, projectFolder, startPortico } from '../support/portico.ts'
import { listeningAt, receiver } from '../support/receiver.ts'

/** The program `true` replaces the browser in tests. */
const NO_BROWSER = { BROWSER: 'true' }

/** For a test that runs many commands one after the other. */
const LONG = { timeout: 120_000 }

export function sessionCases(demo: () => DemoFile): void {
  async function startLogin(directory: string, ...argv: string[]) {
    const how = { directory, environment: NO_BROWSER }
    const running = startPortico(['login', '--base-url', demo().base_url, ...argv], how)
    await expect.poll(() => running.stderr()).toMatch(/code phrase/)
    const [address = ''] = /http\S+\/command-line\?\S+/.exec(running.stderr()) ?? []
    return { running, address, how }
  }

  test('login signs in with the browser, commands then act as the app, and logout ends the session', LONG, async () => {
    const directory = await projectFolder()
    const { running, address, how } = await startLogin(directory, '--app', 'Fieldbook CRM')
    const { shown } = await allowCommandLine(address, demo().people.developer)
    const phrase = phraseOf(new URL(address).searchParams.get('code_challenge') ?? '')
    expect([running.stderr().includes(phrase), shown.includes(phrase)]).toEqual([true, true])
    const ended = await running.ended
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('Working on the app Fieldbook CRM, test.')])
    const path = join(directory, '.config/portico/profiles.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)

    const me = await portico(['whoami', '--json'], how)
    expect(JSON.parse(me.stdout)).toMatchObject({
      source: 'profile',
      email: 'developer@portico.example',
      app: 'Fieldbook CRM',
    })
    expect((await portico(['events', 'list', '--json'], how)).code).toBe(0)
    expect((await portico(['apps', 'list'], how)).stdout).toContain('Fieldbook Digest')
    const following = startPortico(['logs', 'tail', '--status', '4xx', '--json'], how)
    await expect.poll(() => following.stderr()).toContain('Following')
    expect((await portico(['events', 'get', 'evt_missing'], how)).code).toBe(4)
    await expect.poll(() => following.stdout()).toMatch(/"route":"\/events\/\{id\}","status":404/)
    following.child.kill('SIGINT')
    expect(await following.ended).toMatchObject({ code: 0 })
    expect((await portico(['logs', 'tail', '--once'], how)).stdout).toMatch(/\t404\tGET \/events\/\{id\}\t/)
    expect(await portico(['logs', 'tail', '--status', 'bad'], how)).toMatchObject({ code: 2, stdout: '' })

    const connection = await connectionIn(directory)
    const filters = { route: '/events/{id}', status: '404' }
    const logged = () => readRequests(connection, filters, { max: 100 })
    const { length: before } = await logged()
    for (let turn = 0; turn < 4; turn++) expect((await portico(['events', 'get', 'evt_missing'], how)).code).toBe(4)
    await expect.poll(async () => (await logged()).length).toBe(before + 4)
    const rows = await logged()
    const skips = { count: 0 }
    const newSince = (newest: number, max: number) =>
      newRequests(connection, { filters, newest: rows[newest], max, onSkipped: () => skips.count++ })
    const all = newSince(3, 3)
    for (const at of [2, 1, 0]) expect((await all.next()).value).toEqual(rows[at])
    expect(skips.count).toBe(0)
    const some = newSince(3, 2)
    for (const at of [1, 0]) expect((await some.next()).value).toEqual(rows[at])
    expect(skips.count).toBe(1)
    const keys = JSON.parse((await portico(['keys', 'list', '--json'], how)).stdout)
    const own = keys.data.find((key: { attributes: { name: string } }) =>
      key.attributes.name.startsWith('Command line on'),
    )
    const rotated = await portico(['keys', 'rotate', own.id, '--overlap', '0', '--json'], how)
    expect(JSON.parse(rotated.stdout)).toMatchObject({ id: own.id, client_secret: expect.stringMatching(/^sk_test_/) })
    const stale = await portico(['events', 'list'], how)
    expect([stale.code, stale.stderr]).toEqual([3, expect.stringContaining('run portico login again')])
    expect((await portico(['scopes'], how)).stdout).toMatch(/^read:investments\tyes\t/m)

    const saved = await readFile(path, 'utf8')
    expect((await portico(['logout'], how)).stdout).toBe('Logged out.\n')
    expect((await portico(['whoami'], how)).code).toBe(3)
    // The service has ended the session too: the stored profile no longer works.
    await writeFile(path, saved)
    const expired = await portico(['apps', 'list'], how)
    expect([expired.code, expired.stderr]).toEqual([3, expect.stringContaining('run portico login again')])
  })

  test('login fails if the person declines in the browser', async () => {
    const { running, address } = await startLogin(await projectFolder())
    await allowCommandLine(address, demo().people.developer, 'decline')
    expect(await running.ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('You did not allow the command line in the browser.'),
    })
  })

  test('doctor finds a receiver that does not run, one that rejects signed events, and one that accepts a bad signature', async () => {
    const directory = await projectFolder(demo())
    const check = async (url: string) => {
      const { code, stdout } = await portico(['doctor', '--forward-to', url, '--json'], { directory })
      const { checks } = JSON.parse(stdout) as { checks: { check: string; ok: boolean }[] }
      return [code, ...checks.filter(({ ok }) => !ok).map((one) => one.check)]
    }
    const unverifyingReceiver = await receiver()
    expect(await check(unverifyingReceiver.url)).toEqual([6, 'signature'])
    unverifyingReceiver.answer(400)
    expect(await check(unverifyingReceiver.url)).toEqual([6, 'receiver'])
    await unverifyingReceiver.close()
    expect(await check(unverifyingReceiver.url)).toEqual([6, 'receiver'])
    const secret = (await readFile(join(directory, '.portico/listen/signing-secret'), 'utf8')).trim()
    expect(await check(await startVerifyingReceiver(secret))).toEqual([0])
  })

  test('doctor names the credential as the fault, not the service, if the key was revoked', async () => {
    const keys = demo().apps[0]?.keys ?? []
    const clientId = keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)?.client_id
    const environment = { PORTICO_CLIENT_ID: clientId ?? '', PORTICO_CLIENT_SECRET: 'sk_test_revoked' }
    const argv = ['doctor', '--json', '--base-url', demo().base_url, '--forward-to', 'http://127.0.0.1:1']
    const { code, stdout } = await portico(argv, { directory: await projectFolder(), environment })
    const { checks } = JSON.parse(stdout) as { checks: { check: string; ok: boolean; text: string }[] }
    expect([code, ...checks.filter(({ ok }) => ok).map(({ check }) => check)]).toEqual([6, 'service', 'clock'])
    expect(checks.find(({ check }) => check === 'credential')?.text).toContain('Check PORTICO_CLIENT_ID')
  })

  test('doctor finds a wrong clock', async () => {
    const server = createServer(async (request, response) => {
      const { authorization = '' } = request.headers
      const upstreamResponse = await fetch(`${demo().base_url}${request.url}`, {
        headers: authorization === '' ? {} : { authorization },
      })
      const date = new Date(Date.now() - 3_600_000).toUTCString()
      response
        .writeHead(upstreamResponse.status, { 'content-type': 'application/json', date })
        .end(await upstreamResponse.text())
    })
    const url = await listeningAt(server)
    const directory = await projectFolder({ ...demo(), base_url: url })
    const { code, stdout } = await portico(['doctor'], { directory })
    expect([code, stdout]).toEqual([
      6,
      expect.stringMatching(/FAILED {2}clock +this machine is 36\d\d s ahead of the service/),
    ])
  })
}

/** Starts a receiver that verifies signatures, and returns its address. */
function startVerifyingReceiver(secret: string): Promise<string> {
  return listeningAt(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>)
        response.writeHead(204).end()
      } catch {
        response.writeHead(400).end()
      }
    }),
  )
}
