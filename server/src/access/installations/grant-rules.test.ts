import { describe, expect, test } from 'vitest'
import { SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { type GrantRequest, grantOffer, resolveTier } from './grant-rules.ts'
import { TIERS } from './installation.ts'

const by = (request: Partial<GrantRequest>) =>
  grantOffer({
    declared: ['read:companies', 'write:webhooks'],
    requested: null,
    tier: 'founder',
    targetType: 'company',
    onTeam: false,
    piiApproved: false,
    ...request,
  })
const why = (request: Partial<GrantRequest>) =>
  Object.fromEntries(by(request).withheld.map((one) => [one.scope, one.why]))

describe('the scopes of an installation', () => {
  test('are all that the app declares, in the catalogue’s order, if the request omits scopes', () => {
    expect(by({ declared: ['write:webhooks', 'read:companies'] })).toEqual({
      granted: ['read:companies', 'write:webhooks'],
      withheld: [],
    })
  })

  test('are the requested scopes that the app declares; the other requested names are listed separately', () => {
    const requested = ['read:companies', 'read:syndicates', 'read:nonsense', 'constructor']
    expect(by({ requested }).granted).toEqual(['read:companies'])
    expect(why({ requested })).toEqual({
      'read:syndicates': 'not_declared',
      'read:nonsense': 'unknown',
      constructor: 'unknown',
    })
  })

  test('include a requested scope that a declared scope implies, and read:public if the request names it', () => {
    const requested = ['read:webhooks', 'read:public']
    expect(by({ requested }).granted).toEqual(['read:public', 'read:webhooks'])
    expect(by({}).granted).not.toContain('read:public')
  })

  test('include a retired name that the app declares, under its own name', () => {
    expect(by({ declared: ['read:offerings'] }).granted).toEqual(['read:offerings'])
  })

  test('include an alias if the app declares only its replacement', () => {
    expect(by({ declared: ['read:companies'], requested: ['read:offerings'] }).granted).toEqual(['read:offerings'])
    expect(by({ declared: ['write:companies'], requested: ['write:offerings'] }).granted).toEqual(['write:offerings'])
    expect(why({ declared: ['read:companies'], requested: ['write:offerings'] })).toEqual({
      'write:offerings': 'not_declared',
    })
  })

  test('include read:follows only if the app declares it by name, because it is not an alias', () => {
    expect(why({ declared: ['read:profile'], requested: ['read:follows'] })).toEqual({ 'read:follows': 'retired' })
    expect(why({ declared: ['read:webhooks'], requested: ['read:offerings'] })).toEqual({
      'read:offerings': 'not_declared',
    })
  })

  test('are none if the request has an empty list', () => {
    expect(by({ requested: [] })).toEqual({ granted: [], withheld: [] })
  })

  test('include neither referral-code scopes nor internal scopes', () => {
    const declared = ['read:referral_codes', 'write:referral_codes', 'read:investors:contacts', 'admin:read']
    expect(by({ declared }).granted).toEqual([])
    expect(why({ declared })).toEqual({
      'read:referral_codes': 'not_for_installations',
      'write:referral_codes': 'not_for_installations',
      'read:investors:contacts': 'not_for_installations',
      'admin:read': 'not_declared',
    })
  })

  test('of an editor’s installation lack the write scopes, which an admin’s installation has', () => {
    const { granted, withheld } = by({ declared: SCOPE_NAMES, tier: 'editor', onTeam: true })
    expect(granted.filter((name) => name.startsWith('write:'))).toEqual([])
    expect(granted).toContain('read:companies')
    expect(withheld).toContainEqual({ scope: 'write:companies', why: 'editor_no_writes' })
    expect(by({ declared: SCOPE_NAMES, tier: 'admin', onTeam: true }).granted).toContain('write:companies')
  })

  test('include full attribution only at founder tier, if the request lists it', () => {
    const full = 'read:attribution:full'
    const declared = [full, 'read:companies']
    expect(by({ declared, requested: [full] }).granted).toEqual([full])
    expect(why({ declared })).toEqual({ [full]: 'must_be_listed' })
    for (const tier of TIERS.filter((one) => one !== 'founder' && one !== 'user')) {
      expect(why({ declared, requested: [full], tier })).toEqual({ [full]: 'founder_only' })
    }
    expect(why({ declared: ['read:companies'], requested: [full] })).toEqual({ [full]: 'not_declared' })
  })

  test('include a program’s scopes only if its approval has added them to the app', () => {
    const gated = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].group === 'program_gated')
    expect(by({ requested: gated }).granted).toEqual([])
    expect(by({ declared: gated, requested: gated }).granted).toEqual(gated)
  })
})

describe('investor PII', () => {
  const declared = ['read:companies', 'read:investors:pii']

  test('is not granted by a person outside the team if the app is not approved for PII; every other scope is granted', () => {
    expect(by({ declared })).toEqual({
      granted: ['read:companies'],
      withheld: [{ scope: 'read:investors:pii', why: 'pii_not_approved' }],
    })
  })

  test('is granted by the app’s team without review, and by other people if the platform approved the app', () => {
    expect(by({ declared, onTeam: true }).granted).toEqual(declared)
    expect(by({ declared, piiApproved: true }).granted).toEqual(declared)
  })

  test('is granted on a syndicate without approval', () => {
    expect(by({ declared, targetType: 'syndicate', tier: 'manager' }).granted).toEqual(declared)
  })
})

describe('the tier of an installation', () => {
  test.each([
    ['founder', null, 'founder'],
    ['founder', 'admin', 'admin'],
    ['founder', 'editor', 'editor'],
    ['admin', 'founder', 'too_high'],
    ['admin', 'editor', 'editor'],
    ['editor', 'admin', 'too_high'],
    ['editor', 'editor', 'editor'],
    ['founder', 'manager', 'of_another_target'],
    ['manager', null, 'manager'],
    ['manager', 'manager', 'manager'],
    ['manager', 'founder', 'of_another_target'],
  ] as const)('for the role %s and the requested tier %s is %s', (held, asked, comes) => {
    const resolved = resolveTier(held, asked)
    expect(resolved.ok ? resolved.tier : resolved.why).toBe(comes)
  })
})
