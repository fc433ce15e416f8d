import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { sharedDemoService } from './demo-service.ts'
import { type Client, connect } from './person.ts'

type Person = { id: string; email: string; password: string; syndicates: string[] }
type Demo = {
  base_url: string
  apps: { name: string; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'editor' | 'manager' | 'investor', Person>
}
type Attributes = Readonly<Record<string, unknown>>
type Row = { id: string; attributes: Attributes }
type Answer = { status: number; data: Row & Row[]; meta: { close_deal_intent: { id: string; review_url: string } } }

let demo: Demo
let browser: Browser

sharedDemoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Returns a function that calls the API with a token that this person granted to Fieldbook CRM. */
async function appFor(person: Person) {
  const app = demo.apps.find(({ name }) => name === 'Fieldbook CRM')
  const client = app?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (client === undefined) throw new Error('the demo has no Fieldbook CRM')
  const scopes = ['write:syndicates', 'read:profile']
  const { access_token: token } = await connect(demo.base_url, person, { client, scopes })
  return async (method: string, path: string): Promise<Answer> => {
    const answer = await fetch(demo.base_url + path, { method, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) }
  }
}

type Api = Awaited<ReturnType<typeof appFor>>

/** Returns the syndicate that the demo's editor and manager run together. */
function sharedSyndicate(): string {
  const shared = demo.people.editor.syndicates.find((id) => demo.people.manager.syndicates.includes(id))
  if (shared === undefined) throw new Error('the editor and the manager run no syndicate together')
  return shared
}

/** Takes the open deal at this place of the list, and lets the app request to close it. */
async function proposeToClose(api: Api, nth: number) {
  const { data } = await api('GET', `/syndicates/${sharedSyndicate()}/deals`)
  const deal = data.filter(({ attributes }) => attributes['status'] === 'open')[nth]
  if (deal === undefined) throw new Error('no open deal is left')
  const { status, meta } = await api('POST', `/syndicates/${sharedSyndicate()}/deals/${deal.id}/close`)
  expect(status).toBe(200)
  return { deal: deal.id, ...meta.close_deal_intent }
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

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('an app’s request to close a deal, in a browser,', () => {
  test('is approved by the other manager, not by the proposer, without JavaScript, and is executed once', async () => {
    const { editor, manager } = demo.people
    const api = await appFor(editor)
    const { id, review_url, deal } = await proposeToClose(api, 0)
    expect((await api('GET', `/intents/${id}`)).data.attributes['status']).toBe('pending')

    const own = await visitor()
    await own.goto(review_url)
    await signIn(own, editor)
    await own.getByText('You proposed this, so another person has to approve it').waitFor()
    expect(await own.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await expectAccessible(own)

    const page = await visitor({ javaScriptEnabled: false })
    await page.goto(review_url)
    await signIn(page, manager)
    await page.getByRole('heading', { name: /^Close .*\?$/ }).waitFor()
    expect(await page.getByText('through Fieldbook CRM').count()).toBe(1)
    expect(await page.getByText('Sandbox.').count()).toBe(1)
    await page.getByRole('button', { name: /^Approve: Close / }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
    const trail = await page.locator('.trail li').allInnerTexts()
    expect(trail.map((line) => line.replaceAll('\n', ' '))).toEqual([
      expect.stringMatching(/^Proposed by /),
      expect.stringMatching(/^Approved by /),
      expect.stringMatching(/^Done by /),
    ])

    const { data } = await api('GET', `/intents/${id}`)
    expect(data.attributes).toMatchObject({
      status: 'executed',
      execution_result: { offering: deal, status: 'closing' },
    })
    expect((await api('GET', `/syndicates/${sharedSyndicate()}/deals/${deal}`)).data.attributes['status']).toBe(
      'closing',
    )
    const steps = (await api('GET', '/activity')).data.filter(({ attributes }) => attributes['intent'] === id)
    expect(steps.map(({ attributes }) => attributes['action']).toSorted()).toEqual([
      'intents.approve',
      'intents.create',
      'syndicates.close_deal',
    ])
    await own.reload()
    expect(await own.getByRole('heading', { name: 'Done', exact: true }).count()).toBe(1)
    const again = await api('POST', `/syndicates/${sharedSyndicate()}/deals/${deal}/close`)
    expect([again.status, again.meta.close_deal_intent.id]).toEqual([200, id])
  })

  test('is rejected with a reason, which the app reads, on a small phone where nothing is cut off at the side', async () => {
    const api = await appFor(demo.people.editor)
    const { id, review_url } = await proposeToClose(api, 0)
    const page = await visitor({ viewport: { width: 360, height: 640 } })
    await page.goto(review_url)
    await signIn(page, demo.people.manager)
    await page.getByRole('heading', { name: /^Close .*\?$/ }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Reason for rejecting').fill('Two more weeks, please.')
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('heading', { name: 'Rejected', exact: true }).waitFor()
    expect(await overflow(page)).toBe(0)
    const { data } = await api('GET', `/intents/${id}`)
    expect(data.attributes).toMatchObject({ status: 'rejected', rejection_reason: 'Two more weeks, please.' })
  })

  test('shows no content to a person who does not run the syndicate', async () => {
    const { review_url } = await proposeToClose(await appFor(demo.people.editor), 0)
    const page = await visitor()
    await page.goto(review_url)
    await signIn(page, demo.people.investor)
    await page.getByRole('heading', { name: 'This is not yours to decide' }).waitFor()
    expect(await page.getByText('Open Table Collective').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0)
  })
})
