import { describe, expect, test } from 'vitest'
import { newClientId, newId } from '#kernel/ids.ts'
import { type Family, judgeRefresh } from './judge-tokens.ts'

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
    ['the one before it, just now', PREVIOUS, {}, 'repeat'],
    ['the one before it, just now, of a family that expired', PREVIOUS, { expired: true }, 'expired'],
    ['the one before it, later', PREVIOUS, { rotatedJustNow: false }, 'reused'],
    ['the one before it, when its answer is gone', PREVIOUS, { answer: null }, 'reused'],
    ['the one before it, of a revoked family', PREVIOUS, { revoked: true }, 'revoked'],
    ['an older one, just now', OLDER, {}, 'reused'],
    ['an older one of a family that expired', OLDER, { expired: true }, 'reused'],
    [
      'one that never was, of a family that never rotated',
      OLDER,
      { previousHash: null, rotatedJustNow: null },
      'reused',
    ],
  ] as const)('%s', (_, presented, change, verdict) => {
    expect(judgeRefresh({ ...FAMILY, ...change }, presented, FAMILY.keyId)).toBe(verdict)
  })

  test('by another client: the newest gives it nothing and ends nothing, a used one ends the family', () => {
    expect(judgeRefresh(FAMILY, HEAD, OTHER)).toBe('unknown')
    expect(judgeRefresh(FAMILY, PREVIOUS, OTHER)).toBe('reused')
    expect(judgeRefresh(FAMILY, OLDER, OTHER)).toBe('reused')
  })
})
