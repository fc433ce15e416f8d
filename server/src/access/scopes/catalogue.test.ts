import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '#events/index.ts'
import { CONCERNS, closure, isScopeName, PICKER, SCOPE_CATALOGUE, SCOPE_NAMES, type ScopeName } from './index.ts'
import { inGroup } from './testing/scope-sets.ts'

const ENTRIES = SCOPE_NAMES.map((name) => SCOPE_CATALOGUE[name])

/** The names of scopes and how an app obtains them, as `name: way`. */
function ways(names: readonly ScopeName[]): readonly string[] {
  return names.map((name) => `${name}: ${SCOPE_CATALOGUE[name].obtained}`)
}

describe('Scope catalog', () => {
  test('Public (every app): read:public', () => {
    expect(inGroup('public')).toEqual(['read:public'])
    expect(SCOPE_CATALOGUE['read:public']).toMatchObject({
      obtained: 'creation',
      holders: ['publishable', 'client', 'user', 'installation'],
    })
  })

  test('Self-serve (selectable in the portal): the whole table, and the picker lists the deal catalog first', () => {
    expect(PICKER.map(({ name }) => name)).toEqual([
      'read:explore',
      'read:profile',
      'write:profile',
      'write:follows',
      'write:comments',
      'read:investments',
      'read:companies',
      'read:webhooks',
      'write:webhooks',
      'read:referral_codes',
      'write:referral_codes',
      'read:installations',
      'write:installations',
      'read:investors:pii',
      'read:syndicates',
      'write:syndicates',
      'read:invite_links',
      'write:invite_links',
      'read:investment_sessions',
      'write:investment_sessions',
      'write:syndicate_members',
    ])
    expect(PICKER.map(({ name }) => name)).toEqual(inGroup('self_serve'))
  })

  test('the picker and the whole catalogue list each write: directly under its read:', () => {
    expect(SCOPE_NAMES.slice(0, 2)).toEqual(['read:public', 'read:explore'])
    for (const names of [SCOPE_NAMES, PICKER.map(({ name }) => name)]) {
      for (const [place, name] of names.entries()) {
        const read = name.replace('write:', 'read:')
        // read:follows is retired, so it is listed with the retired scopes and not above write:follows.
        if (read === name || name === 'write:follows' || !names.some((one) => one === read)) continue
        expect(names[place - 1]).toBe(read)
      }
    }
  })

  test('a scope of the picker implies only self-serve scopes, except read:profile:follows', () => {
    const all = closure(PICKER.map(({ name }) => name))
    const others = [...all].filter((name) => SCOPE_CATALOGUE[name].group !== 'self_serve')
    expect(others).toEqual(['read:profile:follows'])
  })

  test('referral-code scopes are held by the app’s server key only; a user token is rejected', () => {
    const serverOnly = ENTRIES.filter(({ holders }) => holders.length === 1 && holders[0] === 'client')
    expect(serverOnly.map(({ name }) => name)).toEqual(['read:referral_codes', 'write:referral_codes'])
  })

  test('hosted investment sessions and join sessions are beta', () => {
    expect(ENTRIES.filter(({ beta }) => beta).map(({ name }) => name)).toEqual([
      'read:investment_sessions',
      'write:investment_sessions',
      'write:syndicate_members',
    ])
  })

  test('Declared, not yet selectable: registered, and existing holders keep them', () => {
    expect(new Set(ways(inGroup('declared_not_selectable')))).toEqual(
      new Set([
        'write:investments: kept',
        'read:contracts: kept',
        'write:contracts: kept',
        'read:perks: kept',
        'write:perks: kept',
        'read:tax_documents: kept',
      ]),
    )
  })

  test('read:tax_documents is sensitive on the consent screen', () => {
    expect(SCOPE_CATALOGUE['read:tax_documents'].sensitive).toMatch(/tax number/)
  })

  test('Available, not selectable: the whole table, and how an app obtains each scope', () => {
    expect(new Set(ways(inGroup('available_not_selectable')))).toEqual(
      new Set([
        'write:companies: platform',
        'read:files: platform',
        'write:files: platform',
        'read:investors:contacts: assistant',
        'read:profile:follows: implied',
      ]),
    )
  })

  test('read:investors:contacts is granted by a founder’s consent to the platform’s own assistant server', () => {
    expect(SCOPE_CATALOGUE['read:investors:contacts'].holders).toEqual(['user'])
    expect(SCOPE_NAMES.filter((name) => closure([name]).has('read:investors:contacts'))).toEqual([
      'read:investors:contacts',
    ])
  })

  test('read:profile:follows is obtained via read:profile or write:follows', () => {
    const direct = ENTRIES.filter(({ implies }) => implies.includes('read:profile:follows'))
    expect(direct.map(({ name }) => name)).toEqual(['read:profile', 'write:follows'])
  })

  test('Program-gated (access program, not the picker): each scope with its program', () => {
    const programs = inGroup('program_gated').map((name) => [name, SCOPE_CATALOGUE[name].program])
    expect(Object.fromEntries(programs)).toEqual({
      'read:attribution:aggregate': { name: 'marketing_partner', tier: 0 },
      'read:attribution:anonymized': { name: 'marketing_partner', tier: 1 },
      'read:attribution:full': { name: 'founder' },
      'write:attribution': { name: 'marketing_partner' },
    })
    expect(ENTRIES.filter(({ program }) => program !== null).map(({ name }) => name)).toEqual(inGroup('program_gated'))
    expect(ENTRIES.filter(({ obtained }) => obtained === 'program').map(({ name }) => name)).toEqual(
      inGroup('program_gated'),
    )
  })

  test('Retired: read:offerings, write:offerings, read:follows, and read:campaigns of older versions', () => {
    expect(ways(inGroup('retired'))).toEqual([
      ...['read:offerings: kept', 'write:offerings: kept', 'read:follows: kept', 'read:campaigns: kept'],
    ])
    expect(ENTRIES.filter(({ replacedBy }) => replacedBy !== null).map(({ name }) => name)).toEqual([
      ...['read:offerings', 'write:offerings', 'read:follows'],
    ])
  })

  test('Reserved: read:mcp is for the platform’s own assistant server and is not offered to others', () => {
    expect(ways(inGroup('reserved'))).toEqual(['read:mcp: assistant'])
    expect(SCOPE_CATALOGUE['read:mcp'].holders).toEqual(['user'])
  })

  test('admin:read, admin:write and admin:attribution are internal and never granted to partner apps', () => {
    expect(ways(inGroup('internal'))).toEqual(['admin:read: never', 'admin:write: never', 'admin:attribution: never'])
    for (const name of inGroup('internal')) {
      expect(SCOPE_CATALOGUE[name].holders).toEqual([])
      expect(SCOPE_NAMES.filter((other) => closure([other]).has(name))).toEqual([name])
    }
  })

  test('no operation accepts the planned scopes, write:companies, both files scopes and two attribution scopes', () => {
    const idle = ENTRIES.filter((entry) => entry.idle).map(({ name }) => name)
    expect(new Set(idle)).toEqual(
      new Set([
        ...inGroup('declared_not_selectable'),
        ...['write:companies', 'read:files', 'write:files'],
        ...['read:attribution:aggregate', 'write:attribution'],
      ]),
    )
  })

  test('no route and no event asks for a scope that is unknown, retired or accepted by no operation', async () => {
    const routes = await readFile(new URL('../../../../docs/routes.md', import.meta.url), 'utf8')
    const asked = routes.match(/\b(read|write|admin):[a-z_]+(:[a-z]+)?/g) ?? []
    const ofEvents = Object.values(EVENT_CATALOGUE).flatMap(({ audience }) => audience.map(({ scope }) => scope ?? []))
    const wrong = [...asked, ...ofEvents.flat()].filter((name) => {
      if (!isScopeName(name)) return true
      return SCOPE_CATALOGUE[name].idle || SCOPE_CATALOGUE[name].group === 'retired'
    })
    // The only retired name that an operation still accepts: apps that are pinned before 2026-11-01 list campaigns with it.
    expect(wrong).toEqual(['read:campaigns'])
  })
})

describe('the sentences of the consent page', () => {
  test.each(ENTRIES)(
    '$name: is short, begins with a capital letter, and contains no technical term',
    ({ consent, sensitive }) => {
      for (const text of [consent, ...(sensitive === null ? [] : [sensitive])]) {
        expect(text).toMatch(/^[A-Z].*\.$/)
        expect(text).not.toMatch(/!|scope|token|endpoint|webhook|PII|API|\bthe user\b| {2}/)
        expect(text.length).toBeLessThanOrEqual(230)
      }
      expect(consent.length).toBeLessThanOrEqual(120)
    },
  )

  test('are in the second person, except those about the app, the platform, public data, contracts and attribution', () => {
    const aboutOthers = ENTRIES.filter(({ consent }) => !/\b(you|your)\b/.test(consent)).map(({ name }) => name)
    expect(aboutOthers.filter((name) => !['app', 'platform'].includes(SCOPE_CATALOGUE[name].concerns))).toEqual([
      'read:public',
      'read:contracts',
      'write:attribution',
    ])
  })

  test('never offer to invest, because people can only reserve in a testing-the-waters offering', () => {
    for (const { consent } of ENTRIES) expect(consent).not.toMatch(/\binvest\b|\bsign\b(?! (up|for you\.))|money/)
  })

  test('are different for any two scopes that an app can have today', () => {
    const current = ENTRIES.filter(({ group }) => group !== 'retired')
    expect(new Set(current.map(({ consent }) => consent)).size).toBe(current.length)
  })

  test('of a scope that includes a sensitive scope are marked as sensitive, and name the data that becomes visible', () => {
    const silent = ENTRIES.filter(
      ({ name, sensitive }) =>
        sensitive === null && [...closure([name])].some((one) => SCOPE_CATALOGUE[one].sensitive !== null),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('are marked as sensitive only for other people’s identity, money matters and documents', () => {
    const marked = ENTRIES.filter(({ sensitive, group }) => sensitive !== null && group === 'self_serve')
    expect(marked.map(({ name }) => name)).toEqual([
      'read:investments',
      'read:companies',
      'read:investors:pii',
      'read:syndicates',
      'write:syndicates',
    ])
  })

  test('have a heading each', () => {
    for (const { concerns } of ENTRIES) expect(CONCERNS[concerns]).toMatch(/^[A-Z]/)
  })
})
