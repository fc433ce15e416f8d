import { describe, expect, test } from 'vitest'
import type { Presented } from '#access/apps/index.ts'
import { newClientId, newId } from '#kernel/ids.ts'
import { type Credentials, checkClient, parseBasic, readCredentials } from './client-authentication.ts'
import { OAuthError, type Parameters } from './oauth-protocol.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function errorOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof OAuthError) return `${error.status} ${error.code}`
    throw error
  }
  return 'none'
}

describe('an Authorization header with the scheme Basic', () => {
  test.each([
    ['plain', 'pk_a:sk_b', { id: 'pk_a', secret: 'sk_b' }],
    [
      'with its halves encoded as in a form (RFC 6749, section 2.3.1)',
      'pk%5Fa:s%3Ak+b%2B',
      { id: 'pk_a', secret: 's:k b+' },
    ],
    ['with a colon in the secret', 'pk_a:s:k', { id: 'pk_a', secret: 's:k' }],
    ['with no secret', 'pk_a:', { id: 'pk_a', secret: '' }],
    ['with nothing', ':', { id: '', secret: '' }],
    ['beyond ASCII', 'é:%C3%A9', { id: 'é', secret: 'é' }],
  ])('%s', (_, text, pair) => {
    expect(parseBasic(basic(text))).toEqual(pair)
  })

  test('is recognized in any letter case, and with several spaces', () => {
    expect(parseBasic(`bAsIc   ${Buffer.from('a:b').toString('base64')}`)).toEqual({ id: 'a', secret: 'b' })
  })

  test.each([
    ['without credentials', 'Basic'],
    ['with empty credentials', 'Basic '],
    ['that is not base64', 'Basic ä=='],
    ['with a space inside', 'Basic YTpi YTpi'],
    ['without a colon', basic('pk_a')],
    ['with bad percent-encoding', basic('pk%:sk')],
    ['with bad percent-encoding in the secret', basic('pk:sk%zz')],
    ['with percent-encoded bytes that are not UTF-8', basic('pk:%ff')],
    ['with bytes that are not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`],
  ])('%s is malformed', (_, header) => {
    expect(parseBasic(header)).toBeNull()
  })
})

describe('the credentials of a request', () => {
  const read = (parameters: Parameters, authorization?: string) =>
    readCredentials({ authorization, parameters }).credentials

  test('are client_secret_basic, client_secret_post or none', () => {
    expect(read({}, basic('a:b'))).toEqual({ method: 'client_secret_basic', clientId: 'a', secret: 'b' })
    expect(read({ client_id: 'a', client_secret: 'b' })).toEqual({
      method: 'client_secret_post',
      clientId: 'a',
      secret: 'b',
    })
    expect(read({ client_id: 'a' })).toEqual({ method: 'none', clientId: 'a', secret: null })
  })

  test('may repeat the header’s client_id in the body', () => {
    expect(read({ client_id: 'a' }, basic('a:b')).method).toBe('client_secret_basic')
  })

  test.each<[string, string, Parameters, string | undefined]>([
    ['no credentials', '400 invalid_request', {}, undefined],
    ['a secret alone', '400 invalid_request', { client_secret: 'b' }, undefined],
    ['two methods at once', '400 invalid_request', { client_secret: 'b' }, basic('a:b')],
    [
      'two methods at once with the same credentials',
      '400 invalid_request',
      { client_id: 'a', client_secret: 'b' },
      basic('a:b'),
    ],
    ['another client_id in the body', '400 invalid_request', { client_id: 'c' }, basic('a:b')],
    ['a blank id and a blank secret', '400 invalid_request', {}, basic(':')],
    ['a malformed header', '400 invalid_request', { client_id: 'a' }, 'Basic ???'],
    ['another scheme', '401 invalid_client', { client_id: 'a' }, 'Bearer at_test_x'],
    ['an empty header', '401 invalid_client', { client_id: 'a' }, ''],
  ])('%s: %s', (_, error, parameters, authorization) => {
    expect(errorOf(() => read(parameters, authorization))).toBe(error)
  })
})

describe('a client', () => {
  const client = (more: Partial<Presented> = {}): Presented => ({
    keyId: newClientId('test'),
    appId: newId('app'),
    world: 'test',
    clientType: 'confidential',
    redirectUris: [],
    state: 'active',
    scopes: [],
    apiVersion: '2026-11-01',
    generation: 1,
    revision: '1',
    piiApproved: false,
    secretMatches: true,
    liveTokenNoted: true,
    ...more,
  })
  const secret = (method: 'client_secret_basic' | 'client_secret_post' = 'client_secret_post'): Credentials => ({
    method,
    clientId: 'pk',
    secret: 'sk',
  })
  const none: Credentials = { method: 'none', clientId: 'pk', secret: null }
  const outcomeOf = (presented: Presented | null, credentials: Credentials) =>
    errorOf(() => checkClient(presented, credentials))

  test('that is confidential authenticates with its secret, in the header or in the body', () => {
    expect(outcomeOf(client(), secret('client_secret_basic'))).toBe('none')
    expect(outcomeOf(client(), secret('client_secret_post'))).toBe('none')
  })

  test('that is public sends only its id', () => {
    expect(outcomeOf(client({ clientType: 'public', secretMatches: false }), none)).toBe('none')
  })

  test.each<[string, Presented | null, Credentials]>([
    ['that does not exist', null, secret()],
    ['with a wrong secret', client({ secretMatches: false }), secret()],
    ['that is confidential, without a secret', client(), none],
    ['that is public, with a secret', client({ clientType: 'public', secretMatches: false }), secret()],
    ['that is public, with Basic', client({ clientType: 'public' }), secret('client_secret_basic')],
    ['of a suspended app', client({ state: 'suspended' }), secret()],
    ['of a disabled app', client({ state: 'disabled' }), secret()],
    ['of an ended organization', client({ state: 'ended' }), secret()],
    ['that is revoked', client({ state: 'revoked' }), secret()],
    ['that is public, of a suspended app', client({ clientType: 'public', state: 'suspended' }), none],
  ])('%s is rejected: 401 invalid_client', (_, presented, credentials) => {
    expect(outcomeOf(presented, credentials)).toBe('401 invalid_client')
  })

  test('gets the same error for an unknown id and for a wrong secret; the error does not reveal the app’s state', () => {
    const errors = [null, client({ secretMatches: false, state: 'suspended' })].map((presented) => {
      try {
        return checkClient(presented, secret())
      } catch (error) {
        return error
      }
    })
    expect(errors[0]).toEqual(errors[1])
  })
})
