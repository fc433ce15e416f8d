import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as strict from 'oauth4webapi'
import * as openid from 'openid-client'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { demoService } from './demo-service.ts'

type Key = { mode: string; type: string; client_id: string; client_secret?: string; redirect_uris: string[] }
type Person = { id: string; email: string; password: string }
type Demo = {
  base_url: string
  operator_keys: { live: string }
  apps: { id: string; name: string; keys: Key[] }[]
  people: Record<'founder' | 'investor' | 'developer', Person>
}

let demo: Demo
let browser: Browser
let callbacks: Server
/** The app's redirect URI. Its port is any free port, which the app's key allows on loopback. */
let redirectUri: string

demoService<Demo>(async (made) => {
  demo = made
  browser = await launchBrowser()
  callbacks = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>back at the app</title><script>window.opener?.postMessage(location.href, "*")</script>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => callbacks.once('listening', resolve))
  redirectUri = `http://127.0.0.1:${(callbacks.address() as AddressInfo).port}/callback`
})
afterAll(async () => {
  await browser?.close()
  callbacks?.close()
})

const appNamed = (name: string) => {
  const app = demo.apps.find((one) => one.name === name)
  if (app === undefined) throw new Error(`the demo has no app ${name}`)
  return app
}
const keyOf = (type: string, name = 'Fieldbook CRM') => {
  const key = appNamed(name).keys.find((one) => one.type === type && one.mode === 'test')
  if (key === undefined) throw new Error(`${name} has no ${type} test key`)
  return key
}

async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const waitForRedirect = async (page: Page): Promise<URL> => {
  await page.waitForURL(`${redirectUri}?**`)
  return new URL(page.url())
}

/** Reads all addresses from the metadata document, as a partner's developer does. */
async function discover({ client_id, client_secret }: Key): Promise<openid.Configuration> {
  const authentication = client_secret === undefined ? openid.None() : openid.ClientSecretPost(client_secret)
  return openid.discovery(new URL(demo.base_url), client_id, {}, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
}

type AuthorizationParams = { readonly scope: string; readonly state?: string }

async function buildAuthorization(
  config: openid.Configuration,
  { scope, state = openid.randomState() }: AuthorizationParams,
) {
  const verifier = openid.randomPKCECodeVerifier()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return { address: address.href, redeem: (back: URL) => openid.authorizationCodeGrant(config, back, checks) }
}

/** Returns the status of a route that accepts any token of the test world. */
const statusWithToken = async (token: string) => {
  const answer = await fetch(`${demo.base_url}/sandbox/clock`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status
}

describe('openid-client, which reads all addresses from the metadata document', () => {
  test('takes a person through sign-in and consent to a token, refreshes it, introspects it and revokes it', async () => {
    const config = await discover(keyOf('confidential'))
    const { address, redeem } = await buildAuthorization(config, { scope: 'read:profile read:investments' })
    const page = await visitor()
    await page.goto(address)
    await signIn(page, demo.people.investor)
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    const tokens = await redeem(await waitForRedirect(page))
    expect(tokens).toMatchObject({ scope: 'read:profile read:investments', expires_in: 7_200 })
    expect(await statusWithToken(tokens.access_token)).toBe(200)

    const again = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(again.scope).toBe(tokens.scope)
    expect(again.access_token).not.toBe(tokens.access_token)
    const seen = await openid.tokenIntrospection(config, again.access_token)
    expect(seen).toMatchObject({ active: true, sub: demo.people.investor.id, iss: demo.base_url })

    await openid.tokenRevocation(config, again.refresh_token ?? '')
    expect(await openid.tokenIntrospection(config, again.access_token)).toEqual({ active: false })
    expect([await statusWithToken(tokens.access_token), await statusWithToken(again.access_token)]).toEqual([401, 401])
    await expect(openid.refreshTokenGrant(config, again.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('gets a token for the app itself, with the declared scopes that need no user; a user scope is rejected', async () => {
    const config = await discover(keyOf('confidential'))
    const tokens = await openid.clientCredentialsGrant(config)
    expect(tokens).toMatchObject({ scope: 'read:public read:referral_codes write:referral_codes', expires_in: 86_400 })
    expect(tokens.refresh_token).toBeUndefined()
    await expect(openid.clientCredentialsGrant(config, { scope: 'read:profile' })).rejects.toMatchObject({
      error: 'invalid_scope',
    })
  })
})

describe('oauth4webapi, which rejects responses that deviate from the standards', () => {
  test('completes the flow of a public key: discovery, code with PKCE, iss, refresh', async () => {
    const insecure = { [strict.allowInsecureRequests]: true }
    const issuer = new URL(demo.base_url)
    const found = await strict.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const as = await strict.processDiscoveryResponse(issuer, found)
    const client = { client_id: keyOf('public').client_id }
    const verifier = strict.generateRandomCodeVerifier()
    const state = strict.generateRandomState()
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      state,
      code_challenge: await strict.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const page = await visitor()
    await page.goto(address.href)
    await signIn(page, demo.people.founder)
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    // This checks `state`, and also `iss`, because the metadata says that responses have it.
    const parameters = strict.validateAuthResponse(as, client, await waitForRedirect(page), state)
    const answer = await strict.authorizationCodeGrantRequest(
      as,
      client,
      strict.None(),
      parameters,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await strict.processAuthorizationCodeResponse(as, client, answer)
    expect(tokens.scope).toBe('read:profile')
    const refreshed = await strict.refreshTokenGrantRequest(
      as,
      client,
      strict.None(),
      tokens.refresh_token ?? '',
      insecure,
    )
    expect(await strict.processRefreshTokenResponse(as, client, refreshed)).toMatchObject({ scope: 'read:profile' })
  })
})

describe('the pages, in a browser', () => {
  test('do not grant a scope that the person switched off, and Cancel redirects with access_denied', async () => {
    const config = await discover(keyOf('confidential'))
    const first = await buildAuthorization(config, { scope: 'read:profile read:investments' })
    const page = await visitor()
    await page.goto(first.address)
    await signIn(page, demo.people.investor)
    await page.getByRole('switch', { name: /See your investments/ }).uncheck()
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    const tokens = await first.redeem(await waitForRedirect(page))
    expect(tokens.scope).toBe('read:profile')

    const second = await buildAuthorization(config, { scope: 'read:profile', state: 'second-try' })
    await page.goto(second.address)
    await page.getByRole('button', { name: 'Cancel' }).click()
    const back = await waitForRedirect(page)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'second-try',
      iss: demo.base_url,
    })
  })

  test('in a popup, redirect to the app, which sends the result to the window that opened the popup', async () => {
    const { address, redeem } = await buildAuthorization(await discover(keyOf('public')), { scope: 'read:profile' })
    const app = await visitor()
    await app.goto(new URL('/', redirectUri).href)
    const opened = app.waitForEvent('popup')
    const postedMessage = app.evaluate(`new Promise((resolve) => {
      window.addEventListener('message', ({ data }) => resolve(data))
      window.open(${JSON.stringify(address)})
    })`)
    const popup = await opened
    await signIn(popup, demo.people.founder)
    await popup.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    expect((await redeem(new URL(String(await postedMessage)))).scope).toBe('read:profile')
  })

  test('work without JavaScript, with the keyboard alone', async () => {
    const config = await discover(keyOf('public'))
    const { address, redeem } = await buildAuthorization(config, { scope: 'read:profile' })
    const page = await visitor({ javaScriptEnabled: false })
    await page.goto(address)
    const { email, password } = demo.people.developer
    await page.getByLabel('Email').focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).focus()
    await page.keyboard.press('Enter')
    expect((await redeem(await waitForRedirect(page))).scope).toBe('read:profile')
  })

  test('end the app’s access at once when the person disconnects the app at /settings/apps', async () => {
    const config = await discover(keyOf('confidential'))
    const { address, redeem } = await buildAuthorization(config, { scope: 'read:profile read:companies' })
    const page = await visitor()
    await page.goto(address)
    await signIn(page, demo.people.founder)
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).click()
    const tokens = await redeem(await waitForRedirect(page))
    expect(await statusWithToken(tokens.access_token)).toBe(200)
    await page.goto(`${demo.base_url}/settings/apps`)
    await page.getByRole('link', { name: /Disconnect/ }).click()
    const disconnected = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByRole('button', { name: /Disconnect/ }).click()
    await disconnected
    expect(await statusWithToken(tokens.access_token)).toBe(401)
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('show the error of a wrong password at the password field, focus this field and keep the entered email', async () => {
    const page = await visitor()
    await page.goto(`${demo.base_url}/sign-in`)
    await signIn(page, { ...demo.people.investor, password: 'not the password' })
    const password = page.getByLabel('Password')
    const message = page.locator(`#${await password.getAttribute('aria-describedby')}`)
    expect(await message.textContent()).toMatch(/email or password/i)
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    expect(await page.getByLabel('Email').inputValue()).toBe(demo.people.investor.email)
  })

  test('show an error page for an unknown client; the page cannot be framed and loads nothing from other hosts', async () => {
    const address = new URL('/oauth/authorize', demo.base_url)
    address.search = new URLSearchParams({ client_id: 'pk_test_nobody', redirect_uri: redirectUri }).toString()
    const page = await visitor()
    const answer = await page.goto(address.href)
    expect(answer?.status()).toBe(400)
    expect(page.url()).toBe(address.href)
    const headers = answer?.headers() ?? {}
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  })

  test.each([
    ['a small phone', { viewport: { width: 360, height: 640 } }],
    ['a desktop at 200 %', { viewport: { width: 640, height: 480 }, deviceScaleFactor: 2 }],
  ])('fit on %s: nothing is cut off at the side', async (_, options) => {
    const config = await discover(keyOf('confidential'))
    const { address } = await buildAuthorization(config, { scope: 'read:profile read:investments write:syndicates' })
    const page = await visitor(options)
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await page.goto(address)
    expect(await overflow()).toBe(0)
    await signIn(page, demo.people.founder)
    await page.getByRole('button', { name: 'Connect Fieldbook CRM' }).waitFor()
    expect(await overflow()).toBe(0)
    await page.goto(`${demo.base_url}/settings/apps`)
    expect(await overflow()).toBe(0)
  })
})

test('people get an error page for a suspended app, whose token works again only after the suspension is lifted', async () => {
  const app = appNamed('Fieldbook Digest')
  const key = keyOf('public', 'Fieldbook Digest')
  const config = await discover(key)
  const { address, redeem } = await buildAuthorization(config, { scope: 'read:profile' })
  const page = await visitor()
  await page.goto(address)
  await signIn(page, demo.people.developer)
  await page.getByRole('button', { name: 'Connect Fieldbook Digest' }).click()
  const tokens = await redeem(await waitForRedirect(page))
  expect(await statusWithToken(tokens.access_token)).toBe(200)

  const operator = (verb: string, body: object) =>
    fetch(`${demo.base_url}/platform/apps/${app.id}/${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.operator_keys.live}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await operator('suspend', { reason: 'Shows stale figures as current.' })).status).toBe(200)
  expect(await statusWithToken(tokens.access_token)).toBe(401)
  expect((await page.goto(address))?.status()).toBe(400)
  expect((await operator('lift', {})).status).toBe(200)
  expect(await statusWithToken(tokens.access_token)).toBe(200)
})
