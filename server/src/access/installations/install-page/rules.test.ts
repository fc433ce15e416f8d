import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closure, SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { parseQueryText } from '#http/input/read-query.ts'
import { newId } from '#kernel/ids.ts'
import { grantOffer } from '../grant-rules.ts'
import { grantedWords } from '../scope-sentences.ts'
import { installAddress, readInstallQuery } from './entry-guard.ts'
import { withheldWords } from './install-pages.ts'
import { changesSince, setupResponse } from './routes.ts'

const someScopes = fc.subarray([...SCOPE_NAMES])
const aTarget = fc.constantFrom('company' as const, 'syndicate' as const)

describe('sentences for granted scopes', () => {
  test('every granted scope has its own sentence, or is covered by the sentence of a scope that includes it', () => {
    fc.assert(
      fc.property(aTarget, someScopes, (type, scopes) => {
        const { there, itself, elsewhere } = grantedWords(type, scopes)
        const shownScopes = closure([...there, ...itself, ...elsewhere].flatMap(({ names }) => names))
        for (const name of scopes) expect(shownScopes).toContain(name)
      }),
    )
  })

  test('a sensitive scope is marked, even if the page shows only the sentence of a scope that includes it', () => {
    for (const [type, scopes] of [
      ['company', ['read:companies', 'write:companies', 'read:investments', 'read:investors:pii']],
      ['syndicate', ['read:syndicates', 'write:syndicates']],
    ] as const) {
      for (const name of scopes) {
        const { there } = grantedWords(type, [name])
        expect(there.map(({ sensitive }) => sensitive)).not.toContain(null)
      }
    }
    for (const { implies, sensitive } of SCOPE_NAMES.map((name) => SCOPE_CATALOGUE[name])) {
      const hidden = implies.filter((name) => SCOPE_CATALOGUE[name].sensitive !== null)
      if (sensitive === null) expect(hidden).toEqual([])
    }
  })

  test('the sentences for a company mention neither the person’s own account nor syndicates', () => {
    const { there, elsewhere } = grantedWords('company', ['read:profile', 'read:companies', 'write:syndicates'])
    expect(there.map(({ names }) => names)).toEqual([['read:companies']])
    expect(elsewhere.flatMap(({ names }) => names)).toEqual(['read:profile', 'write:syndicates'])
  })

  test('a retired name and its replacement share one sentence', () => {
    expect(grantedWords('company', ['read:companies', 'read:offerings']).there).toHaveLength(1)
  })
})

describe('sentences for scopes that are not granted', () => {
  const sentencesFor = (declared: readonly string[], tier: 'founder' | 'admin' | 'editor' = 'founder') => {
    const offer = grantOffer({
      ...{ declared, requested: null, tier, targetType: 'company' as const },
      ...{ onTeam: false, piiApproved: false },
    })
    return withheldWords({ ...offer, brand: 'wefunder', name: 'Tidepool' }).map(({ sentence }) => sentence)
  }

  test('all write scopes that an editor cannot grant have one sentence together', () => {
    expect(sentencesFor(['write:companies', 'write:webhooks', 'read:companies'], 'editor')).toEqual([
      'Anything that changes your company: not granted, because editors cannot grant it.',
    ])
  })

  test('full attribution has a sentence that says who can grant it and how the app must request it', () => {
    const [byAdmin = ''] = sentencesFor(['read:attribution:full'], 'admin')
    const [byFounder = ''] = sentencesFor(['read:attribution:full'])
    expect(byAdmin).toMatch(/who made it: not granted, because only a founder can grant it\.$/)
    expect(byFounder).toMatch(/who made it: not granted, because the app has to ask for it by name\.$/)
  })

  test('are none if all scopes are granted, and for unknown names', () => {
    expect(sentencesFor(['read:companies'])).toEqual([])
    expect(sentencesFor(['read:companies', 'read:nonsense', 'admin:read'])).toEqual([])
  })
})

describe('changes since the page was shown', () => {
  const target = { type: 'company', id: newId('company'), name: 'Tidepool', tier: 'editor' } as const

  test('are none if the tier and the scopes, in any order, are the same', () => {
    const shown = { tier: 'editor', scopes: 'read:companies read:profile' }
    expect(changesSince(shown, target, { granted: ['read:profile', 'read:companies'] })).toEqual([])
  })

  test('are not empty if the scopes differ; a different tier is named', () => {
    fc.assert(
      fc.property(someScopes, someScopes, (before, granted) => {
        const same = before.length === granted.length && before.every((name) => granted.includes(name))
        const changes = changesSince({ tier: 'editor', scopes: before.join(' ') }, target, { granted })
        expect(changes.length === 0).toBe(same)
      }),
    )
    expect(changesSince({ tier: 'constructor', scopes: '' }, target, { granted: [] })).toEqual([
      'You are now an editor there.',
    ])
  })
})

describe('the address', () => {
  test('contains the state, which is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (state) => {
        const address = installAddress('pk_test_x', { state, target: 'co_1' })
        const query = readInstallQuery(parseQueryText(address.slice(address.indexOf('?') + 1)))
        expect(query).toEqual({ state, target: 'co_1', installed: null })
        const back = new URL(setupResponse('https://a.example/s?x=1&y', { error: 'access_denied' }, state))
        expect(Object.fromEntries(back.searchParams)).toEqual({ x: '1', y: '', error: 'access_denied', state })
      }),
    )
  })
})
