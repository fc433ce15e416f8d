import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closure, inCatalogueOrder, issuable, mayCarry, narrow, SCOPE_CATALOGUE, withoutWrites } from './index.ts'
import { beyond, rights, scopeSets } from './testing/scope-sets.ts'

describe('narrowing', () => {
  test('the result is the intersection of requested scopes and the install’s scopes', () => {
    expect(narrow(['read:companies', 'read:investments'], ['read:investments', 'read:webhooks'])).toEqual([
      'read:investments',
    ])
    expect(narrow([], ['read:investments'])).toEqual([])
    expect(narrow(['read:investments'], [])).toEqual([])
  })

  test('a grant of a write: scope allows a request for its read: scope; a grant of a read: scope never allows its write: scope', () => {
    expect(narrow(['read:syndicates'], ['write:syndicates'])).toEqual(['read:syndicates'])
    expect(narrow(['write:syndicates'], ['read:syndicates'])).toEqual([])
    expect(narrow(['write:syndicates'], ['read:syndicates', 'write:syndicate_members'])).toEqual([])
  })

  test('a grant of all scopes that read:mcp implies does not allow read:mcp', () => {
    expect(narrow(['read:mcp'], ['read:explore', 'read:profile', 'read:syndicates', 'read:companies'])).toEqual([])
  })

  test('unknown names are dropped', () => {
    expect(narrow(['read:nothing', '__proto__', 'read:explore'], ['read:nothing', 'read:explore'])).toEqual([
      'read:explore',
    ])
  })

  test('every grant allows read:public, because every token has it', () => {
    expect(narrow(['read:public'], [])).toEqual(['read:public'])
    expect(narrow(['read:public', 'read:explore'], ['read:profile'])).toEqual(['read:public'])
  })

  test('every scope of the result was both requested and granted', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, (requested, held) => {
        const result = narrow(requested, held)
        expect(beyond(result, requested)).toEqual([])
        expect(beyond(rights(result), rights(held))).toEqual([])
      }),
    )
  })

  test('the result has every granted scope that is requested', () => {
    fc.assert(
      fc.property(scopeSets, (held) => {
        expect(narrow(held, held)).toEqual(inCatalogueOrder(held))
        expect(narrow(closure(held), held)).toEqual(inCatalogueOrder(closure(held)))
      }),
    )
  })

  test('a refresh gets at most the original token’s scopes, even after many narrowings', () => {
    fc.assert(
      fc.property(scopeSets, fc.array(scopeSets, { minLength: 1, maxLength: 5 }), (original, requests) => {
        const last = requests.reduce((held, requested) => [...narrow(requested, held)], original)
        expect(beyond(rights(last), rights(original))).toEqual([])
      }),
    )
  })

  test('a larger grant never gives fewer scopes', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, scopeSets, (requested, held, more) => {
        expect(beyond(narrow(requested, held), narrow(requested, [...held, ...more]))).toEqual([])
      }),
    )
  })
})

describe('an editor’s installation', () => {
  test('drops write scopes silently', () => {
    expect(withoutWrites(['read:companies', 'write:webhooks', 'write:offerings', 'write:invite_links'])).toEqual([
      'read:companies',
    ])
  })

  test('has no scope left that implies a write scope', () => {
    fc.assert(
      fc.property(scopeSets, (scopes) => {
        const left = withoutWrites(scopes)
        expect(beyond(left, scopes)).toEqual([])
        expect([...closure(left)].filter((name) => name.startsWith('write:'))).toEqual([])
      }),
    )
  })
})

describe('the scopes that codes, tokens and installations of an app may have', () => {
  test('are read:public, the declared scopes, the scopes that they imply, and retired names for them', () => {
    expect(mayCarry([])).toEqual(new Set(['read:public']))
    expect(mayCarry(['write:companies'])).toEqual(
      new Set(['read:public', 'write:companies', 'read:companies', 'read:offerings', 'write:offerings']),
    )
  })

  test('never include an internal scope, even if the app declares it', () => {
    expect(mayCarry(['admin:read', 'admin:write', 'admin:attribution'])).toEqual(new Set(['read:public']))
  })

  test('contain every implied scope, and give no right that the declared scopes do not give', () => {
    fc.assert(
      fc.property(scopeSets, (declared) => {
        const allowed = mayCarry(declared)
        expect(closure(allowed)).toEqual(allowed)
        const current = [...allowed].filter((name) => SCOPE_CATALOGUE[name].replacedBy === null)
        expect(beyond(rights(current), rights(['read:public', ...declared]))).toEqual([])
      }),
    )
  })

  test('include no new scope after a declared scope is removed', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, (some, more) => {
        expect(beyond(mayCarry(some), mayCarry([...some, ...more]))).toEqual([])
      }),
    )
  })
})

describe('the scopes are checked again whenever a token is issued', () => {
  test('a scope removed from the app a moment ago is not issued', () => {
    const grant = { scopes: ['read:profile', 'read:investments'], byDefault: false }
    expect(issuable(grant, ['read:profile', 'read:investments'])).toEqual(['read:profile', 'read:investments'])
    expect(issuable(grant, ['read:investments'])).toEqual(['read:investments'])
    expect(issuable(grant, [])).toEqual([])
  })

  test('an implied scope is not issued after the scope that implied it was removed', () => {
    expect(issuable({ scopes: ['read:syndicates'], byDefault: false }, ['read:explore'])).toEqual([])
  })

  test('read:public and retired names for declared scopes pass', () => {
    const grant = { scopes: ['read:public', 'read:offerings'], byDefault: false }
    expect(issuable(grant, ['read:companies'])).toEqual(['read:public', 'read:offerings'])
  })

  test('read:profile must be declared only if the request named it, not if it was granted by default', () => {
    expect(issuable({ scopes: ['read:profile'], byDefault: true }, [])).toEqual(['read:profile'])
    expect(issuable({ scopes: ['read:profile'], byDefault: false }, [])).toEqual([])
  })
})
