import { describe, expect, test } from 'vitest'
import { WORLDS } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { newRefreshToken, parseRefreshToken, successorOf } from './grants.ts'

describe('a refresh token', () => {
  test.each(WORLDS)('of the %s world has that world’s prefix, the name of its family and 256 random bits', (world) => {
    const token = newRefreshToken(world)
    expect(token.text).toMatch(new RegExp(`^rt_${world}_[A-Za-z0-9_-]{64}$`))
    expect(token.hash).toEqual(digestOf(token.text))
    expect(parseRefreshToken(token.text)).toEqual(token)
    expect(newRefreshToken(world).nameHash).not.toEqual(token.nameHash)
  })

  test('has a different successor in the same family', () => {
    const token = newRefreshToken('test')
    const next = successorOf(token)
    expect(next.nameHash).toEqual(token.nameHash)
    expect(next.hash).not.toEqual(token.hash)
    expect(next.world).toBe('test')
    expect(successorOf(token).hash).not.toEqual(next.hash)
  })

  test('with a changed letter at its end is another token of the same family', () => {
    const token = newRefreshToken('test')
    const changed = parseRefreshToken(token.text.slice(0, -1) + (token.text.endsWith('A') ? 'B' : 'A'))
    expect(changed?.nameHash).toEqual(token.nameHash)
    expect(changed?.hash).not.toEqual(token.hash)
  })

  test.each(['', 'rt_test_', `rt_prod_${'a'.repeat(64)}`, `rt_test_${'a'.repeat(63)}`, `rt_test_${'a'.repeat(65)}`])(
    '%j is not a refresh token',
    (text) => {
      expect(parseRefreshToken(text)).toBeNull()
    },
  )

  test.each(['=', '+', '/', 'é', ' '])('cannot contain %j, because a token has only one spelling', (letter) => {
    expect(parseRefreshToken(`rt_test_${'a'.repeat(63)}${letter}`)).toBeNull()
  })
})
