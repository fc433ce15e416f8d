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
    ['the newest token', HEAD, {}, 'rotate'],
    ['the newest token, expired', HEAD, { expired: true }, 'expired'],
    ['the newest token of a revoked family', HEAD, { revoked: true }, 'revoked'],
    [
      'the newest token before the first rotation',
      HEAD,
      { previousHash: null, rotatedJustNow: null, answer: null },
      'rotate',
    ],
    ['the previous token, within 30 s', PREVIOUS, {}, 'repeat'],
    ['the previous token, within 30 s, of a family that expired', PREVIOUS, { expired: true }, 'expired'],
    ['the previous token, after 30 s', PREVIOUS, { rotatedJustNow: false }, 'reused'],
    ['the previous token, after its stored response was deleted', PREVIOUS, { answer: null }, 'reused'],
    ['the previous token, of a revoked family', PREVIOUS, { revoked: true }, 'revoked'],
    ['an older token, within 30 s', OLDER, {}, 'reused'],
    ['an older token of a family that expired', OLDER, { expired: true }, 'reused'],
    [
      'a token that was never issued, of a family that never rotated',
      OLDER,
      { previousHash: null, rotatedJustNow: null },
      'reused',
    ],
  ] as const)('%s', (_, presented, change, verdict) => {
    expect(checkRefresh({ ...FAMILY, ...change }, presented, FAMILY.keyId)).toBe(verdict)
  })

  test('from another client the newest token is rejected and revokes nothing; a used token revokes the family', () => {
    expect(checkRefresh(FAMILY, HEAD, OTHER)).toBe('unknown')
    expect(checkRefresh(FAMILY, PREVIOUS, OTHER)).toBe('reused')
    expect(checkRefresh(FAMILY, OLDER, OTHER)).toBe('reused')
  })
})
