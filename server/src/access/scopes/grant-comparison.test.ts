import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  authorizeScopes,
  clientCredentialScopes,
  holdableBy,
  printScopes,
  requestable,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
} from './index.ts'
import { anyScope, beyond, inGroup, rights, scopeSets, scopeTexts } from './testing/scope-sets.ts'

const REFERRAL = ['read:referral_codes', 'write:referral_codes'] as const

function granted(...scopes: string[]) {
  return { ok: true, scopes, byDefault: false }
}

function byDefault(...scopes: string[]) {
  return { ok: true, scopes, byDefault: true }
}

function rejected(description: RegExp) {
  return { ok: false, description: expect.stringMatching(description) }
}

describe('Credentials', () => {
  test('a publishable key has only read:public', () => {
    expect(holdableBy('publishable', SCOPE_NAMES)).toEqual(['read:public'])
  })
})

/**
 * The numbers at the beginning of the titles are those of the rules in docs/specification.md, under "Authentication: grant
 * comparison".
 */
describe('Grant comparison', () => {
  test('a client-credentials token acts as the app, so it can have only read:public and the referral-code scopes', () => {
    expect(holdableBy('client', SCOPE_NAMES)).toEqual(['read:public', ...REFERRAL])
  })

  test('a user token acts for the user, so it may have every scope except the referral-code and internal scopes', () => {
    const held = holdableBy('user', SCOPE_NAMES)
    expect(SCOPE_NAMES.filter((name) => !held.includes(name))).toEqual([...REFERRAL, ...inGroup('internal')])
  })

  test('an installation lacks the referral-code scopes that its app declares', () => {
    expect(holdableBy('installation', ['read:companies', ...REFERRAL])).toEqual(['read:companies'])
  })

  test('Client credentials can hold read:public plus the referral-code scopes when declared', () => {
    expect(clientCredentialScopes([])).toEqual(byDefault('read:public'))
    expect(clientCredentialScopes(['read:profile', 'read:referral_codes'])).toEqual(
      byDefault('read:public', 'read:referral_codes'),
    )
    expect(clientCredentialScopes(REFERRAL, '')).toEqual(byDefault('read:public', ...REFERRAL))
    expect(clientCredentialScopes(REFERRAL, 'write:referral_codes')).toEqual(granted('write:referral_codes'))
    expect(clientCredentialScopes([], 'read:public')).toEqual(granted('read:public'))
  })

  test('Client credentials can hold an undeclared referral-code scope only if a declared scope includes it', () => {
    expect(clientCredentialScopes([], 'read:referral_codes')).toEqual(rejected(/does not declare read:referral_codes/))
    expect(clientCredentialScopes(['read:referral_codes'], 'write:referral_codes')).toEqual(rejected(/portal/))
    expect(clientCredentialScopes(['write:referral_codes'], 'read:referral_codes')).toEqual(
      granted('read:referral_codes'),
    )
  })

  test('Authorization Code can hold any scope declared on the app except the referral-code scopes', () => {
    fc.assert(
      fc.property(scopeSets, (declared) => {
        const userHeld = holdableBy('user', declared)
        expect(authorizeScopes(declared, printScopes(userHeld))).toMatchObject({ ok: true })
        for (const name of REFERRAL) {
          expect(authorizeScopes(declared, name)).toEqual(rejected(/obtain it with client credentials/))
        }
      }),
    )
  })

  test('Authorization Code can always hold read:public', () => {
    expect(authorizeScopes([], 'read:public')).toEqual(granted('read:public'))
  })

  test('read:public is granted implicitly to every app at creation, hidden from the portal picker', () => {
    expect(SCOPE_CATALOGUE['read:public'].obtained).toBe('creation')
    expect(clientCredentialScopes([])).toEqual(byDefault('read:public'))
  })

  test('User consent: every scope that an app can request from a user has a sentence', () => {
    for (const name of holdableBy('user', SCOPE_NAMES)) expect(SCOPE_CATALOGUE[name].consent).not.toBe('')
  })

  test('Program-gated scopes are never granted with client credentials', () => {
    for (const name of inGroup('program_gated')) {
      expect(clientCredentialScopes(SCOPE_NAMES, name)).toEqual(rejected(/acts for no user/))
    }
  })

  test('Program-gated scopes are granted by users only after the approval has added them to the app', () => {
    for (const name of inGroup('program_gated')) {
      expect(authorizeScopes(inGroup('self_serve'), name)).toEqual(rejected(/request access to its program/))
      expect(authorizeScopes([name], name)).toEqual(granted(name))
    }
  })

  test('1. any scope other than read:public and the referral-code scopes fails with client credentials', () => {
    for (const name of SCOPE_NAMES) {
      const allowed = name === 'read:public' || REFERRAL.some((one) => one === name)
      expect(clientCredentialScopes(SCOPE_NAMES, name).ok).toBe(allowed)
      expect(clientCredentialScopes(SCOPE_NAMES, `read:public ${name}`).ok).toBe(allowed)
    }
    expect(clientCredentialScopes(SCOPE_NAMES, 'read:nothing').ok).toBe(false)
  })

  test('2. Requesting a scope the app does not declare fails at the authorize step', () => {
    expect(authorizeScopes(['read:profile'], 'read:profile read:investments')).toEqual(
      rejected(/^The app does not declare read:investments: select it in the developer portal, then ask again\.$/),
    )
    expect(authorizeScopes([], 'read:profile')).toEqual(rejected(/does not declare read:profile/))
    expect(authorizeScopes(['read:syndicates'], 'write:syndicates')).toEqual(rejected(/write:syndicates/))
  })

  test('2. the scopes that a declared scope includes count as declared', () => {
    expect(authorizeScopes(['write:syndicates'], 'read:syndicates')).toEqual(granted('read:syndicates'))
  })

  test('2. read:profile:follows cannot be requested, unless the app itself declares the name', () => {
    for (const declared of [[], ['read:profile'], ['write:follows']]) {
      expect(authorizeScopes(declared, 'read:profile:follows')).toEqual(rejected(/request a scope that includes it/))
    }
    expect(authorizeScopes(['read:profile:follows'], 'read:profile:follows')).toEqual(granted('read:profile:follows'))
  })

  test('2. a declared-not-selectable scope fails unless the app already has it', () => {
    for (const name of inGroup('declared_not_selectable')) {
      expect(authorizeScopes(inGroup('self_serve'), name)).toEqual(rejected(/it is not offered yet/))
      expect(authorizeScopes([name], name)).toEqual(granted(name))
    }
  })

  test('2. reserved and internal scopes are not offered, and internal scopes are rejected even if the app declares them', () => {
    expect(authorizeScopes(inGroup('self_serve'), 'read:mcp')).toEqual(rejected(/not offered to apps/))
    for (const name of inGroup('internal')) {
      expect(authorizeScopes([name], name)).toEqual(rejected(/never granted to apps/))
    }
  })

  test('2. an unknown name fails, and one bad name rejects the whole request', () => {
    expect(authorizeScopes(SCOPE_NAMES, 'read:profile read:profil')).toEqual(rejected(/^read:profil is not a scope\.$/))
    expect(authorizeScopes(SCOPE_NAMES, 'constructor')).toEqual(rejected(/^constructor is not a scope\.$/))
  })

  test('2. the error description explains the first three rejected names and counts the rest', () => {
    expect(authorizeScopes([], 'a:a b:b c:c d:d e:e')).toEqual(
      rejected(/^a:a is not .* b:b is not .* c:c is not a scope\. 2 more cannot be requested\.$/),
    )
  })

  test('3. An app that requests no scope receives read:profile, declared or not', () => {
    for (const none of [undefined, '', ' ']) {
      expect(authorizeScopes([], none)).toEqual(byDefault('read:profile'))
      expect(authorizeScopes(['read:explore'], none)).toEqual(byDefault('read:profile'))
    }
  })

  test('4. Multiple scopes are space-separated, in the request and in the granted set of the response', () => {
    const request = authorizeScopes(['write:follows', 'read:explore'], 'write:follows read:public read:explore')
    expect(request).toEqual(granted('read:public', 'read:explore', 'write:follows'))
    expect(printScopes(request.ok ? request.scopes : [])).toBe('read:public read:explore write:follows')
  })

  test('4. a malformed list of scopes is rejected', () => {
    for (const text of ['read:profile\tread:explore', 'read:profile,"x"', 'é']) {
      expect(authorizeScopes(SCOPE_NAMES, text)).toEqual(rejected(/separated by spaces/))
      expect(clientCredentialScopes(SCOPE_NAMES, text)).toEqual(rejected(/separated by spaces/))
    }
  })

  test('a grant of requested scopes has no other scope, and no scope that the app does not have', () => {
    fc.assert(
      fc.property(scopeSets, scopeSets, (declared, wanted) => {
        const asked = printScopes(wanted)
        for (const request of [authorizeScopes(declared, asked), clientCredentialScopes(declared, asked)]) {
          if (!request.ok || request.byDefault) continue
          expect(printScopes(request.scopes)).toBe(asked)
          const has = rights(declared)
          expect(beyond(rights(request.scopes), has)).toEqual([])
        }
      }),
    )
  })

  test('requestable gives the same result as the authorize step for every name', () => {
    fc.assert(
      fc.property(anyScope, scopeSets, (name, declared) => {
        expect(requestable(name, declared)).toBe(authorizeScopes(declared, name).ok)
      }),
    )
  })

  test('descriptions keep to the characters of an error_description (RFC 6749, 4.1.2.1)', () => {
    const texts = fc.oneof(scopeTexts, scopeSets.map(printScopes))
    fc.assert(
      fc.property(scopeSets, texts, (declared, text) => {
        for (const request of [authorizeScopes(declared, text), clientCredentialScopes(declared, text)]) {
          if (!request.ok) expect(request.description).toMatch(/^[ !#-[\]-~]{1,600}$/)
        }
      }),
    )
  })
})
