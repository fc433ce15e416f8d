import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizationResponse } from './oauth-protocol.ts'
import {
  type AuthorizationServer,
  CALLBACK,
  type Key,
  openAuthorizationServer,
} from './testing/authorization-server.ts'

/** Third-party OAuth libraries that are configured by the metadata document alone. The browser pages are tested elsewhere. */

let server: AuthorizationServer
let issuer: oauth.AuthorizationServer
beforeAll(async () => {
  server = await openAuthorizationServer()
  const url = new URL(server.app.url)
  const response = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure })
  issuer = await oauth.processDiscoveryResponse(url, response)
})
afterAll(() => server.close())

/** The test's server uses http, which the libraries allow only with a flag. */
const insecure = { [oauth.allowInsecureRequests]: true }

/** The address at which the browser returns to the app with a code. */
const returned = async (key: Key) => {
  const granted = await server.consent(key)
  const location = authorizationResponse(CALLBACK, { code: granted.code, state: 'xyz', iss: server.app.url })
  return { ...granted, location: new URL(location) }
}

describe('oauth4webapi', () => {
  test.each([
    ['client_secret_basic', 'confidential', oauth.ClientSecretBasic],
    ['client_secret_post', 'confidential', oauth.ClientSecretPost],
    ['none', 'public', () => oauth.None()],
  ] as const)('exchanges a code, refreshes and revokes with %s', async (_, clientType, authentication) => {
    const key = await server.key({ clientType })
    const client = { client_id: key.clientId }
    const auth = authentication(key.secret)
    const { location, verifier } = await returned(key)
    const callback = oauth.validateAuthResponse(issuer, client, location, 'xyz')
    const given = await oauth.processAuthorizationCodeResponse(
      issuer,
      client,
      await oauth.authorizationCodeGrantRequest(issuer, client, auth, callback, CALLBACK, verifier, insecure),
    )
    expect(given).toMatchObject({ token_type: 'bearer', scope: 'read:profile', expires_in: 7_200 })
    const refreshed = await oauth.processRefreshTokenResponse(
      issuer,
      client,
      await oauth.refreshTokenGrantRequest(issuer, client, auth, given.refresh_token ?? '', insecure),
    )
    expect(await server.opens(refreshed.access_token)).toBe(true)
    const token = refreshed.refresh_token ?? ''
    await oauth.processRevocationResponse(await oauth.revocationRequest(issuer, client, auth, token, insecure))
    expect(await server.opens(refreshed.access_token)).toBe(false)
  })

  test('obtains and introspects a client-credentials token', async () => {
    const key = await server.key()
    const client = { client_id: key.clientId }
    const auth = oauth.ClientSecretBasic(key.secret)
    const response = await oauth.clientCredentialsGrantRequest(issuer, client, auth, {}, insecure)
    const { access_token } = await oauth.processClientCredentialsResponse(issuer, client, response)
    const asked = await oauth.introspectionRequest(issuer, client, auth, access_token, insecure)
    expect(await oauth.processIntrospectionResponse(issuer, client, asked)).toMatchObject({
      active: true,
      scope: 'read:public',
      client_id: key.clientId,
    })
  })

  test('reports why a request is rejected', async () => {
    const key = await server.key()
    const client = { client_id: key.clientId }
    const refusal = async (auth: oauth.ClientAuth) =>
      oauth.processClientCredentialsResponse(
        issuer,
        client,
        await oauth.clientCredentialsGrantRequest(issuer, client, auth, {}, insecure),
      )
    await expect(refusal(oauth.ClientSecretPost('wrong'))).rejects.toMatchObject({
      error: 'invalid_client',
      status: 401,
    })
    // Only a client that used the Authorization header gets a challenge. This library then reports the challenge and not
    // the error.
    await expect(refusal(oauth.ClientSecretBasic('wrong'))).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
  })
})

describe('openid-client', () => {
  const configured = (key: Key) =>
    openid.discovery(new URL(server.app.url), key.clientId, key.secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })

  test('exchanges a code, checks iss, and refreshes', async () => {
    const key = await server.key()
    const config = await configured(key)
    const { location, verifier } = await returned(key)
    const given = await openid.authorizationCodeGrant(config, location, {
      pkceCodeVerifier: verifier,
      expectedState: 'xyz',
    })
    const refreshed = await openid.refreshTokenGrant(config, given.refresh_token ?? '')
    expect(await server.opens(refreshed.access_token)).toBe(true)
  })

  test('rejects a response with the iss of another server', async () => {
    const key = await server.key()
    const config = await configured(key)
    const { location, verifier } = await returned(key)
    location.searchParams.set('iss', 'https://evil.example')
    const attempt = openid.authorizationCodeGrant(config, location, {
      pkceCodeVerifier: verifier,
      expectedState: 'xyz',
    })
    await expect(attempt).rejects.toMatchObject({ cause: { message: expect.stringContaining('iss') } })
  })

  test('obtains a client-credentials token', async () => {
    const config = await configured(await server.key())
    const { access_token } = await openid.clientCredentialsGrant(config, { scope: 'read:public' })
    expect(await server.opens(access_token)).toBe(true)
  })
})
