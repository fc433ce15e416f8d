import { describe, expect, test } from 'vitest'
import { COMMON_WORDS, isCommonPassword } from './password-rules.ts'
import { passwordSentence } from './passwords.ts'

const ABOUT = ['Ada Lovelace', 'ada.lovelace@fieldbook.example', 'Portico']

describe('a new password', () => {
  test.each([
    ...[
      'password1234',
      'Password2026!',
      'P@ssw0rd!!!!',
      'passwordpassword',
      'letmein-letmein',
      'qwertyuiop12',
      '123456789012',
    ],
    ...[
      'aaaaaaaaaaaa',
      'abcabcabcabc',
      'abcdefghijkl',
      'Summer-2026!!',
      'Syndicate-2026!',
      'iloveyou1999',
      'dragonmonkey7',
      'welcome 12345',
    ],
    ...[
      'correct horse battery staple',
      'liverpool2024',
      '1qwertyuiop1',
      'zxcvbnm,./123',
      '111111111111',
      '2026-11-18--1',
    ],
  ])('%s is rejected, because attackers try it first', (password) => {
    expect(isCommonPassword(password)).toBe(true)
    expect(passwordSentence(password)).toContain('easy to guess')
  })

  test.each([
    'ada.lovelace1',
    'lovelace-ada-1815',
    'fieldbook2026',
    'PorticoPortico',
    'adaportico!!!',
    'Ada@Fieldbook1',
  ])('%s is rejected for the account that it describes', (password) => {
    expect(isCommonPassword(password, ABOUT)).toBe(true)
  })

  test.each([
    ...['lantern over a quiet harbour', 'seven geese above the mill', 'battery staple', 'a longer staple battery'],
    ...[
      'kV9#rTq2!mWz',
      'aB3dE5gH7jK9',
      'blauer Dunst über Wien',
      'portico-demo-founder',
      'correct horse',
      'ユニコーンが空を飛ぶ夜',
    ],
  ])('%s is accepted', (password) => {
    expect(isCommonPassword(password, ['Ada Lovelace', 'ada@example.org', 'Wefunder'])).toBe(false)
  })

  test('has at least twelve characters and at most two hundred', () => {
    expect(passwordSentence('kV9#rTq2!mW')).toContain('12 to 200 characters')
    expect(passwordSentence(`kV9#rTq2!mWz${'ü'.repeat(189)}`)).toContain('12 to 200 characters')
    expect(passwordSentence('kV9#rTq2!mWz')).toBeNull()
  })

  test('is compared with a list of more than 700 words, which form more than 490,000 pairs', () => {
    expect(COMMON_WORDS.size).toBeGreaterThan(700)
    expect(COMMON_WORDS.size ** 2).toBeGreaterThan(490_000)
  })

  test('of 200 characters that repeat one character or word is rejected before the test times out', () => {
    for (const text of ['a'.repeat(200), 'ab'.repeat(100), 'password'.repeat(25)]) {
      expect(isCommonPassword(text)).toBe(true)
    }
  })
})
