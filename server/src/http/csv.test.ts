import { describe, expect, test } from 'vitest'
import { csvLine } from './response-bodies.ts'

describe('a line of CSV', () => {
  test('follows RFC 4180: commas, CR LF, every cell in quotes, with the quotes inside it doubled', () => {
    expect(csvLine(['plain', 12, true, null, ''])).toBe('"plain","12","true","",""\r\n')
    expect(csvLine(['a, b', 'say "hello"', 'two\nlines', 'two\r\nlines'])).toBe(
      '"a, b","say ""hello""","two\nlines","two\r\nlines"\r\n',
    )
  })

  test.each([
    ['=HYPERLINK("https://evil.example","x")', `'=HYPERLINK(""https://evil.example"",""x"")`],
    ['+1 555', `'+1 555`],
    ['-2+3', `'-2+3`],
    ['@SUM(A1)', `'@SUM(A1)`],
    [' =1', ` '=1`],
    ['\t=1', `'\t'=1`],
    ['\tplain', `'\tplain`],
    ['\r=1', `'\r'=1`],
    ['\n=1', `'\n'=1`],
    ['＝1', `'＝1`],
    // Some spreadsheets separate cells at other characters than commas, or ignore quotes.
    ['a;=1+1', `a;'=1+1`],
    ['a; =1+1', `a; '=1+1`],
    ['a;"=1+1"', `a;""'=1+1""`],
    ['a,@SUM(A1)', `a,'@SUM(A1)`],
    ['a\t+1', `a\t'+1`],
    ['a|-1', `a|'-1`],
    ['two\n=lines', `two\n'=lines`],
    ['=1;=2', `'=1;'=2`],
  ])('makes %j harmless', (cell, written) => {
    expect(csvLine([cell])).toBe(`"${written}"\r\n`)
  })

  test('does not change text with =, @ or - inside a cell', () => {
    expect(csvLine(['a=b', 'ada@example.org', '2026-01-01'])).toBe('"a=b","ada@example.org","2026-01-01"\r\n')
  })
})
