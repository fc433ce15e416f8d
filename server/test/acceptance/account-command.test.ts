import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './command.ts'
import { type Service, startService, temporaryDirectory } from './service.ts'

const SECRET = 'a sealing secret that is long enough for a test of commands'

/** Acts as a minimal browser for these pages. It stores one cookie, sends forms and follows no redirects. */
function browserAt(origin: string) {
  let cookie = ''
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string>), cookie }
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    const set = response.headers.getSetCookie().flatMap((each) => /^(portico=[^;]*)/.exec(each)?.[1] ?? [])
    cookie = set.at(-1) ?? cookie
    const location = response.headers.get('location') ?? ''
    return { status: response.status, location, text: await response.text() }
  }
  return {
    open: (path: string) => send(path),
    async submit(path: string, fields: Record<string, string>) {
      const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await send(path)).text) ?? []
      return send(path, { method: 'POST', headers: { origin }, body: new URLSearchParams({ csrf, ...fields }) })
    },
  }
}

describe('npm run account, and the first start', () => {
  let environment: Record<string, string>
  let service: Service
  const opened = new AsyncDisposableStack()
  beforeAll(async () => {
    const afterwards = (work: () => Promise<void>) => opened.defer(work)
    const data = await temporaryDirectory(afterwards)
    environment = { PORT: '0', PORTICO_DATA: data, PORTICO_SECRET: SECRET, LOG_LEVEL: 'warn', PORTICO_DEMO: 'off' }
    service = await startService(environment, [], afterwards)
  })
  afterAll(() => opened.disposeAsync())

  const account = (...argv: string[]) => runCommand('account', environment, argv)
  /** Replaces the link's origin, because the command does not know the free port that the service chose. */
  const pathOf = (stdout: string) => new URL(stdout.trim()).pathname
  const isSignedIn = async (browser: ReturnType<typeof browserAt>) => (await browser.open('/sign-in')).status === 303

  test('the terminal shows a link that creates the first administrator and works once', async () => {
    const [, link = ''] = /first administrator[^\n]*\n\n {2}(\S+)/.exec(service.output()) ?? []
    const path = new URL(link).pathname
    const browser = browserAt(service.address)
    const ada = { name: 'Ada', email: 'ada@example.org', password: 'lantern over a quiet harbour' }
    expect((await browser.submit(path, ada)).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
    expect((await browserAt(service.address).open(path)).status).toBe(410)
    expect((await account('list')).stdout).toMatch(/acct_\w+ +ada@example\.org +Ada +admin +active/)
  })

  test('the command creates accounts, invites people, prints links, grants and revokes roles, disables and enables accounts', async () => {
    const made = await account('create', 'grace@example.org', '--name', 'Grace Hopper', '--admin')
    expect(made).toMatchObject({ code: 0 })
    const browser = browserAt(service.address)
    const password = 'seven geese above the mill'
    expect((await browser.submit(pathOf(made.stdout), { password })).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)

    const link = await account('link', 'Grace@example.org')
    const other = browserAt(service.address)
    expect((await other.submit(pathOf(link.stdout), {})).status).toBe(303)
    expect(await isSignedIn(other)).toBe(true)

    expect((await account('staff', 'grace@example.org', 'support')).stderr).toContain('has the staff role support')
    expect((await account('staff')).stdout).toMatch(/grace@example\.org +support +no second factor +active/)
    expect((await account('revoke-admin', 'grace@example.org')).stderr).toContain('has no staff role')
    expect((await account('list', 'grace')).stdout).toMatch(/grace@example\.org +Grace Hopper +- +active/)
    expect(await account('disable', 'grace@example.org')).toMatchObject({ code: 0 })
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, false])
    expect(await account('disable', 'grace@example.org')).toMatchObject({ code: 1 })
    expect(await account('enable', 'grace@example.org')).toMatchObject({ code: 0 })

    const invited = await account('invite', 'ines@example.org')
    expect(invited.stderr).toContain('A mail with it is being sent')
    const ines = { name: 'Ines', password: 'lantern over a quiet harbour' }
    expect((await browserAt(service.address).submit(pathOf(invited.stdout), ines)).status).toBe(303)
    expect(await account('invite', 'ines@example.org')).toMatchObject({ code: 1, stdout: '' })
    for (const { stdout, stderr } of [made, link, invited]) expect(stdout + stderr).not.toMatch(/password: /i)
  })

  test('the command resets the second factors of a person who lost them', async () => {
    const { stdout } = await account('create', 'joan@example.org', '--name', 'Joan Clarke')
    const browser = browserAt(service.address)
    const password = 'seven geese above the mill'
    await browser.submit(pathOf(stdout), { password })
    const at = '/settings/security/authenticator'
    const { text } = await browser.open(at)
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
    const secret = /<code class="whole">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const added = await browser.submit(at, {
      csrf: field('csrf'),
      ticket: field('ticket'),
      code: generateSync({ secret }),
    })
    expect(added.status).toBe(200)
    const signIn = () => browserAt(service.address).submit('/sign-in', { email: 'joan@example.org', password })
    expect((await signIn()).location).toContain('/sign-in/second-step')

    const reset = await account('reset-factors', 'joan@example.org')
    expect(reset).toMatchObject({ code: 0, stdout: '' })
    expect(reset.stderr).toContain('no longer has an authenticator app, passkey or recovery code')
    expect((await signIn()).location).not.toContain('second-step')
    expect(await account('reset-factors', 'nobody@example.org')).toMatchObject({ code: 2, stdout: '' })
  })

  test('a mistyped command changes nothing and prints the usage', async () => {
    const before = (await account('list')).stdout
    for (const argv of [
      ['promote', 'x@example.org'],
      ['create', 'odd@example.org', '--name', ' '],
    ]) {
      const { code, stdout, stderr } = await account(...argv)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('npm run account -- create')
    }
    expect(await account('grant-admin', 'nobody@example.org')).toMatchObject({ code: 2, stdout: '' })
    expect((await account('list')).stdout).toBe(before)
  })
})
