import { describe, expect, test } from 'vitest'
import { EMAIL_PATTERN, isLookalikeAddress } from './email-address.ts'

describe('an address that looks like another address', () => {
  test.each([
    ['a zero width space', 'ada\u200b@example.org'],
    ['a zero width joiner in the domain', 'ada@exam\u200dple.org'],
    ['a soft hyphen', 'a\u00adda@example.org'],
    ['a variation selector', 'ada\ufe0f@example.org'],
    ['an invisible letter', 'ada\u3164@example.org'],
    ['a Cyrillic а among Latin letters', '\u0430da@example.org'],
    ['a Cyrillic а in a Latin domain', 'ada@ex\u0430mple.org'],
    ['a Greek ο among Latin letters', 'f\u03bfo@example.org'],
    ['Cyrillic letters alone that read as Latin ones', '\u0441\u043e\u0441\u043e@example.org'],
    ['a domain label of Cyrillic letters that read as Latin ones', 'ada@\u0440\u0430\u0443.org'],
    ['a domain label of Cyrillic letters in punycode', 'ada@xn--80aa0c.org'],
    ['a Cyrillic letter in a Latin label in punycode', 'ada@xn--exmple-4nf.org'],
    ['letters of another width', 'ａda@example.org'],
    ['a ligature', 'ﬁona@example.org'],
    ['a dotless i', 'f\u0131ona@example.org'],
    ['a phonetic letter', '\u0261race@example.org'],
    ['a mark drawn over a letter', 'ad\u0337a@example.org'],
    ['an accent apart from its letter', 'rene\u0301@example.org'],
    ['a sign that looks like a slash', 'ada@example\u2044x.org'],
    ['a stop that looks like a dot', 'ada@example\u3002org'],
    ['digits of another script', 'ada\u0661@example.org'],
  ])('%s', (_, email) => {
    expect(isLookalikeAddress(email)).toBe(true)
  })

  test.each([
    'ada@example.org',
    "o'neil+news_1@mail.example.co.uk",
    'renée@bücher.example',
    'søren@example.dk',
    'иван@почта.рф',
    'дмитрий@example.org',
    'γιώργος@example.gr',
    '山田はなこ@例え.jp',
    '홍길동@example.kr',
    'שרה@example.org',
    'ada@xn--bcher-kva.example',
    'ada@[127.0.0.1]',
  ])('%s is not a lookalike', (email) => {
    expect(isLookalikeAddress(email)).toBe(false)
  })
})

describe('the pattern of an address', () => {
  const pattern = new RegExp(EMAIL_PATTERN, 'u')

  test.each([
    '<ada@example.org>',
    'ada@example.org>',
    'x<ada@example.org',
    'x,ada@example.org',
    'x;ada@example.org',
    'team:ada@example.org',
    '"ada"@example.org',
    'ada(x)@example.org',
    'a\\da@example.org',
    'ada@[127.0.0.1]',
  ])('rejects %s, which contains a character that mail software reads as punctuation', (email) => {
    expect(pattern.test(email)).toBe(false)
  })

  test.each(["o'neil+news_1@mail.example.co.uk", 'renée@bücher.example', 'a!#$%&*/=?^`{|}~-b@example.org'])(
    'accepts %s',
    (email) => {
      expect(pattern.test(email)).toBe(true)
    },
  )
})
