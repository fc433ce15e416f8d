import { describe, expect, test } from 'vitest'
import { KEY_STATES } from '#access/apps/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { newClientId, newId } from '#kernel/ids.ts'
import { type CheckedToken, checkToken } from './check-tokens.ts'

const TOKEN: CheckedToken = {
  kind: 'user',
  keyId: newClientId('test'),
  appId: newId('app'),
  userId: newId('user'),
  installationId: newId('installation'),
  scopes: ['write:syndicates'],
  generation: 3,
  expiresAt: worldTime('2026-01-01T02:00:00.000001Z'),
  revoked: false,
  keyState: 'active',
  keyGeneration: 3,
  apiVersion: '2026-11-01',
  holderDisabled: false,
  now: worldTime('2026-01-01T02:00:00.000000Z'),
}

const check = (change: Partial<CheckedToken>) => checkToken('test', { ...TOKEN, ...change })

describe('the validity of a token depends on', () => {
  test('whether the account of its user is disabled', () => {
    expect(check({ holderDisabled: true })).toBeNull()
  })

  test('its expiry, to the microsecond, in world time', () => {
    expect(check({})).not.toBeNull()
    expect(check({ now: worldTime('2026-01-01T02:00:00.000001Z') })).toBeNull()
    expect(check({ expiresAt: null, now: worldTime('9999-01-01T00:00:00.000000Z') })).not.toBeNull()
  })

  test('its revocation, even if it never expires', () => {
    expect(check({ revoked: true })).toBeNull()
    expect(check({ revoked: true, expiresAt: null })).toBeNull()
  })

  test.each(KEY_STATES)('the state of its key: %s', (keyState) => {
    expect(check({ keyState }) !== null).toBe(keyState === 'active')
  })

  test('its generation, so a token that was issued before the app was disabled stays invalid', () => {
    expect(check({ keyGeneration: 4 })).toBeNull()
  })
})

describe('the caller behind a token', () => {
  const { appId, keyId, userId, installationId } = TOKEN
  const app = { world: 'test', appId, keyId, apiVersion: '2026-11-01' }

  test('has the kind of the token', () => {
    expect(check({})).toMatchObject({ ...app, kind: 'user', userId })
    expect(check({ kind: 'client', userId: null, installationId: null })).toMatchObject({ ...app, kind: 'client' })
    expect(check({ kind: 'installation', userId: null })).toMatchObject({
      ...app,
      kind: 'installation',
      installationId,
    })
  })

  test('has read:public, the granted scopes and all scopes that they imply', () => {
    const { scopes } = check({}) ?? {}
    expect([...(scopes ?? [])].sort()).toEqual([
      'read:public',
      'read:syndicates',
      'write:syndicate_members',
      'write:syndicates',
    ])
    expect(check({ scopes: ['read:offerings'] })?.scopes.has('read:companies')).toBe(true)
  })
})
