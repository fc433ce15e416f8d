import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#modules/scopes/index.ts'
import { INVESTOR_PII, piiGrant } from './pii-grant.ts'
import { sameScopes } from './same-scopes.ts'
import { spokenScopes } from './spoken-scopes.ts'

const someScopes = fc.subarray([...SCOPE_NAMES])
const ASKED = ['read:companies', INVESTOR_PII]

describe('Investor PII per install', () => {
  test('the installer manages the app’s organization: granted with no review', () => {
    expect(piiGrant(ASKED, { target: 'user', onTeam: true, approved: false })).toEqual(ASKED)
    expect(piiGrant(ASKED, { target: 'company', onTeam: true, approved: false })).toEqual(ASKED)
  })

  test('the platform approved the app for investor PII: granted by anybody', () => {
    expect(piiGrant(ASKED, { target: 'company', onTeam: false, approved: true })).toEqual(ASKED)
  })

  test('until approval, installs by people outside the organization carry every other scope but not this one', () => {
    expect(piiGrant(ASKED, { target: 'user', onTeam: false, approved: false })).toEqual(['read:companies'])
    expect(piiGrant([INVESTOR_PII], { target: 'company', onTeam: false, approved: false })).toEqual([])
  })

  test('syndicate installs are unaffected', () => {
    expect(piiGrant(ASKED, { target: 'syndicate', onTeam: false, approved: false })).toEqual(ASKED)
  })

  test('it only ever takes this one scope away', () => {
    fc.assert(
      fc.property(someScopes, fc.boolean(), fc.boolean(), (scopes, onTeam, approved) => {
        const granted = piiGrant(scopes, { target: 'user', onTeam, approved })
        expect(granted).toEqual(scopes.filter((name) => name !== INVESTOR_PII || onTeam || approved))
      }),
    )
  })
})

describe('sameScopes', () => {
  test('the same names in any order, each counted once', () => {
    expect(sameScopes(['read:profile', 'read:public'], ['read:public', 'read:profile', 'read:public'])).toBe(true)
    expect(sameScopes([], [])).toBe(true)
  })

  test('one more, one less or another one is another grant, even where it adds nothing', () => {
    expect(sameScopes(['read:profile'], ['read:profile', 'read:public'])).toBe(false)
    expect(sameScopes(['read:profile', 'read:public'], ['read:profile'])).toBe(false)
    expect(sameScopes(['write:syndicates'], ['write:syndicates', 'read:syndicates'])).toBe(false)
    expect(sameScopes(['read:profile'], ['read:public'])).toBe(false)
  })
})

describe('spokenScopes', () => {
  test('every scope is in exactly one sentence, whatever was asked for', () => {
    fc.assert(
      fc.property(someScopes, (scopes) => {
        const spoken = spokenScopes(scopes).flatMap(({ sentences }) => sentences.flatMap(({ names }) => names))
        expect([...spoken].sort()).toEqual([...scopes].sort())
      }),
    )
  })

  test('grouped by what they concern, in the order people are shown them', () => {
    const groups = spokenScopes(['read:companies', 'read:investments', 'read:profile', 'read:public'])
    expect(groups.map(({ heading }) => heading)).toEqual([
      'Offerings',
      'Your profile',
      'Your investments',
      'Companies you run',
    ])
  })

  test('a retired name beside what replaced it is one sentence: nobody is asked the same thing twice', () => {
    const [group] = spokenScopes(['read:companies', 'read:offerings'])
    expect(group?.sentences.map(({ names }) => names)).toEqual([['read:companies', 'read:offerings']])
  })

  test('sensitive ones say what exactly becomes visible', () => {
    const [group] = spokenScopes([INVESTOR_PII])
    expect(group?.sentences[0]?.sensitive).toContain('email address')
  })
})
