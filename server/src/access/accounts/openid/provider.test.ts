import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { openIdProvider as startProvider, type TestOpenIdProvider } from '#test/openid-provider.ts'
import { isLoopbackHttp, type OpenIdSettings } from '../settings.ts'
import { openIdProvider } from './provider.ts'
import type { Ticket } from './ticket.ts'

let provider: TestOpenIdProvider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const CALLBACK = 'http://127.0.0.1:4400/sign-in/openid/callback'
const ADA = { subject: 'ada', email: 'Ada@example.org', emailVerified: true, name: 'Ada Lovelace' }

const settingsFor = ({ issuer, clientId, clientSecret }: TestOpenIdProvider): OpenIdSettings => ({
  issuer,
  clientId,
  clientSecret,
  name: 'Example',
})

/** Starts a sign-in, signs in on the provider's page, and returns the callback URL with our ticket. */
async function roundTrip(at = provider, subject = 'ada') {
  const ours = openIdProvider(settingsFor(at))
  const { location, ticket } = await ours.startSignIn(CALLBACK, '/settings/apps')
  const callback = new URL(await at.signIn(location, subject))
  return { ours, ticket, callback }
}

describe('signing in at a provider', () => {
  test('asks for a code with PKCE, state and nonce, and stores the return address in the ticket', async () => {
    const { location, ticket } = await openIdProvider(settingsFor(provider)).startSignIn(CALLBACK, '/x?y=1')
    const url = new URL(location)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'portico',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      state: ticket.state,
      nonce: ticket.nonce,
      code_challenge_method: 'S256',
    })
    expect(location).not.toContain(ticket.verifier)
    expect(ticket.returnTo).toBe('/x?y=1')
  })

  test('returns the identity, with the email address from the userinfo endpoint', async () => {
    provider.setPerson(ADA)
    const { ours, ticket, callback } = await roundTrip()
    expect(await ours.finishSignIn(callback, ticket)).toEqual({
      issuer: provider.issuer,
      subject: 'ada',
      verifiedEmail: 'Ada@example.org',
      name: 'Ada Lovelace',
    })
  })

  test('returns the identity, with the email address from the ID token', async () => {
    const other = await startProvider({ claimsInIdToken: true })
    other.setPerson(ADA)
    const { ours, ticket, callback } = await roundTrip(other)
    expect(await ours.finishSignIn(callback, ticket)).toMatchObject({ verifiedEmail: 'Ada@example.org' })
    await other.close()
  })

  test.each<[string, Partial<Ticket>]>([
    ['state', { state: 'another' }],
    ['nonce', { nonce: 'another' }],
    ['PKCE verifier', { verifier: 'x'.repeat(43) }],
  ])('with the %s of another sign-in is rejected', async (_, forged) => {
    const { ours, ticket, callback } = await roundTrip()
    await expect(ours.finishSignIn(callback, { ...ticket, ...forged })).rejects.toMatchObject({ reason: 'mismatch' })
  })

  test('with the response of another issuer is rejected (RFC 9207)', async () => {
    const { ours, ticket, callback } = await roundTrip()
    callback.searchParams.set('iss', 'https://evil.example')
    await expect(ours.finishSignIn(callback, ticket)).rejects.toMatchObject({ reason: 'mismatch' })
  })

  test('with a code that was used before is rejected', async () => {
    const { ours, ticket, callback } = await roundTrip()
    await ours.finishSignIn(callback, ticket)
    await expect(ours.finishSignIn(callback, ticket)).rejects.toMatchObject({ reason: 'mismatch' })
  })

  test('is rejected as denied if the person pressed Cancel at the provider', async () => {
    const ours = openIdProvider(settingsFor(provider))
    const { location, ticket } = await ours.startSignIn(CALLBACK, '/')
    const callback = new URL(await provider.cancel(location))
    await expect(ours.finishSignIn(callback, ticket)).rejects.toMatchObject({ reason: 'denied' })
  })

  test('with a subject longer than the protocol allows is rejected', async () => {
    const { ours, ticket, callback } = await roundTrip(provider, 'x'.repeat(256))
    await expect(ours.finishSignIn(callback, ticket)).rejects.toMatchObject({ reason: 'broken' })
  })

  test('with a wrong client secret is rejected as broken, and the message does not contain that secret', async () => {
    const ours = openIdProvider({ ...settingsFor(provider), clientSecret: 'not the secret' })
    const { location, ticket } = await ours.startSignIn(CALLBACK, '/')
    const callback = new URL(await provider.signIn(location, 'ada'))
    const refusal: unknown = await ours.finishSignIn(callback, ticket).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ reason: 'broken' })
    expect(String(refusal)).not.toContain('not the secret')
  })
})

describe('a provider', () => {
  test('is reported as down if it cannot be reached, and is used as soon as it responds', async () => {
    const [server, port] = [createServer(), await freePort()]
    const ours = openIdProvider({ ...settingsFor(provider), issuer: `http://127.0.0.1:${port}` })
    await expect(ours.startSignIn(CALLBACK, '/')).rejects.toMatchObject({ reason: 'down' })

    const issuer = `http://127.0.0.1:${port}`
    server.on('request', (_request, response) => {
      const document = { issuer, authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/jwks` }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await expect(ours.startSignIn(CALLBACK, '/')).resolves.toMatchObject({
      location: expect.stringContaining('/auth?'),
    })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test.each([
    [500, 'down'],
    [503, 'down'],
    [404, 'broken'],
  ])('that responds with %i is reported as %s', async (status, reason) => {
    const server = createServer((_request, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ours = openIdProvider({ ...settingsFor(provider), issuer })
    await expect(ours.startSignIn(CALLBACK, '/')).rejects.toMatchObject({ reason })
    await new Promise((resolve) => server.close(resolve))
  })

  test('with an http address is never used, unless it is on this machine', async () => {
    const ours = openIdProvider({ ...settingsFor(provider), issuer: 'http://192.0.2.1' })
    await expect(ours.startSignIn(CALLBACK, '/')).rejects.toMatchObject({ reason: 'broken' })
    const local = ['http://127.0.0.1:1', 'http://localhost/x', 'http://[::1]:9'].map((issuer) => new URL(issuer))
    expect(local.map(isLoopbackHttp)).toEqual([true, true, true])
    const others = ['https://127.0.0.1', 'http://127.0.0.1.example', 'http://localhost.example', 'http://10.0.0.1']
    expect(others.map((issuer) => isLoopbackHttp(new URL(issuer)))).toEqual([false, false, false, false])
  })
})
