import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INVESTOR_PII, SCOPE_NAMES } from '#access/scopes/index.ts'
import { sameScopes } from './connect-user.ts'
import { COMPANY_TIERS, piiBy, piiGrant, tierGrant, whyUngrantable } from './grant-rules.ts'
import { TIERS } from './installation.ts'
import { scopeSentences } from './scope-sentences.ts'

const someScopes = fc.subarray([...SCOPE_NAMES])
const ASKED = ['read:companies', INVESTOR_PII]

describe('Investor PII per install', () => {
  test('the installer manages the app’s organization: granted with no review', () => {
    expect(piiGrant(ASKED, { target: 'user', onTeam: true, approved: false })).toEqual(ASKED)
    expect(piiGrant(ASKED, { target: 'company', onTeam: true, approved: false })).toEqual(ASKED)
  })

  test('the platform approved the app for investor PII: granted by any person', () => {
    expect(piiGrant(ASKED, { target: 'company', onTeam: false, approved: true })).toEqual(ASKED)
  })

  test('until approval, installs by people outside the organization carry every other scope but not this one', () => {
    expect(piiGrant(ASKED, { target: 'user', onTeam: false, approved: false })).toEqual(['read:companies'])
    expect(piiGrant([INVESTOR_PII], { target: 'company', onTeam: false, approved: false })).toEqual([])
  })

  test('syndicate installs are unaffected', () => {
    expect(piiGrant(ASKED, { target: 'syndicate', onTeam: false, approved: false })).toEqual(ASKED)
  })

  test('a missing approval removes only read:investors:pii', () => {
    fc.assert(
      fc.property(someScopes, fc.boolean(), fc.boolean(), (scopes, onTeam, approved) => {
        const granted = piiGrant(scopes, { target: 'user', onTeam, approved })
        expect(granted).toEqual(scopes.filter((name) => name !== INVESTOR_PII || onTeam || approved))
      }),
    )
  })
})

describe('the reason for a grant of investor PII, stored at install time', () => {
  test('is the team if the installer is on it, even if the app is approved; otherwise the approval', () => {
    expect(piiBy(ASKED, { target: 'company', onTeam: true })).toBe('team')
    expect(piiBy(ASKED, { target: 'user', onTeam: true })).toBe('team')
    expect(piiBy(ASKED, { target: 'company', onTeam: false })).toBe('approval')
  })

  test('is null if investor PII was not granted, and on a syndicate', () => {
    expect(piiBy(['read:companies'], { target: 'company', onTeam: true })).toBeNull()
    expect(piiBy(ASKED, { target: 'syndicate', onTeam: false })).toBeNull()
  })
})

describe('scopes that a tier may grant', () => {
  const FULL = 'read:attribution:full'
  const of = (tier: (typeof TIERS)[number], scopes: readonly string[]) => tierGrant(scopes, tier)

  test('include write scopes for every tier except editor', () => {
    const writes = SCOPE_NAMES.filter((name) => name.startsWith('write:'))
    expect(of('editor', writes)).toEqual([])
    for (const tier of TIERS.filter((one) => one !== 'editor')) expect(of(tier, writes)).toEqual(writes)
  })

  test('include full attribution only for a founder, and for a user who consents', () => {
    expect(of('founder', [FULL])).toEqual([FULL])
    expect(of('user', [FULL])).toEqual([FULL])
    for (const tier of TIERS.filter((one) => one !== 'founder' && one !== 'user'))
      expect(of(tier, [FULL, 'read:companies'])).toEqual(['read:companies'])
  })

  test('are never more for a lower role than for a higher one', () => {
    const [founder = [], admin = [], editor = []] = COMPANY_TIERS.map((tier) => of(tier, SCOPE_NAMES))
    expect(founder).toEqual(expect.arrayContaining([...admin]))
    expect(admin).toEqual(expect.arrayContaining([...editor]))
  })

  test('follow the same rules for consent and for installing: the tier first, then investor PII', () => {
    const outsider = { target: 'user', tier: 'user', onTeam: false, approved: false } as const
    expect(whyUngrantable(FULL, { ...outsider, target: 'company', tier: 'admin' })).toBe('founder_only')
    expect(whyUngrantable(INVESTOR_PII, outsider)).toBe('pii_not_approved')
    expect(whyUngrantable(INVESTOR_PII, { ...outsider, onTeam: true })).toBeNull()
    expect(whyUngrantable('write:companies', { ...outsider, target: 'company', tier: 'editor' })).toBe(
      'editor_no_writes',
    )
    expect(whyUngrantable('read:companies', outsider)).toBeNull()
  })
})

describe('sameScopes', () => {
  test('is true for the same names in any order, even if a name is repeated', () => {
    expect(sameScopes(['read:profile', 'read:public'], ['read:public', 'read:profile', 'read:public'])).toBe(true)
    expect(sameScopes([], [])).toBe(true)
  })

  test('is false for one scope more, one less or another scope, even if it adds no rights', () => {
    expect(sameScopes(['read:profile'], ['read:profile', 'read:public'])).toBe(false)
    expect(sameScopes(['read:profile', 'read:public'], ['read:profile'])).toBe(false)
    expect(sameScopes(['write:syndicates'], ['write:syndicates', 'read:syndicates'])).toBe(false)
    expect(sameScopes(['read:profile'], ['read:public'])).toBe(false)
  })
})

describe('scopeSentences', () => {
  test('describes every scope in exactly one sentence, for any request', () => {
    fc.assert(
      fc.property(someScopes, (scopes) => {
        const spoken = scopeSentences(scopes).flatMap(({ sentences }) => sentences.flatMap(({ names }) => names))
        expect([...spoken].sort()).toEqual([...scopes].sort())
      }),
    )
  })

  test('groups the sentences by subject, in the order of the page', () => {
    const groups = scopeSentences(['read:companies', 'read:investments', 'read:profile', 'read:public'])
    expect(groups.map(({ heading }) => heading)).toEqual([
      'Offerings',
      'Your profile',
      'Your investments',
      'Companies you run',
    ])
  })

  test('gives a retired name and its replacement one sentence, so that a person does not read it twice', () => {
    const [group] = scopeSentences(['read:companies', 'read:offerings'])
    expect(group?.sentences.map(({ names }) => names)).toEqual([['read:companies', 'read:offerings']])
  })

  test('lists for a sensitive scope the data that becomes visible', () => {
    const [group] = scopeSentences([INVESTOR_PII])
    expect(group?.sentences[0]?.sensitive).toContain('email address')
  })
})
