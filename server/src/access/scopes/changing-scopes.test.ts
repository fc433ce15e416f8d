import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import {
  closure,
  PICKER,
  rejectStillImplied,
  rejectUnselectable,
  SCOPE_NAMES,
  selectable,
  stillImplied,
} from './index.ts'
import { anyScope, inGroup, scopeSets } from './testing/scope-sets.ts'

function refusalOf(change: () => void): { readonly type: string; readonly details: unknown } | null {
  try {
    change()
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { type: error.type, details: error.details }
  }
}

describe('Changing an app’s scopes: adding', () => {
  test('is allowed for every self-serve scope', () => {
    expect(refusalOf(() => rejectUnselectable(PICKER.map(({ name }) => name)))).toBeNull()
    expect(SCOPE_NAMES.filter(selectable)).toEqual(inGroup('self_serve'))
  })

  test.each(SCOPE_NAMES.filter((name) => !inGroup('self_serve').includes(name)))('%s: invalid_scopes', (name) => {
    expect(refusalOf(() => rejectUnselectable(['read:explore', name]))).toEqual({
      type: 'invalid_scopes',
      details: { scopes: [name] },
    })
  })

  test('is rejected with invalid_scopes for an unknown name; the error lists every bad name once', () => {
    const added = ['read:nothing', 'constructor', 'read:profile', 'read:mcp', 'read:nothing']
    expect(refusalOf(() => rejectUnselectable(added))).toEqual({
      type: 'invalid_scopes',
      details: { scopes: ['read:nothing', 'constructor', 'read:mcp'] },
    })
  })
})

describe('Changing an app’s scopes: removing', () => {
  test('A scope still implied by another declared scope cannot be removed alone: the implier is named', () => {
    const declared = ['read:syndicates', 'write:syndicates']
    expect(stillImplied('read:syndicates', declared)).toEqual(['write:syndicates'])
    expect(refusalOf(() => rejectStillImplied(['read:syndicates'], declared))).toEqual({
      type: 'still_implied',
      details: { still_implied: ['write:syndicates'] },
    })
  })

  test('the error names all scopes that imply the removed scope, directly or indirectly', () => {
    expect(stillImplied('read:profile:follows', ['write:follows', 'write:profile', 'read:explore'])).toEqual([
      'write:profile',
      'write:follows',
    ])
    expect(
      stillImplied('read:attribution:aggregate', ['read:attribution:full', 'read:attribution:anonymized']),
    ).toEqual(['read:attribution:anonymized', 'read:attribution:full'])
  })

  test('a retired name that is still declared implies its replacement', () => {
    expect(stillImplied('read:companies', ['read:companies', 'read:offerings'])).toEqual(['read:offerings'])
  })

  test('a retired name can be removed, because its replacement does not imply it', () => {
    expect(stillImplied('read:offerings', ['read:companies', 'read:offerings'])).toEqual([])
  })

  test('a scope can be removed together with the scope that implies it; the implying scope can also be removed alone', () => {
    const declared = ['read:syndicates', 'write:syndicates']
    expect(refusalOf(() => rejectStillImplied(declared, declared))).toBeNull()
    expect(refusalOf(() => rejectStillImplied(['write:syndicates'], declared))).toBeNull()
  })

  test('Removing a non-self-serve scope is allowed', () => {
    expect(refusalOf(() => rejectStillImplied(['read:files', 'read:offerings'], ['read:files']))).toBeNull()
  })

  test('a removal is allowed exactly if no remaining scope implies the removed scope', () => {
    fc.assert(
      fc.property(anyScope, scopeSets, (removed, declared) => {
        const left = declared.filter((name) => name !== removed)
        expect(stillImplied(removed, declared).length > 0).toBe(closure(left).has(removed))
        expect(refusalOf(() => rejectStillImplied([removed], declared)) === null).toBe(!closure(left).has(removed))
      }),
    )
  })
})
