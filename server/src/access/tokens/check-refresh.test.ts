import { describe, expect, test } from 'vitest'
import { newClientId, newId } from '#kernel/ids.ts'
import { checkRefresh, type Family } from './check-tokens.ts'

const [HEAD, PREVIOUS, OLDER] = ['head', 'previous', 'older'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
]

const FAMILY: Family = {
  id: '1',
  keyId: newClientId('test'),
  appId: newId('app'),
  userId: newId('user'),
  installationId: newId('installation'),
  headHash: HEAD,
  previousHash: PREVIOUS,
  rotatedJustNow: true,
  answer: Buffer.from('sealed'),
  scopes: ['read:profile'],
  byDefault: false,
  generation: 1,
  revoked: false,
  expired: false,
}

const OTHER = newClientId('test')

describe('Presenting a used refresh token revokes its family, except for the very last one within 30 s', () => {
  test.each([
    ['the newest', HEAD, {}, 'rotate'],
    ['the newest, expired', HEAD, { expired: true }, 'expired'],
    ['the newest of a revoked family', HEAD, { revoked: true }, 'revoked'],
    [
      'the newest before the first rotation',
      HEAD,
      { previousHash: null, rotatedJustNow: null, answer: null },
      'rotate',
    ],
    ['the previous one, just now', PREVIOUS, {}, 'repeat'],
    ['the previous one, just now, of a family that expired', PREVIOUS, { expired: true }, 'expired'],
    ['the previous one, later', PREVIOUS, { rotatedJustNow: false }, 'reused'],
    ['the previous one, after its stored response was deleted', PREVIOUS, { answer: null }, 'reused'],
    ['the previous one, of a revoked family', PREVIOUS, { revoked: true }, 'revoked'],
    ['an older one, just now', OLDER, {}, 'reused'],
    ['an older one of a family that expired', OLDER, { expired: true }, 'reused'],
    [
      'one that was never issued, of a family that never rotated',
      OLDER,
      { previousHash: null, rotatedJustNow: null },
      'reused',
    ],
  ] as const)('%s', (_, presented, change, verdict) => {
    expect(checkRefresh({ ...FAMILY, ...change }, presented, FAMILY.keyId)).toBe(verdict)
  })

  test('from another client the newest token is rejected and revokes nothing; a used one revokes the family', () => {
    expect(checkRefresh(FAMILY, HEAD, OTHER)).toBe('unknown')
    expect(checkRefresh(FAMILY, PREVIOUS, OTHER)).toBe('reused')
    expect(checkRefresh(FAMILY, OLDER, OTHER)).toBe('reused')
  })
})
