import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Scope } from '#kernel/caller.ts'
import { closure, isScopeName, SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName, type ScopeNames } from './index.ts'
import { beyond, rights, scopeSets } from './testing/scope-sets.ts'

/** The scopes that a grant implies, without the granted scopes. */
function included(...granted: ScopeName[]): ReadonlySet<string> {
  return new Set(beyond(closure(granted), granted))
}

const WRITES = SCOPE_NAMES.filter((name) => name.startsWith('write:'))

/** Pairs of a write: scope and its read: scope, if apps can have both names today. */
const PAIRS = WRITES.map((write) => [write, write.replace('write:', 'read:')] as const).filter(
  ([write, read]) => isScopeName(read) && ![write, read].some((name) => isRetired(name)),
)

function isRetired(name: string): boolean {
  return isScopeName(name) && SCOPE_CATALOGUE[name].group === 'retired'
}

describe('Scope form and implications', () => {
  test('1. A scope is action:resource', () => {
    for (const name of SCOPE_NAMES) expect(name).toMatch(/^(read|write|admin):[a-z_]+(:[a-z]+)?$/)
    expectTypeOf<ScopeName>().toExtend<Scope>()
  })

  test('a name that is not in the catalogue does not compile and is not a scope', () => {
    expectTypeOf<'read:everything'>().not.toExtend<ScopeName>()
    for (const name of ['read:everything', '', 'constructor', '__proto__', 'READ:PUBLIC', 'read:public ']) {
      expect(isScopeName(name)).toBe(false)
    }
  })

  test.each(PAIRS)('2. A write: scope includes its read: counterpart: %s, %s', (write, read) => {
    expect(closure([write])).toContain(read)
  })

  test('2. the write: scopes with a read: counterpart today', () => {
    expect(PAIRS.map(([write]) => write)).toEqual([
      'write:profile',
      'write:investments',
      'write:companies',
      'write:webhooks',
      'write:referral_codes',
      'write:installations',
      'write:syndicates',
      'write:invite_links',
      'write:investment_sessions',
      'write:contracts',
      'write:perks',
      'write:files',
    ])
  })

  test('2. write:syndicates includes every read:syndicates endpoint', () => {
    expect(closure(['write:syndicates'])).toContain('read:syndicates')
  })

  test('2. write:comments has no read counterpart and is write-only', () => {
    expect(isScopeName('read:comments')).toBe(false)
    expect(included('write:comments')).toEqual(new Set())
  })

  test('2. write:syndicate_members and write:attribution have no read counterpart either', () => {
    expect(included('write:syndicate_members')).toEqual(new Set())
    expect(included('write:attribution')).toEqual(new Set())
  })

  test('2. a read: scope never includes a write: scope', () => {
    for (const name of SCOPE_NAMES.filter((one) => one.startsWith('read:'))) {
      expect([...closure([name])].filter((one) => !one.startsWith('read:'))).toEqual([])
    }
  })

  test('3. read:attribution:full includes read:attribution:anonymized and read:attribution:aggregate', () => {
    expect(included('read:attribution:full')).toEqual(
      new Set(['read:attribution:anonymized', 'read:attribution:aggregate']),
    )
  })

  test('3. read:attribution:anonymized and read:attribution:full both imply read:attribution:aggregate', () => {
    expect(included('read:attribution:anonymized')).toEqual(new Set(['read:attribution:aggregate']))
    expect(closure(['read:attribution:full'])).toContain('read:attribution:aggregate')
    expect(included('read:attribution:aggregate')).toEqual(new Set())
  })

  test('4. read:profile and write:follows each include read:profile:follows', () => {
    expect(included('read:profile')).toEqual(new Set(['read:profile:follows']))
    expect(included('write:profile')).toEqual(new Set(['read:profile', 'read:profile:follows']))
    expect(closure(['write:follows'])).toContain('read:profile:follows')
  })

  test('4. write:follows implies only the follows list, not read:profile', () => {
    expect(included('write:follows')).toEqual(new Set(['read:profile:follows']))
  })

  test('5. write:syndicates includes write:syndicate_members', () => {
    expect(included('write:syndicates')).toEqual(new Set(['read:syndicates', 'write:syndicate_members']))
  })

  test('6. read:mcp implies read:explore, read:profile, read:syndicates and read:companies', () => {
    const four = ['read:explore', 'read:profile', 'read:syndicates', 'read:companies'] as const
    expect(SCOPE_CATALOGUE['read:mcp'].implies).toEqual(four)
    expect(included('read:mcp')).toEqual(new Set([...four, 'read:profile:follows']))
  })

  test('there are no other implications', () => {
    const impliers = SCOPE_NAMES.filter((name) => included(name).size > 0)
    const named: ScopeNames = [
      ...PAIRS.map(([write]) => write),
      ...['read:attribution:full', 'read:attribution:anonymized'],
      ...['read:profile', 'write:follows', 'read:mcp'],
      ...['read:offerings', 'write:offerings', 'read:follows'],
    ]
    expect(new Set(impliers)).toEqual(new Set(named))
  })
})

describe('the implied closure', () => {
  test('contains every granted scope', () => {
    fc.assert(
      fc.property(scopeSets, (granted) => {
        expect(beyond(granted, closure(granted))).toEqual([])
      }),
    )
  })

  test('does not grow if it is computed again', () => {
    fc.assert(
      fc.property(scopeSets, (granted) => {
        expect(closure(closure(granted))).toEqual(closure(granted))
      }),
    )
  })

  test('is never smaller for a larger grant', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, (some, more) => {
        expect(beyond(closure(some), closure([...some, ...more]))).toEqual([])
      }),
    )
  })

  test('of two grants together is the union of their closures', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, (one, other) => {
        expect(closure([...one, ...other])).toEqual(new Set([...closure(one), ...closure(other)]))
        expect(rights([...one, ...other])).toEqual(new Set([...rights(one), ...rights(other)]))
      }),
    )
  })

  test('does not depend on order or repetition, and is the same for a set and a list', () => {
    fc.assert(
      fc.property(scopeSets, (granted) => {
        expect(closure([...granted, ...granted].reverse())).toEqual(closure(new Set(granted)))
      }),
    )
  })

  test('is empty for a name that is not in the catalogue', () => {
    fc.assert(
      fc.property(scopeSets, fc.array(fc.string()), (granted, others) => {
        const strangers = [...others, 'constructor', '__proto__'].filter((name) => !isScopeName(name))
        expect(closure([...strangers, ...granted])).toEqual(closure(granted))
      }),
    )
  })
})
