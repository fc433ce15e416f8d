import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inCatalogueOrder, parseScopes, printScopes, SCOPE_NAMES } from './index.ts'
import { scopeSets, scopeTexts } from './testing/scope-sets.ts'

describe('scopes as text', () => {
  test('a printed set is read back as the same set', () => {
    fc.assert(
      fc.property(scopeSets, (scopes) => {
        expect(parseScopes(printScopes(scopes))).toEqual(inCatalogueOrder(scopes))
      }),
    )
  })

  test('the same set always gives the same text, in any order', () => {
    const sets = fc.shuffledSubarray([...SCOPE_NAMES])
    fc.assert(
      fc.property(sets, (scopes) => {
        expect(printScopes(scopes)).toBe(printScopes(new Set(scopes.toReversed())))
      }),
    )
  })

  test('names are returned in the order in which they were sent, each once, even unknown names', () => {
    expect(parseScopes('write:follows read:public x write:follows')).toEqual(['write:follows', 'read:public', 'x'])
  })

  test('an empty text, or only spaces, has no scope; several spaces are accepted', () => {
    expect(parseScopes('')).toEqual([])
    expect(parseScopes('   ')).toEqual([])
    expect(parseScopes(' read:public  read:explore ')).toEqual(['read:public', 'read:explore'])
  })

  test.each([
    'read:public\tread:explore',
    'read:public\n',
    '"read:public"',
    'read\\public',
    'read:püblic',
    '\u0000',
    '\u{1f600}',
  ])('%j is malformed (RFC 6749, 3.3)', (text) => {
    expect(parseScopes(text)).toBeNull()
  })

  test('all scopes together are not too long; a text or a name that is too long is malformed', () => {
    expect(parseScopes(printScopes(SCOPE_NAMES))).toEqual(SCOPE_NAMES)
    expect(parseScopes('a'.repeat(100))).toHaveLength(1)
    expect(parseScopes('a'.repeat(101))).toBeNull()
    expect(parseScopes('a '.repeat(1_000))).toEqual(['a'])
    expect(parseScopes(`${'a '.repeat(1_000)}a`)).toBeNull()
  })

  test('every text is parsed or rejected, without an exception', () => {
    fc.assert(
      fc.property(scopeTexts, (text) => {
        const names = parseScopes(text)
        if (names !== null) expect(parseScopes(names.join(' '))).toEqual(names)
      }),
    )
  })
})
