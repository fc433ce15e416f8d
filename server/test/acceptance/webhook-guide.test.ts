import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { freePort } from '#test/free-port.ts'
import { demoService } from './demo-service.ts'
import { temporaryDirectory } from './service.ts'
import { openShell } from './shell.ts'

type Demo = { readonly people: Readonly<Record<'developer' | 'founder', { email: string; password: string }>> }

const GUIDE = fileURLToPath(new URL('../../../docs/webhooks.md', import.meta.url))

let demo: Demo
let browser: Browser
demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** What the guide says to save or to type, by language, in its order. Its ports may be in use on this machine. */
async function snippets() {
  const [callback, hook] = [await freePort(), await freePort()]
  const text = (await readFile(GUIDE, 'utf8')).replaceAll('4510', String(callback)).replaceAll('4500', String(hook))
  const all = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
  const of = (wanted: string) => all.filter(({ language }) => language === wanted).map(({ code }) => code)
  return { scripts: of('js'), commands: of('sh'), hook }
}

async function signInAt(address: string, { email, password }: { email: string; password: string }) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(address)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  return page
}

test('docs/webhooks.md leads a newcomer from nothing to a verified test event, and to a real one', async () => {
  const { scripts, commands, hook } = await snippets()
  const [token = '', receiver = ''] = scripts
  const [giveToken = '', makeEndpoint = '', receive = '', sendTest = '', showLink = '', invest = '', lookBack = ''] =
    commands
  expect([scripts.length, commands.length]).toEqual([2, 7])
  const directory = await temporaryDirectory()
  await mkdir(join(directory, '.portico'))
  await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  await writeFile(join(directory, 'token.mjs'), token)
  await writeFile(join(directory, 'receiver.mjs'), receiver)
  const shell = openShell(directory)

  const given = shell.type(giveToken)
  const [address] = await shell.printed(/http\S+\/oauth\/authorize\S+/)
  const consent = await signInAt(address, demo.people.developer)
  await consent.getByRole('button', { name: /^Connect / }).click()
  await given
  await shell.type(makeEndpoint)
  await shell.type(receive)
  // It listens before any person can have typed the next line.
  await expect.poll(() => isListening(hook)).toBe(true)
  await shell.type(sendTest)
  await shell.printed(/verified evt_test_\w+ investment\.created/)
  expect(shell.output()).toMatch(/"delivered":true,"response_code":204/)

  await shell.type(showLink)
  const [link] = await shell.printed(/http\S+\/install(?= )/)
  const page = await signInAt(link, demo.people.founder)
  const installed = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: /^Install Fieldbook CRM on / }).click()
  await installed
  await shell.type(invest)
  await shell.printed(/verified evt_(?!test_)\w+ investment\.created/)

  await shell.type(lookBack)
  expect(shell.output()).toMatch(/"type":"webhook_replay","queued":0/)
  await shell.printed(/(verified evt_(?!test_)\w+ investment\.created[\s\S]*){2}/)
})
