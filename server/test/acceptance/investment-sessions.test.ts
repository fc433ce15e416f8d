import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { expectAccessible } from './accessibility.ts'
import { demoService } from './demo-service.ts'
import { type Client, connect } from './person.ts'

type Person = { id: string; email: string; password: string; companies: string[] }
type Demo = {
  base_url: string
  apps: { name: string; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'founder' | 'investor' | 'manager', Person>
}
type Resource = { id: string; attributes: Record<string, unknown> }

let demo: Demo
let browser: Browser
let partner: Server
let hooks: WebhookReceiver
let token: string
let offering: string

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  hooks = await webhookReceiver()
  partner = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>back</title>'))
  partner.listen(0, '127.0.0.1')
  await new Promise((resolve) => partner.once('listening', resolve))
  await installOnCompany()
})
afterAll(async () => {
  await browser?.close()
  await hooks?.close()
  partner?.close()
})

async function api(bearer: string, method: string, path: string, body?: object) {
  const answer = await fetch(demo.base_url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, token: given } = (await answer.json()) as { data: unknown; token: unknown }
  return { status: answer.status, data: data as Resource, list: data as Resource[], given }
}

/** Acts as a founder: connects the app, installs it on the company, and creates an endpoint there. */
async function installOnCompany(): Promise<void> {
  const key = demo.apps[0]?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  const [company = ''] = demo.people.founder.companies
  if (key === undefined) throw new Error('the demo has no app')
  const scopes = ['read:installations', 'write:installations']
  const { access_token } = await connect(demo.base_url, demo.people.founder, { client: key, scopes })
  const { given } = await api(access_token, 'POST', '/installations', { target_type: 'company', target_id: company })
  const { access_token: minted, installation } = given as { access_token: string; installation: string }
  token = minted
  const events = ['created', 'started', 'completed', 'canceled'].map((name) => `investment_session.${name}`)
  const listening = { url: `${hooks.url}/hook`, events, installation_id: installation }
  const { status } = await api(token, 'POST', '/webhook_endpoints', listening)
  expect(status).toBe(201)
  const { list } = await api(key.client_id, 'GET', '/explore?per_page=100')
  offering = list.find((one) => Reflect.get(one, 'company') === company)?.id ?? ''
  expect(offering).toMatch(/^ofr_/)
}

async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function session(more: object) {
  const body = { investment_session: { spv_id: offering, ...more } }
  const { data } = await api(token, 'POST', '/partner/investment_sessions', body)
  return { id: data.id, url: String(data.attributes['url']) }
}

const statusOf = async (id: string) =>
  (await api(token, 'GET', `/partner/investment_sessions/${id}`)).data.attributes['status']

const receivedEvents = () =>
  hooks.received.map(({ body }) => JSON.parse(body.toString()) as { event: string; data: Record<string, unknown> })

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('an investment session, in a browser', () => {
  test('lets the invited person sign in, see the offering and pay at the second attempt, and the app receives the events', async () => {
    const back = `http://127.0.0.1:${(partner.address() as AddressInfo).port}/done?lead=7`
    const { id, url } = await session({ platform_user_id: demo.people.investor.id, success_url: back })
    const page = await visitor({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } })
    const looking = await visitor()
    await looking.goto(url)
    await signIn(looking, demo.people.investor)
    await looking.getByRole('heading', { name: /^Do you want to invest in .*\?$/, level: 1 }).waitFor()
    await looking.getByText('You can lose all the money that you invest').waitFor()
    await expectAccessible(looking)
    await page.goto(url)
    await signIn(page, demo.people.investor)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    // The button is visible without scrolling, at the bottom of the phone's screen.
    const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Continue' }).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(640)
    expect(await page.getByText('Sandbox.').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'The company’s page' }).count()).toBe(1)
    expect(await overflow(page)).toBe(0)
    expect(await statusOf(id)).toBe('pending')

    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Test buttons' }).waitFor()
    expect(await overflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Test: card declined' }).click()
    await page.getByText('Your card was declined. You can try again.').waitFor()
    await page.getByRole('button', { name: 'Test: complete the investment' }).click()
    await page.getByText(/The amount must be/).waitFor()
    expect(await page.getByText(/The amount must be/).count()).toBe(1)
    await page.getByLabel('Amount in whole USD').fill('1,000')
    await page.getByRole('button', { name: 'Test: complete the investment' }).click()
    await page.waitForURL(back)
    expect(await statusOf(id)).toBe('completed')

    await hooks.waitFor(3)
    const ours = receivedEvents().filter(({ data }) => data['id'] === id)
    expect(ours.map(({ event }) => event).sort()).toEqual([
      'investment_session.completed',
      'investment_session.created',
      'investment_session.started',
    ])
    expect(JSON.stringify(ours)).not.toContain(demo.people.investor.email)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Your investment is made' }).waitFor()
  })

  test('has accessible pages: with test buttons, after a mistake, after a decline, and for an invitation', async () => {
    const { url } = await session({ platform_user_id: demo.people.manager.id })
    const page = await visitor()
    await page.goto(url)
    await signIn(page, demo.people.manager)
    await page.getByRole('button', { name: 'No, thank you' }).click()
    await page.getByRole('heading', { name: /^You said no to / }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to the offer' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Test: complete the investment' }).click()
    await page.getByText(/The amount must be/).waitFor()
    await expectAccessible(page)

    const invite = await api(token, 'POST', `/partner/spvs/${offering}/invite_links`, {
      invite_link: { email: demo.people.manager.email, message: 'Come and see.' },
    })
    expect(invite.status).toBe(201)
    await page.goto(String(invite.data.attributes['url']))
    await page.getByRole('button', { name: 'No, thank you' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'No, thank you' }).click()
    await page.getByRole('button', { name: 'No, thank you' }).waitFor({ state: 'detached' })
    await expectAccessible(page)
  })

  test('shows another person only that the link is not for them, and shows that a canceled session was withdrawn', async () => {
    const { id, url } = await session({ email: 'new.lead@example.org' })
    const { url: personal, id: personalId } = await session({ platform_user_id: demo.people.manager.id })
    const page = await visitor()
    await page.goto(personal)
    await signIn(page, demo.people.founder)
    await page.getByRole('heading', { name: 'This link is for another person' }).waitFor()
    expect(await page.getByText('Minimum').count()).toBe(0)
    for (const each of [id, personalId]) {
      expect((await api(token, 'DELETE', `/partner/investment_sessions/${each}`)).status).toBe(200)
    }
    await page.goto(url)
    await page.getByRole('heading', { name: 'This link was withdrawn' }).waitFor()
  })
})

describe('an invite link, in a browser', () => {
  test('works for two people, on a phone, with the keyboard', async () => {
    const path = `/partner/spvs/${offering}/invite_links`
    const { data } = await api(token, 'POST', path, { invite_link: { max_uses: 2, allocation_cents: 1_000_000 } })
    for (const person of [demo.people.investor, demo.people.manager]) {
      const page = await visitor({ viewport: { width: 360, height: 640 } })
      await page.goto(String(data.attributes['url']))
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(page, person)
      const [onward, amount] = [page.getByRole('button', { name: 'Continue' }), page.getByLabel('Amount in whole USD')]
      await onward.or(amount).first().waitFor()
      if (await onward.isVisible()) await onward.press('Enter')
      await amount.fill('500')
      const arrived = page.waitForEvent('load')
      await amount.press('Enter')
      await arrived
      expect(await overflow(page)).toBe(0)
    }
    const read = (await api(token, 'GET', `${path}/${data.id}`)).data.attributes
    expect(read).toMatchObject({ uses_count: 2, active: false })
    const late = await visitor()
    await late.goto(String(data.attributes['url']))
    await late.getByRole('heading', { name: 'This invitation has been used up' }).waitFor()
  })
})
