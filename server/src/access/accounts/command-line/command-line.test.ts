import { createHash, randomBytes } from 'node:crypto'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount, disableAccount } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'
import { codePhrase, deviceName } from './sessions.ts'

const PASSWORD = 'lantern over a quiet harbour'
const STEP_MS = 30_000
const clock = movableClock(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2)

let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { clock })
})
afterAll(async () => {
  await service.close()
  await db.close()
})
/** All tests sign in from one network address. Attempts of earlier tests are deleted, because the limit counts them. */
beforeEach(() => db.sql('delete from platform.sign_in_attempts'))

async function aPerson() {
  const email = `${newId('account').slice(5)}@example.org`
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  const browser = service.browser()
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  return { id, email, browser }
}

/** The values that a command line creates before it opens the browser. */
function aRequest(changes: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const query = {
    redirect_uri: 'http://127.0.0.1:49152/callback',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    device: 'ada-laptop',
    ...changes,
  }
  return { verifier, challenge, state, address: `/command-line?${new URLSearchParams(query)}` }
}

/** Presses a button of the page. Sends only the fields given here, because `submit` would add those of other forms, such as “Not you?”. */
async function press(browser: TestBrowser, address: string, fields: Readonly<Record<string, string>>) {
  const { csrf = '' } = hiddenFields((await browser.open(address)).text)
  const body = new URLSearchParams({ csrf, ...fields })
  return browser.send(address, { method: 'POST', body, headers: { origin: service.url } })
}

const decide = (browser: TestBrowser, address: string, decision = 'allow') => press(browser, address, { decision })

const answerOf = (location: string | null) => new URL(location ?? 'http://none.invalid').searchParams

/** The person has allowed the command line, which has not exchanged its code yet. */
async function allowed(browser: TestBrowser, request = aRequest()) {
  const { location } = await decide(browser, request.address)
  return { ...request, code: answerOf(location).get('code') ?? '' }
}

const exchange = (body: object) =>
  fetch(`${service.url}/portal/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const redeem = (code: string, verifier: string) => exchange({ code, code_verifier: verifier })

/** A command line that is signed in. */
async function aCommandLine(person?: Awaited<ReturnType<typeof aPerson>>) {
  const owner = person ?? (await aPerson())
  const { code, verifier } = await allowed(owner.browser)
  const response = await redeem(code, verifier)
  const { access_token: token } = (await response.json()) as { access_token: string }
  return { ...owner, token }
}

const call = (token: string, init: RequestInit = {}) =>
  fetch(`${service.url}/portal/api/session`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
const statusOf = async (token: string) => (await call(token)).status
const sessionIdOf = async (account: string) =>
  (
    await db.sql<{ id: string }>(
      "select id from platform.sign_in_sessions where account_id = $1 and kind = 'command_line'",
      [account],
    )
  )[0]?.id ?? ''

describe('GET /command-line', () => {
  test('shows the device, the code phrase and a button to decline, and cannot be framed', async () => {
    const { browser } = await aPerson()
    const request = aRequest()
    const { status, text, headers } = await browser.open(request.address)
    expect(status).toBe(200)
    expect(text).toContain('Allow the command line on <bdi>ada-laptop</bdi> to act for you?')
    expect(text).toContain(codePhrase(request.challenge))
    expect(text).toContain('No, thank you')
    expect(headers.get('x-frame-options')).toBe('DENY')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' http://127.0.0.1:49152;")
  })

  test('derives the code phrase as documented', () => {
    expect(codePhrase('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe('RCTN-CQQC')
  })

  test('sends a signed-out person to the sign-in page, which leads back to the same request', async () => {
    const { address } = aRequest()
    const { status, location } = await service.browser().open(address)
    expect(status).toBe(303)
    expect(new URL(location ?? '', service.url).searchParams.get('return_to')).toBe(address)
  })

  test('asks a person to confirm their identity if they signed in more than ten minutes ago', async () => {
    const { browser, id } = await aPerson()
    await db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`,
      [id],
    )
    const request = aRequest()
    expect((await browser.open(request.address)).location).toMatch(/^\/sign-in\/confirm\?return_to=%2Fcommand-line/)
    // 307, so that the browser submits the form again after the person has confirmed their identity.
    expect((await decide(browser, request.address)).status).toBe(307)
    expect(await sessionIdOf(id)).toBe('')
  })

  test.each([
    ['another host', { redirect_uri: 'http://evil.example:49152/callback' }],
    ['localhost by name', { redirect_uri: 'http://localhost:49152/callback' }],
    ['https', { redirect_uri: 'https://127.0.0.1:49152/callback' }],
    ['a user in front of the host', { redirect_uri: 'http://127.0.0.1:1@evil.example/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:49152/other' }],
    ['no port', { redirect_uri: 'http://127.0.0.1/callback' }],
    ['a port that does not exist', { redirect_uri: 'http://127.0.0.1:65536/callback' }],
    ['a fragment', { redirect_uri: 'http://127.0.0.1:49152/callback#x' }],
    ['a challenge of another kind', { code_challenge_method: 'plain' }],
    ['a malformed challenge', { code_challenge: 'short' }],
    ['a short state', { state: 'x' }],
  ])('shows an error page, without a redirect, and allows nothing for a request with %s', async (_, changes) => {
    const { browser, id } = await aPerson()
    const { address } = aRequest(changes)
    const { csrf = '' } = hiddenFields((await browser.open(aRequest().address)).text)
    const opened = await browser.open(address)
    expect([opened.status, opened.location]).toEqual([400, null])
    expect(opened.text).toContain('This link is not complete')
    const body = new URLSearchParams({ csrf, decision: 'allow' })
    expect(await browser.send(address, { method: 'POST', body })).toMatchObject({ status: 400, location: null })
    expect(await sessionIdOf(id)).toBe('')
  })

  test('writes the name of the computer as plain text', async () => {
    const { browser } = await aPerson()
    const { text } = await browser.open(aRequest({ device: '<b>evil</b>\u202e\nlaptop' }).address)
    expect(text).toContain('<bdi>-b-evil-b-laptop</bdi>')
    expect(deviceName('')).toBe('this computer')
    expect(deviceName('x'.repeat(200))).toHaveLength(60)
    expect(deviceName('Ada’s MacBook Pro.local')).toBe('Ada’s MacBook Pro.local')
  })
})

describe('POST /command-line', () => {
  test('redirects to the loopback address with a code and the state', async () => {
    const { browser } = await aPerson()
    const { address, state } = aRequest()
    const { status, location } = await decide(browser, address)
    expect(status).toBe(303)
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?/)
    const result = answerOf(location)
    expect(result.get('code')).toMatch(/^portico_cli_code_[\w-]{43}$/)
    expect(result.get('state')).toBe(state)
  })

  test('redirects with access_denied after “No, thank you”, and creates no session', async () => {
    const { browser, id } = await aPerson()
    const { address, state } = aRequest()
    const { location } = await decide(browser, address, 'decline')
    expect(Object.fromEntries(answerOf(location))).toEqual({ error: 'access_denied', state })
    expect(await sessionIdOf(id)).toBe('')
  })

  test('403 for a form of another site, or without the CSRF token; nothing is created', async () => {
    const { browser, id } = await aPerson()
    const { address } = aRequest()
    const { csrf = '' } = hiddenFields((await browser.open(address)).text)
    const { csrf: strangers = '' } = hiddenFields((await (await aPerson()).browser.open(address)).text)
    const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      browser.send(address, { method: 'POST', headers, body: new URLSearchParams({ decision: 'allow', ...fields }) })
    const responses = [
      await send({}),
      await send({ csrf: strangers }),
      await send({ csrf }, { origin: 'https://evil.example' }),
      await send({ csrf }, { 'sec-fetch-site': 'cross-site' }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await sessionIdOf(id)).toBe('')
  })

  test('asks a person for their second factor before the page is shown', async () => {
    const { browser, email } = await aPerson()
    const { text } = await browser.open('/settings/security/authenticator')
    const secret = /<code class="whole">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const code = () => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) })
    const body = new URLSearchParams({ ...hiddenFields(text), code: code() })
    expect((await browser.send('/settings/security/authenticator', { method: 'POST', body })).status).toBe(200)
    clock.advance(STEP_MS)

    const other = service.browser()
    const request = aRequest()
    const signIn = `/sign-in?return_to=${encodeURIComponent(request.address)}`
    const first = await other.submit(signIn, '/sign-in', { email, password: PASSWORD })
    expect(first.location).toContain('/sign-in/second-step')
    expect((await other.open(request.address)).location).toMatch(/^\/sign-in\?/)
    const second = await other.submit(first.location ?? '', '/sign-in/second-step', { code: code() })
    expect(second.location).toBe(request.address)
    const { code: codeOfIt } = await allowed(other, request)
    expect((await redeem(codeOfIt, request.verifier)).status).toBe(200)
  })
})

describe('POST /portal/api/session', () => {
  test('issues a bearer with a prefix for secret scanners, stores only its digest, and mails the person', async () => {
    const { browser, id, email } = await aPerson()
    const { code, verifier } = await allowed(browser)
    const response = await redeem(code, verifier)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({ token_type: 'bearer', device: 'ada-laptop' })
    const token = String(body['access_token'])
    expect(token).toMatch(/^portico_cli_[A-Za-z0-9_-]{43}$/)
    expect(await statusOf(token)).toBe(200)
    const rows = await db.sql('select s::text as row from platform.sign_in_sessions s where account_id = $1', [id])
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token.slice(12)}|${code.slice(17)}`))
    const mails = await service.mailsTo(email)
    expect(mails.at(-1)).toMatchObject({ subject: 'A command line may act for you' })
    expect(mails.at(-1)?.text).toContain('ada-laptop')
    expect(service.logLines.join()).not.toContain(token)
    const audited = await db.sql('select action from platform.audit_entries where subject = $1', [id])
    expect(audited).toContainEqual({ action: 'account.command_line_allowed' })
  })

  test('ten exchanges of one code at once start one session', async () => {
    const { browser, id } = await aPerson()
    const { code, verifier } = await allowed(browser)
    const responses = await Promise.all(Array.from({ length: 10 }, () => redeem(code, verifier)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)])
    const stored = await db.sql(
      "select 1 from platform.sign_in_sessions where account_id = $1 and kind = 'command_line'",
      [id],
    )
    expect(stored).toHaveLength(1)
    const winner = responses.find(({ status }) => status === 200)
    const { access_token: token = '' } = ((await winner?.json()) ?? {}) as { access_token?: string }
    expect(await statusOf(token)).toBe(200)
  })

  test('gives the same error for a code that is unknown, used or expired, and for a wrong verifier', async () => {
    const used = await allowed((await aPerson()).browser)
    await redeem(used.code, used.verifier)
    const expired = await aPerson()
    const late = await allowed(expired.browser)
    await db.sql(
      `update platform.sign_in_sessions set created_at = now() - interval '2 minutes', expires_at = now() - interval '1 minute'
        where account_id = $1 and kind = 'command_line'`,
      [expired.id],
    )
    const wrong = await allowed((await aPerson()).browser)
    const others = await allowed((await aPerson()).browser)
    const mine = aRequest()
    const responses = [
      await redeem(`portico_cli_code_${'A'.repeat(43)}`, mine.verifier),
      await redeem('no code', mine.verifier),
      await redeem(used.code, used.verifier),
      await redeem(late.code, late.verifier),
      await redeem(wrong.code, aRequest().verifier),
      await redeem(others.code, mine.verifier),
      await redeem(others.code, 'short'),
    ]
    const bodies = await Promise.all(responses.map(async (result) => [result.status, await withoutRequestId(result)]))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(responses[0]?.status).toBe(400)
    // A wrong verifier has ended the code, so that no other verifier can be tried.
    expect((await redeem(wrong.code, wrong.verifier)).status).toBe(400)
  })

  test('rejects a code if its person ended all other sessions or was disabled after the code was issued', async () => {
    const first = await aPerson()
    const other = await signedInAgain(first.email)
    const ended = await allowed(first.browser)
    await other.submit('/settings/security', '/settings/security/sessions/end-others', {})
    expect((await redeem(ended.code, ended.verifier)).status).toBe(400)
    const second = await aPerson()
    const disabled = await allowed(second.browser)
    await db.databases.platform.transaction((tx) => disableAccount(tx, second.id, 'opk_tests'))
    expect((await redeem(disabled.code, disabled.verifier)).status).toBe(400)
  })

  test('only a person’s newest twenty command lines stay signed in', async () => {
    const person = await aPerson()
    const tokens: string[] = []
    for (let at = 0; at < 21; at++) tokens.push((await aCommandLine(person)).token)
    expect([await statusOf(tokens[0] ?? ''), await statusOf(tokens[1] ?? '')]).toEqual([401, 200])
  })

  test('a code that was never exchanged, and an expired command line, do not count toward the twenty', async () => {
    const person = await aPerson()
    const { token: first } = await aCommandLine(person)
    const { token: expired } = await aCommandLine(person)
    await db.sql('update platform.sign_in_sessions set expires_at = clock_timestamp() where hash = $1', [
      createHash('sha256').update(expired).digest(),
    ])
    await allowed(person.browser)
    for (let at = 0; at < 19; at++) await aCommandLine(person)
    expect([await statusOf(first), await statusOf(expired)]).toEqual([200, 401])
    await aCommandLine(person)
    expect(await statusOf(first)).toBe(401)
  })
})

async function withoutRequestId(result: Response): Promise<unknown> {
  const { error } = (await result.json()) as { error: { request_id?: string } }
  return { ...error, request_id: undefined }
}

async function signedInAgain(email: string): Promise<TestBrowser> {
  const browser = service.browser()
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  return browser
}

describe('a command line’s session', () => {
  test('returns the name of the computer, and ends at a request of the command line', async () => {
    const { token } = await aCommandLine()
    const shown = (await (await call(token)).json()) as { data: unknown }
    expect(shown.data).toMatchObject({ type: 'session', attributes: { kind: 'command_line', device: 'ada-laptop' } })
    expect((await call(token, { method: 'DELETE' })).status).toBe(204)
    expect(await statusOf(token)).toBe(401)
  })

  test('opens no page; a bearer is not accepted as a cookie, nor a cookie as a bearer', async () => {
    const { token, browser } = await aCommandLine()
    const page = await fetch(`${service.url}/settings/security`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
    })
    expect(page.status).toBe(303)
    const cookie = browser.cookies.get('portico') ?? ''
    const asCookie = await fetch(`${service.url}/portal/api/session`, { headers: { cookie: `portico=${token}` } })
    expect([asCookie.status, await statusOf(cookie)]).toEqual([401, 401])
  })

  test('a request with an invalid bearer is rejected although its cookie is valid', async () => {
    const { token, browser } = await aCommandLine()
    const cookie = `portico=${browser.cookies.get('portico') ?? ''}`
    for (const authorization of ['Bearer', 'Bearer x', `Bearer ${token}x`, 'bearer portico_cli_']) {
      const result = await fetch(`${service.url}/portal/api/session`, { headers: { cookie, authorization } })
      expect([authorization, result.status]).toEqual([authorization, 401])
    }
    const both = await call(token, { headers: { cookie } })
    expect((await both.json()) as unknown).toMatchObject({ data: { attributes: { kind: 'command_line' } } })
    // A request with the cookie needs the CSRF token, although one with a bearer needs none.
    const change = await fetch(`${service.url}/portal/api/session`, { method: 'DELETE', headers: { cookie } })
    expect(change.status).toBe(403)
  })

  test('does nothing for a page of another site', async () => {
    const { token } = await aCommandLine()
    expect((await call(token, { method: 'DELETE', headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect(await statusOf(token)).toBe(200)
  })

  test('is listed with its computer on the security page, where only its own person can end it', async () => {
    const { token, browser, id } = await aCommandLine()
    const { text } = await browser.open('/settings/security')
    expect(text).toContain('Command line on <bdi>ada-laptop</bdi>')
    const end = `/settings/security/sessions/${await sessionIdOf(id)}/end`
    await (await aPerson()).browser.submit('/settings/security', end, {})
    expect(await statusOf(token)).toBe(200)
    expect((await browser.submit('/settings/security', end, {})).location).toContain('session_ended')
    expect(await statusOf(token)).toBe(401)
  })

  test('ends when other sessions are ended, the password changes or is reset, or the account is disabled', async () => {
    const out = await aCommandLine()
    await out.browser.submit('/settings/security', '/settings/security/sessions/end-others', {})
    const changed = await aCommandLine()
    const fresh = { current: PASSWORD, password: 'seven geese above the mill' }
    await changed.browser.submit('/settings/password', '/settings/password', fresh)
    const reset = await aCommandLine()
    await service.browser().submit('/forgot-password', '/forgot-password', { email: reset.email })
    const link = await service.linkTo(reset.email)
    await service.browser().submit(link, link, { password: fresh.password })
    const disabled = await aCommandLine()
    await db.databases.platform.transaction((tx) => disableAccount(tx, disabled.id, 'opk_tests'))
    for (const { token } of [out, changed, reset, disabled]) expect(await statusOf(token)).toBe(401)
  })

  test('continues after the browser in which it was allowed has signed out', async () => {
    const { token, browser } = await aCommandLine()
    await browser.submit('/settings/security', '/sign-out', {})
    expect(await statusOf(token)).toBe(200)
  })

  test('is extended by a use, but to at most 30 days after it began; an expired session is rejected', async () => {
    const { token, id } = await aCommandLine()
    const age = (created: string, seen: string) =>
      db.sql(
        `update platform.sign_in_sessions set created_at = now() - $2::interval, seen_at = now() - $3::interval
          where account_id = $1 and kind = 'command_line'`,
        [id, created, seen],
      )
    const days = async () => {
      const [row] = await db.sql<{ days: number }>(
        `select round(extract(epoch from expires_at - now()) / 86400)::int as days
           from platform.sign_in_sessions where account_id = $1 and kind = 'command_line'`,
        [id],
      )
      return row?.days
    }
    await age('28 days', '6 minutes')
    expect(await statusOf(token)).toBe(200)
    await expect.poll(days).toBe(2)
    await db.sql(
      `update platform.sign_in_sessions set expires_at = now() - interval '1 second' where account_id = $1 and kind = 'command_line'`,
      [id],
    )
    expect(await statusOf(token)).toBe(401)
  })
})

describe('/command-line/confirm', () => {
  const provenSeconds = async (id: string) => {
    const [row] = await db.sql<{ seconds: number }>(
      `select extract(epoch from now() - proven_at)::int as seconds
         from platform.sign_in_sessions where account_id = $1 and kind = 'command_line'`,
      [id],
    )
    return row?.seconds ?? Number.NaN
  }
  const forget = (id: string) =>
    db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '1 hour' where account_id = $1 and kind = 'command_line'`,
      [id],
    )

  test('gives the command line the proof of the browser when the person presses the button', async () => {
    const { browser, id } = await aCommandLine()
    await forget(id)
    const session = await sessionIdOf(id)
    const address = `/command-line/confirm?session=${session}`
    const { text } = await browser.open(address)
    expect(text).toContain('ada-laptop')
    expect(await provenSeconds(id)).toBeGreaterThan(3_000)
    const done = await press(browser, address, { session })
    expect(done.status).toBe(200)
    expect(await provenSeconds(id)).toBeLessThan(600)
  })

  test('asks the browser for a recent proof first, and gives the command line the time of that proof', async () => {
    const { browser, id } = await aCommandLine()
    const session = await sessionIdOf(id)
    const address = `/command-line/confirm?session=${session}`
    await db.sql(`update platform.sign_in_sessions set proven_at = now() - interval '1 hour' where account_id = $1`, [
      id,
    ])
    expect((await browser.open(address)).location).toMatch(/^\/sign-in\/confirm/)
    await browser.submit(`/sign-in/confirm?return_to=${encodeURIComponent(address)}`, '/sign-in/confirm', {
      password: PASSWORD,
    })
    expect((await press(browser, address, { session })).status).toBe(200)
    expect(await provenSeconds(id)).toBeLessThan(600)
  })

  test('is 404 for another person, for a browser’s session and for an invalid id', async () => {
    const { id } = await aCommandLine()
    await forget(id)
    const stranger = await aPerson()
    const theirs = await sessionIdOf(id)
    const [own] = await db.sql<{ id: string }>('select id from platform.sign_in_sessions where account_id = $1', [
      stranger.id,
    ])
    for (const session of [theirs, own?.id ?? '', newId('account'), 'x']) {
      expect((await stranger.browser.open(`/command-line/confirm?session=${session}`)).status).toBe(404)
      const { csrf = '' } = hiddenFields((await stranger.browser.open('/settings/security')).text)
      const body = new URLSearchParams({ csrf, session })
      expect((await stranger.browser.send('/command-line/confirm', { method: 'POST', body })).status).toBe(404)
    }
    expect(await provenSeconds(id)).toBeGreaterThan(3_000)
  })
})
