import { describe, expect, test } from 'vitest'
import { holdsDomain, holdsLink, LINE_PATTERN, PARAGRAPHS_PATTERN } from './text.ts'

const line = new RegExp(LINE_PATTERN, 'u')
const paragraphs = new RegExp(PARAGRAPHS_PATTERN, 'u')

describe('text', () => {
  test.each(['Ada', 'Ada Lovelace', 'Åsa Öberg', '李小龍', 'محمد', '👩‍🚀 Space', "O'Neil", 'a', '500 % & more'])(
    '%s is a line',
    (text) => {
      expect(line.test(text)).toBe(true)
      expect(paragraphs.test(text)).toBe(true)
    },
  )

  test.each(['a\u0000b', 'a\u001bb', 'a\u0085b', 'Ada \u202eecalevoL', 'x\u2066y', 'a\ud800b', '\u200fAda'])(
    '%j is not text: control characters, direction marks, half surrogate pairs',
    (text) => {
      expect(line.test(text)).toBe(false)
      expect(paragraphs.test(text)).toBe(false)
    },
  )

  test.each(['', ' ', ' Ada', 'Ada ', 'Ada\nLovelace', 'Ada\tLovelace', 'Ada\u2028Lovelace'])(
    '%j is not a line',
    (text) => {
      expect(line.test(text)).toBe(false)
    },
  )

  test.each(['\u200b', '\u3164', '\u180e', '\u034f', '\u2800', '\u200bAda', '\ufeff'])(
    '%j has no visible character at its start',
    (text) => {
      expect(line.test(text)).toBe(false)
    },
  )

  test('paragraphs may have line breaks', () => {
    expect(paragraphs.test('Dear Ada,\n\n\thello.\r\n')).toBe(true)
  })

  test('checking takes time in proportion to the length, even for hostile input', () => {
    expect(line.test(`${'a '.repeat(50_000)}\u0000`)).toBe(false)
  })
})

describe('a link in a name', () => {
  test.each([
    'Win at https://evil.example',
    'http://evil.example',
    'WWW.evil.example',
    'Prize (www.evil.example)',
    'evil.example/prize',
    'Prize: evil.example:8080/x',
    'ｅｖｉｌ．example／x',
    'пример.рф/приз',
  ])('%s contains a link', (name) => {
    expect(holdsLink(name)).toBe(true)
  })

  test.each([
    'Acme.io',
    'Ada Lovelace',
    'J. R. R. Tolkien',
    'Acme Inc./Beta Ltd.',
    'AC/DC',
    'Awww. Cute',
    'Ratio 1.25/2',
    'St.Pauli',
  ])('%s contains no link', (name) => {
    expect(holdsLink(name)).toBe(false)
  })

  test.each([
    'evil.example',
    'Win at EVIL.example today',
    'evil-site.co.uk',
    't.co',
    'Prize: x.com',
    'ｅｖｉｌ．example',
    'пример.рф',
    'https://evil.example',
  ])('%s is not a valid name of a person', (name) => {
    expect(holdsDomain(name)).toBe(true)
  })

  test.each([
    'Ada Lovelace',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Dr. Grace M. Hopper, Ph.D.',
    'Ada Lovelace, M.Sc.',
    'Sammy Davis Jr.',
    'AC/DC',
    '1.25',
  ])('%s is allowed as a name', (name) => {
    expect(holdsDomain(name)).toBe(false)
  })
})
