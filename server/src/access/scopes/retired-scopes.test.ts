import { describe, expect, test } from 'vitest'
import {
  authorizeScopes,
  closure,
  declaredIn,
  heldScopes,
  mayCarry,
  narrow,
  requestable,
  seesEveryFollow,
  selectable,
} from './index.ts'

describe('Retired scopes', () => {
  test('1. read:offerings and write:offerings were folded into read:companies and write:companies', () => {
    expect(closure(['read:offerings'])).toEqual(new Set(['read:offerings', 'read:companies']))
    expect(closure(['write:offerings'])).toEqual(new Set(['write:offerings', 'write:companies', 'read:companies']))
  })

  test('1. a token or install holding a retired name is treated as holding the companies scope', () => {
    expect(closure(['read:public', 'read:offerings'])).toContain('read:companies')
    expect(narrow(['read:companies'], ['read:offerings'])).toEqual(['read:companies'])
  })

  test('1. an app holding a retired name is treated as holding the companies scope', () => {
    expect(requestable('read:companies', ['read:offerings'])).toBe(true)
    expect(requestable('write:companies', ['read:offerings'])).toBe(false)
    expect(requestable('write:companies', ['write:offerings'])).toBe(true)
  })

  test('1. lifecycle events reach installs carrying read:companies, so also installs with one of the retired names', () => {
    for (const name of ['read:offerings', 'write:offerings']) expect(closure([name])).toContain('read:companies')
  })

  test('1., 2. New apps cannot select retired names', () => {
    for (const name of ['read:offerings', 'write:offerings', 'read:follows']) expect(selectable(name)).toBe(false)
  })

  test('2. a holder of read:follows is treated as holding read:profile:follows only', () => {
    expect(closure(['read:follows'])).toEqual(new Set(['read:follows', 'read:profile:follows']))
  })

  test('2. an app that declares read:follows gains only read:profile:follows, so it cannot request read:profile', () => {
    expect(mayCarry(['read:follows'])).toEqual(new Set(['read:public', 'read:profile:follows', 'read:follows']))
  })

  test('Retired names keep working as aliases, with no deadline, because no code compares a date', () => {
    expect(closure(['read:offerings', 'read:follows'])).toEqual(
      new Set(['read:offerings', 'read:companies', 'read:follows', 'read:profile:follows']),
    )
  })

  test.each([
    ['read:offerings', ['read:offerings']],
    ['read:offerings', ['read:companies']],
    ['read:offerings', ['write:companies']],
    ['write:offerings', ['write:offerings']],
    ['write:offerings', ['write:companies']],
    ['read:follows', ['read:follows']],
  ])('%s is accepted from an app that declares %j, and granted under its own name', (name, declared) => {
    expect(authorizeScopes(declared, name)).toEqual({ ok: true, scopes: [name], byDefault: false })
  })

  test.each([
    ['read:offerings', ['read:investments']],
    ['write:offerings', ['read:companies', 'read:offerings']],
  ])('%s is rejected for an app that declares %j, but neither the name nor its replacement', (name, declared) => {
    expect(authorizeScopes(declared, name)).toEqual({
      ok: false,
      description: `${name} is retired and the app declares neither it nor what replaced it.`,
    })
  })

  test.each([[['read:explore']], [['read:profile']], [['write:follows']], [['read:profile:follows']]])(
    'read:follows is rejected for an app that declares %j but not read:follows, which is not an alias',
    (declared) => {
      const description = 'read:follows is retired and the app does not declare it.'
      expect(authorizeScopes(declared, 'read:follows')).toEqual({ ok: false, description })
    },
  )

  test('read:campaigns is for apps pinned before the newest version, and includes no other scope', () => {
    expect(declaredIn('2026-10-01', ['read:campaigns'])).toEqual(['read:campaigns'])
    expect(declaredIn('2026-11-01', ['read:campaigns', 'read:profile'])).toEqual(['read:profile'])
    expect(heldScopes(['read:campaigns'], '2026-10-01')).toEqual(new Set(['read:public', 'read:campaigns']))
    expect(heldScopes(['read:campaigns'], '2026-11-01')).toEqual(new Set(['read:public']))
    expect(authorizeScopes(['read:companies'], 'read:campaigns')).toEqual({
      ok: false,
      description: 'read:campaigns is for apps that declare it and are pinned to a version before 2026-11-01.',
    })
  })

  test('a grant for the public follow list does not allow read:follows, which gives the whole list', () => {
    expect(narrow(['read:follows'], ['read:profile'])).toEqual([])
    expect(narrow(['read:follows'], ['write:profile'])).toEqual([])
    expect(narrow(['read:follows'], ['write:follows'])).toEqual(['read:follows'])
    expect(narrow(['read:follows'], ['read:profile', 'read:mcp'])).toEqual(['read:follows'])
  })

  test('a grant of read:companies allows read:offerings, which gives the same rights', () => {
    expect(narrow(['read:offerings', 'write:offerings'], ['read:companies'])).toEqual(['read:offerings'])
  })
})

describe('GET /users/me/follows', () => {
  test.each([['write:follows'], ['read:mcp'], ['read:follows']])('with %s shows every followed company', (name) => {
    expect(seesEveryFollow([name])).toBe(true)
    expect(seesEveryFollow(closure([name, 'read:profile']))).toBe(true)
  })

  test.each([['read:profile'], ['write:profile'], ['read:profile:follows']])(
    'with %s shows the public list',
    (name) => {
      expect(seesEveryFollow(closure([name]))).toBe(false)
    },
  )
})
