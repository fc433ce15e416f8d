import { describe, expect, onTestFinished, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import { parseRaw, sendRaw } from '#http/testing/raw-http.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import type { DemoDoor } from './front-door-routes.ts'
import { demoSignIn, type FrontDoorDeps, frontDoorRoutes } from './front-door-routes.ts'

const DEMO: DemoDoor = {
  people: [
    { part: 'investor', name: 'Priya Raman', email: 'investor@portico.example', password: 'known to everybody' },
  ],
  file: '/home/me/it’s here/demo.json',
  app: { name: 'Fieldbook CRM', clientId: 'pk_test_1' },
  ids: { offering: 'ofr_1', investor: 'usr_1' },
  passwords: true,
}
const ADA: AccountCaller = {
  kind: 'account',
  accountId: newId('account'),
  name: 'Ada <b>',
  email: 'ada@example.com',
  sessionHash: Buffer.alloc(32),
  provenSecondsAgo: 0,
}

type Around = Partial<FrontDoorDeps> & { readonly caller?: AccountCaller }

async function opened({ caller, ...deps }: Around, headers: readonly string[] = ['Host: localhost:4400']) {
  const parts = {
    brand: 'Portico',
    origin: () => 'http://localhost:4400',
    signUp: () => false,
    demo: () => null,
    ...deps,
  }
  const edge = await serveProbes(frontDoorRoutes(parts), {
    ports: { signIns: { find: async () => caller ?? null }, csrfKeys: keyring('secret')('csrf') },
  })
  onTestFinished(() => edge.close())
  const cookie = caller === undefined ? [] : [`Cookie: portico=${'x'.repeat(43)}`]
  const lines = ['GET / HTTP/1.1', 'Connection: close', ...headers, ...cookie]
  const { status, body } = parseRaw(await sendRaw(edge.port, `${lines.join('\r\n')}\r\n\r\n`))
  expect(status).toBe(200)
  return body
}

describe('the front page', () => {
  test('describes the service, links to the pages for developers and for operators, and lets people sign in', async () => {
    const text = await opened({})
    for (const words of ['Build on Portico', 'Build an app', 'Run a platform']) expect(text).toContain(words)
    for (const href of ['/sign-in?return_to=%2F', '/docs', '/status', '/conditions']) {
      expect(text).toContain(`href="${href}"`)
    }
  })

  test.each([
    [true, true],
    [false, false],
  ])('people may create accounts: %s; the page links to sign-up: %s', async (signUp, isOffered) => {
    expect((await opened({ signUp: () => signUp })).includes('href="/sign-up"')).toBe(isOffered)
  })

  test('shows a person who is signed in where to continue, and how to sign out', async () => {
    const text = await opened({ caller: ADA, signUp: () => true })
    expect(text).toContain('You are signed in as <strong><bdi>Ada &lt;b&gt;</bdi></strong>')
    expect(text).toContain('href="/settings/apps"')
    expect(text).toContain('action="/sign-out"')
    expect(text).not.toMatch(/href="\/sign-(in|up)/)
  })
})

describe('the demo on the front page', () => {
  const demo = () => DEMO

  test('has a button for each person, which sends the form of the sign-in page', async () => {
    const text = await opened({ demo })
    expect(text).toContain('Continue as Priya, an investor')
    expect(text).toMatch(/<form method="post" action="\/sign-in"><input type="hidden" name="csrf" value="[^"]+">/)
  })

  test('quotes the path of its file for the shell', async () => {
    expect(await opened({ demo })).toContain('DEMO=&#39;/home/me/it’s here/demo.json&#39;')
  })

  test.each([
    ['the service is not a demo', { demo: () => null }, ['Host: localhost:4400']],
    ['the request has another host name', { demo }, ['Host: portico.example']],
    ['a proxy forwarded the request', { demo }, ['Host: localhost', 'X-Forwarded-For: 192.0.2.1']],
    [
      'a proxy on this machine forwarded the request and added a Via header',
      { demo },
      ['Host: localhost', 'Via: 1.1 front'],
    ],
  ])('is not shown if %s', async (_, deps, headers) => {
    const text = await opened(deps, headers)
    expect(text).not.toContain('Continue as')
    expect(text).not.toContain('known to everybody')
    expect(text).not.toContain('demo.json')
  })

  test('has no buttons where people do not sign in with passwords', async () => {
    const text = await opened({ demo: () => ({ ...DEMO, passwords: false }) })
    expect(text).not.toContain('known to everybody')
    expect(text).toContain('Five minutes as an app')
  })
})

describe('the demo’s people on the sign-in page', () => {
  const founder = { ...DEMO.people[0], part: 'founder', name: 'Amara Osei', email: 'founder@portico.example' } as const
  const demo = { ...DEMO, people: [...DEMO.people, { password: 'known too', ...founder }] }
  const form = { csrf: 'c', returnTo: '/oauth/authorize?client_id=pk_test_1', email: '' }
  const asked = (address: string, host: string) => ({
    address,
    header: (name: string) => (name === 'host' ? host : undefined),
  })
  const shown = (request: ReturnType<typeof asked>, given: Partial<typeof form> = {}, people = demo) =>
    JSON.stringify(demoSignIn(() => people)(request, { ...form, ...given })) ?? ''
  const here = asked('127.0.0.1', 'localhost:4400')

  test('sign in with one click, and return to the app’s authorization request', () => {
    const text = shown(here)
    for (const name of ['Priya', 'Amara']) expect(text).toContain(`Continue as ${name}`)
    expect(text).toContain('/oauth/authorize?client_id=pk_test_1')
  })

  test('are all shown, or only the person whose email address the app named', () => {
    expect(shown(here, { email: 'founder@portico.example' })).not.toContain('Priya')
    expect(shown(here, { email: 'stranger@portico.example' })).toContain('Priya')
  })

  test('are shown only on this machine, and only if people sign in with passwords', () => {
    expect(shown(asked('203.0.113.9', 'localhost:4400'))).toBe('')
    expect(shown(asked('127.0.0.1', 'portico.example'))).toBe('')
    expect(shown(here, {}, { ...demo, passwords: false })).toBe('')
    expect(demoSignIn(() => null)(here, form)).toBeUndefined()
  })
})
