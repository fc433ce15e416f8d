import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openIdProvider } from './provider.ts'
import { RESPONSE_LIMITS, type ResponseLimits } from './provider-fetch.ts'

const ENDPOINTS = ['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo'] as const
type Endpoint = (typeof ENDPOINTS)[number]
const CALLBACK = 'http://127.0.0.1:4400/sign-in/openid/callback'
const PATIENT = { ...RESPONSE_LIMITS, milliseconds: 600_000 }

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

type Behaviour = {
  /** The endpoint at which the provider runs `does` instead of sending its normal response. */
  readonly at?: Endpoint
  readonly does?: (response: ServerResponse) => void
  readonly issuedAt?: number
}

/** A provider that responds correctly, except for the behaviour that a test sets. */
async function hostileProvider() {
  let behaviour: Behaviour = {}
  let nonce = ''
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    if (path === behaviour.at && behaviour.does !== undefined) return behaviour.does(response)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(responses[path as Endpoint]()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = () => Math.floor(Date.now() / 1_000)
  const responses: Record<Endpoint, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/token': () => {
      const claims = {
        iss: issuer,
        sub: 'ada',
        aud: 'portico',
        exp: now() + 300,
        iat: behaviour.issuedAt ?? now(),
        nonce,
      }
      return { access_token: 'x', token_type: 'Bearer', id_token: signed(claims) }
    },
    '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'only' }] }),
    '/userinfo': () => ({ sub: 'ada', email: 'ada@example.org', email_verified: true }),
  }
  return {
    /** One sign-in, without anything cached about the provider. */
    async signIn(how: Behaviour, responseLimits: ResponseLimits = PATIENT) {
      behaviour = how
      const settings = { issuer, clientId: 'portico', clientSecret: 'secret', name: 'Hostile', responseLimits }
      const ours = openIdProvider(settings)
      const { location, ticket } = await ours.startSignIn(CALLBACK, '/')
      nonce = ticket.nonce
      const state = new URL(location).searchParams.get('state') ?? ''
      return ours.finishSignIn(new URL(`${CALLBACK}?${new URLSearchParams({ code: 'c', state })}`), ticket)
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function signed(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${part({ alg: 'RS256', kid: 'only' })}.${part(claims)}`
  return `${input}.${createSign('RSA-SHA256').update(input).sign(privateKey).toString('base64url')}`
}

let hostile: Awaited<ReturnType<typeof hostileProvider>>
beforeAll(async () => {
  hostile = await hostileProvider()
})
afterAll(() => hostile.close())

describe('a provider’s response', () => {
  test('is accepted if it is correct', async () => {
    expect(await hostile.signIn({})).toMatchObject({ subject: 'ada', verifiedEmail: 'ada@example.org' })
  })

  test.each(ENDPOINTS)('is cut off after 1 MB if %s streams without end', async (at) => {
    let cutOff: () => void
    const closed = new Promise<void>((resolve) => {
      cutOff = resolve
    })
    const does = (response: ServerResponse) => {
      response.setHeader('content-type', 'application/json')
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' '))) {
          // Write until the connection's buffer is full; the `drain` event continues.
        }
      }
      response.on('drain', more).on('close', () => cutOff())
      more()
    }
    await expect(hostile.signIn({ at, does })).rejects.toMatchObject({ name: 'ProviderRefusal', reason: 'broken' })
    await closed
  })

  test.each(ENDPOINTS)('times out at the limit if %s starts a response and never ends it', async (at) => {
    const open: ServerResponse[] = []
    onTestFinished(() => {
      for (const response of open) response.destroy()
    })
    const does = (response: ServerResponse) => {
      open.push(response)
      response.setHeader('content-type', 'application/json')
      response.write('{')
    }
    const limits = { ...RESPONSE_LIMITS, milliseconds: 1_000 }
    await expect(hostile.signIn({ at, does }, limits)).rejects.toMatchObject({
      name: 'ProviderRefusal',
      reason: 'down',
    })
  })

  test('is limited to 1 MB and 10 seconds unless a test sets other limits', () => {
    expect(RESPONSE_LIMITS).toEqual({ bytesMax: 1_000_000, milliseconds: 10_000 })
  })
})

describe('an ID token', () => {
  const inMinutes = (minutes: number) => Math.floor(Date.now() / 1_000) + minutes * 60

  test.each([-60, -7, 7, 60])('issued %d minutes from now is rejected', async (minutes) => {
    const rejected = hostile.signIn({ issuedAt: inMinutes(minutes) })
    await expect(rejected).rejects.toMatchObject({ name: 'ProviderRefusal', reason: 'broken' })
  })

  test.each([-3, 3])('issued %d minutes from now is accepted, because clocks differ', async (minutes) => {
    expect(await hostile.signIn({ issuedAt: inMinutes(minutes) })).toMatchObject({ subject: 'ada' })
  })
})
