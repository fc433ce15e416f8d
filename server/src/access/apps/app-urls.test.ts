import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { rejectUrls } from './create-app.ts'

type Field = 'website_url' | 'setup_url'

function isRejected(field: Field, url: string): boolean {
  try {
    rejectUrls({ [field]: url })
    return false
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.details).toMatchObject({ fields: [{ field, code: 'invalid_format' }] })
    return true
  }
}

describe.each<[Field, readonly string[], readonly string[]]>([
  [
    'website_url',
    ['https://a.example', 'https://a.example/x?y=1#z', 'http://a.example/'],
    ['ftp://a.example', 'javascript:alert(1)', '//a.example', '/logo.png', 'data:text/html,x'],
  ],
  [
    'setup_url',
    ['https://a.example/setup', 'http://localhost:3000/setup', 'http://127.0.0.1/setup', 'http://[::1]:80/'],
    ['http://a.example/setup', 'http://localhost.a.example/', 'https://a.example/#x', 'https://a.example/#'],
  ],
])('%s', (field, good, bad) => {
  test.each(good)('may be %s', (url) => {
    expect(isRejected(field, url)).toBe(false)
  })

  test.each([
    ...bad,
    ...['', 'nonsense', 'https://', 'https:///x', 'https:a.example', 'https://u:p@a.example/', 'https://u@a.example/'],
    ...['https://a.example/ x', 'https://a.example/\u0000', 'https://bücher.example', 'https://a.example\\@b.example'],
    ...['https://a.example/"x', 'https://a.example/<x>', 'HTTPS://A.example/'],
  ])('may not be %j', (url) => {
    expect(isRejected(field, url)).toBe(true)
  })
})

test('an omitted or removed address is not checked', () => {
  expect(() => rejectUrls({})).not.toThrow()
  expect(() => rejectUrls({ website_url: null, setup_url: null })).not.toThrow()
})
