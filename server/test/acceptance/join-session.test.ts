import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { runJoinSession } from '../../../docs/examples/join-session.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'

type Person = Credentials & { id: string; syndicates: string[] }
type Demo = {
  base_url: string
  operator_keys: { test: string }
  apps: { name: string; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'founder' | 'editor' | 'investor' | 'manager' | 'developer', Person>
}
type Attributes = Record<string, unknown> & { url: string; status: string; embed: { url: string } | null }
type Data = { id: string; attributes: Attributes; target: { name: string } }
type Answer = { status: number; data: Data; token: { access_token: string } }

let demo: Demo
let browser: Browser
let manager: ReturnType<typeof api>
/**
 * The app's installations, by the name of the syndicate. Lakeshore's managers approve applicants, Open Table accepts
 * every person, and Harbor Street has a fund.
 */
const installed = new Map<string, { id: string; token: string }>()

sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  const app = demo.apps.find(({ name }) => name === 'Fieldbook CRM')
  const client = app?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (client === undefined) throw new Error('the demo has no such key')
  const scopes = ['write:installations', 'write:syndicates']
  const { access_token } = await connect(demo.base_url, demo.people.manager, { client, scopes })
  manager = api(access_token)
  for (const id of demo.people.manager.syndicates) {
    const { token, data } = await manager('POST', '/installations', {
      target_type: 'syndicate',
      target_id: id,
    })
    installed.set(data.target.name, { id, token: token.access_token })
  }
})
afterAll(() => browser?.close())

const api =
  (token: string) =>
  async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(demo.base_url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { ...((await answer.json()) as Answer), status: answer.status }
  }

const onSyndicate = (name: 'Lakeshore Angels' | 'Open Table Collective' | 'Harbor Street Partners') => {
  const found = installed.get(name)
  if (found === undefined) throw new Error(`the demo has no ${name}`)
  return { syndicate: found.id, token: found.token, call: api(found.token), base: demo.base_url }
}

async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByRole('link', { name: /^Sign in to/ }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Presses Continue on the first page. After that, the session has a user. */
async function pressContinue(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Continue as / }).click()
}

/** Starts a partner's site on this machine that shows this page, and returns its address. */
async function partnerPage(html: () => string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Returns a link as a promise, and the function that resolves it. */
function deferredLink() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { link: promise, send: resolve }
}

describe('a join session, run by a partner script that receives its events,', () => {
  test('completes at once in an auto-approving syndicate, with the event syndicate_member.joined', async () => {
    const { link, send } = deferredLink()
    const running = runJoinSession({ ...onSyndicate('Open Table Collective'), send })
    const page = await visitor()
    await page.goto(await link)
    expect(await page.getByText('Sandbox.').count()).toBe(1)
    await expectAccessible(page)
    await signIn(page, demo.people.founder)
    await page.getByRole('heading', { name: 'Join Open Table Collective?', level: 1 }).waitFor()
    await expectAccessible(page)
    await pressContinue(page)
    await page.getByText('You become a member at once.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Join Open Table Collective' }).click()
    await page.getByText('Thank you. You can close this window.').waitFor()
    const { status, received, returned } = await running
    expect(status).toBe('joined')
    expect(received.map(({ event }) => event).toSorted()).toEqual(['join_session.completed', 'syndicate_member.joined'])
    expect(received.every(({ data }) => data.user?.id === demo.people.founder.id)).toBe(true)
    expect(returned).toMatch(/^\/welcome\?join_session_id=js_\w+&status=joined$/)
  })

  test('completes for a member who confirms the membership to the app, without joining again', async () => {
    const { call, syndicate } = onSyndicate('Open Table Collective')
    const first = await call('POST', `/syndicates/${syndicate}/join_sessions`)
    const page = await visitor()
    await page.goto(first.data.attributes.url)
    await signIn(page, demo.people.editor)
    await pressContinue(page)
    await page.getByRole('button', { name: 'Join Open Table Collective' }).click()
    await page.getByRole('heading', { name: 'You are a member of Open Table Collective' }).waitFor()
    const { link, send } = deferredLink()
    const running = runJoinSession({ ...onSyndicate('Open Table Collective'), send })
    await page.goto(await link)
    await pressContinue(page)
    await page.getByRole('button', { name: 'Tell Fieldbook CRM that I am a member' }).click()
    await page.getByText('Thank you. You can close this window.').waitFor()
    const { status, received } = await running
    expect(status).toBe('joined')
    expect(received.map(({ event }) => event)).toEqual(['join_session.completed'])
    // Another person who has the link does not see the outcome.
    const stranger = await visitor({ viewport: { width: 360, height: 640 } })
    await stranger.goto(await link)
    await stranger.getByRole('heading', { name: 'This link has been used' }).waitFor()
    expect(await stranger.getByRole('link', { name: 'Return to Fieldbook CRM' }).getAttribute('href')).toMatch(
      /\/welcome$/,
    )
    expect(await overflow(stranger)).toBe(0)
  })

  test('waits in pending_approval where managers approve, and completes after the approval', async () => {
    const { link, send } = deferredLink()
    const { call, ...there } = onSyndicate('Lakeshore Angels')
    const running = runJoinSession({ ...there, send })
    // The person uses a browser without scripts, with the keyboard.
    const page = await visitor({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } })
    await page.goto(await link)
    expect(await overflow(page)).toBe(0)
    await signIn(page, demo.people.editor)
    await page.getByRole('button', { name: /^Continue as / }).focus()
    expect(await overflow(page)).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Apply to Lakeshore Angels' }).focus()
    expect(await overflow(page)).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForURL(/status=pending_approval$/)
    const id = new URL(page.url()).searchParams.get('join_session_id')
    const { data } = await call('GET', `/syndicates/${there.syndicate}/join_sessions/${id}`)
    expect(data.attributes).toMatchObject({ status: 'pending_approval', user: { id: demo.people.editor.id } })
    const member = `/syndicates/${there.syndicate}/members/${data.attributes['membership_id']}`
    const approved = await manager('POST', `${member}/approve`)
    expect(approved.status).toBe(200)
    const { status, received } = await running
    expect(status).toBe('joined')
    expect(received.filter(({ event }) => event.startsWith('join_session')).map(({ event }) => event)).toEqual([
      'join_session.pending_approval',
      'join_session.completed',
    ])
  })

  test('shows a person who cannot join the reason, and notifies the app when the person agrees', async () => {
    const { link, send } = deferredLink()
    const running = runJoinSession({ ...onSyndicate('Harbor Street Partners'), send })
    const page = await visitor()
    await page.goto(await link)
    await signIn(page, demo.people.developer)
    await pressContinue(page)
    await page.getByRole('button', { name: 'Let Fieldbook CRM know' }).click()
    const { status, received } = await running
    expect(status).toBe('ineligible')
    expect(received.map(({ event }) => event)).toEqual(['join_session.ineligible'])
    expect(received[0]?.data.ineligible_reason).toMatch(/^(accreditation_required|requires_investment)$/)
  })
})

describe('the user of a session', () => {
  test('is set by Continue on the page or by the sandbox’s sign_in, never by opening the link', async () => {
    const { call, syndicate } = onSyndicate('Lakeshore Angels')
    const sessions = `/syndicates/${syndicate}/join_sessions`
    const [hosted, played] = [await call('POST', sessions), await call('POST', sessions)]
    const userOf = async ({ data }: Answer) => (await call('GET', `${sessions}/${data.id}`)).data.attributes['user']
    const page = await visitor({ viewport: { width: 360, height: 640 } })
    await page.goto(hosted.data.attributes.url)
    await signIn(page, demo.people.investor)
    await page.getByText('sees who you are').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await userOf(hosted)).toBeNull()
    await pressContinue(page)
    await page.getByRole('heading', { name: 'What Fieldbook CRM learns' }).waitFor()
    const person = await userOf(hosted)
    expect(person).toMatchObject({ id: demo.people.investor.id })
    const signedIn = await api(demo.operator_keys.test)('POST', `/sandbox/join_sessions/${played.data.id}/sign_in`, {
      user: demo.people.investor.id,
    })
    expect(signedIn.status).toBe(200)
    expect(await userOf(played)).toEqual(person)
    await page.goto(played.data.attributes.url)
    await page.getByRole('heading', { name: 'What Fieldbook CRM learns' }).waitFor()
    const other = await visitor()
    for (const { data } of [hosted, played]) {
      await other.goto(data.attributes.url)
      if (data === hosted.data) await signIn(other, demo.people.editor)
      await other.getByRole('heading', { name: 'This link is another person’s' }).waitFor()
    }
  })
})

describe('an embedded form, in a browser', () => {
  test('appears on the partner’s site in the chosen theme, and the person joins in a window of our own site', async () => {
    const { call, syndicate } = onSyndicate('Open Table Collective')
    let form = ''
    const origin = await partnerPage(
      () => `<title>Partner</title><iframe src="${form}" width="340" height="420"></iframe>`,
    )
    const looks = { name: 'Night', accent: '#ffd166', paper: '#14213d', ink: '#ffffff', corners: 'round' }
    const theme = await call('POST', `/syndicates/${syndicate}/join_themes`, looks)
    const made = await call('POST', `/syndicates/${syndicate}/join_sessions`, {
      embed: { origins: [origin], theme: { id: theme.data.id } },
    })
    form = made.data.attributes.embed?.url ?? ''
    const page = await visitor()
    await page.goto(origin)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Join Open Table Collective' }).waitFor()
    const [, inner] = page.frames()
    const ground = await inner?.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe('rgb(20, 33, 61)')
    expect(await frame.locator('form').count()).toBe(0)
    const opening = page.context().waitForEvent('page')
    await frame.getByRole('link', { name: /^Continue at/ }).click()
    const window = await opening
    await signIn(window, demo.people.developer)
    await pressContinue(window)
    await window.getByRole('button', { name: 'Join Open Table Collective' }).click()
    await window.getByRole('heading', { name: 'You are a member of Open Table Collective' }).waitFor()
    await frame.getByRole('link', { name: 'I have finished there' }).click()
    await frame.getByText('This form has been used').waitFor()
    const { data } = await call('GET', `/syndicates/${syndicate}/join_sessions/${made.data.id}`)
    expect(data.attributes).toMatchObject({ status: 'joined', theme: { id: theme.data.id, version: 1 } })
  })

  test('cannot be framed by a site that the session does not list, and no site can frame the session’s own page', async () => {
    const { call, syndicate } = onSyndicate('Open Table Collective')
    let shown = ''
    const origin = await partnerPage(() => `<title>Partner</title><iframe src="${shown}"></iframe>`)
    const elsewhere = await partnerPage(() => `<title>Elsewhere</title><iframe src="${shown}"></iframe>`)
    const { data } = await call('POST', `/syndicates/${syndicate}/join_sessions`, { embed: { origins: [origin] } })
    const cases = [
      [origin, data.attributes.embed?.url ?? '', 1],
      [elsewhere, data.attributes.embed?.url ?? '', 0],
      [origin, data.attributes.url, 0],
    ] as const
    for (const [site, address, seen] of cases) {
      shown = address
      const page = await visitor()
      await page.goto(site, { waitUntil: 'load' })
      expect([site, (await page.frameLocator('iframe').getByText('Open Table Collective').count()) > 0]).toEqual([
        site,
        seen === 1,
      ])
    }
  })
})
