import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { destinations } from './destinations.ts'
import { requestBytes } from './request-bytes.ts'

const BEGIN = 'POST / HTTP/1.1\r\nhost: a.example\r\n'

describe('a request', () => {
  test('is its head, its headers, the length and the body, text or bytes alike', () => {
    const text = '{"a":"é😀"}'
    const expected = `${BEGIN}x: y\r\ncontent-length: 14\r\n\r\n${text}`
    expect(requestBytes(BEGIN, { x: 'y' }, text).toString()).toBe(expected)
    expect(requestBytes(BEGIN, { x: 'y' }, Buffer.from(text)).toString()).toBe(expected)
  })

  test('has a header of letters beyond ASCII as one byte each', () => {
    expect(requestBytes(BEGIN, { x: 'é' }, '').toString('latin1')).toContain('x: é\r\n')
  })

  test.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', 'a\x7fb', '日本'])('refuses the value %j', (value) => {
    expect(() => requestBytes(BEGIN, { x: value }, '')).toThrow('the header "x" cannot be sent')
  })

  test.each(['', 'a b', 'a:', 'a\r\nb', 'é', 'Host', 'content-length', 'Transfer-Encoding', 'connection', 'expect'])(
    'refuses the name %j',
    (name) => {
      expect(() => requestBytes(BEGIN, { [name]: 'x' }, '')).toThrow('cannot be sent')
    },
  )
})

describe('the head of a request', () => {
  const destinationOf = destinations({ loopback: true, ranges: [] })
  const headOf = (url: string) => destinationOf(url)?.head

  test('names the path, the query and the host, with its port where it is not the usual one', () => {
    expect(headOf('https://a.example')).toBe('POST / HTTP/1.1\r\nhost: a.example\r\nconnection: keep-alive\r\n')
    expect(headOf('https://a.example:8443/x%0d%0ay?q=%20#')).toBeUndefined()
    expect(headOf('https://A.example:8443/x%0d%0ay?q=%20')).toMatch(
      /^POST \/x%0d%0ay\?q=%20 HTTP\/1\.1\r\nhost: a\.example:8443\r\n/,
    )
    expect(headOf('http://[::1]:8080/')).toMatch(/^POST \/ HTTP\/1\.1\r\nhost: \[::1\]:8080\r\n/)
  })

  test('is three lines of visible characters, whatever the URL', () => {
    const part = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('utf16le'))
    fc.assert(
      fc.property(part, part, part, (name, path, query) => {
        for (const host of ['hooks.example.com', `${name}.example.com`]) {
          const head = headOf(`https://${host}/${path}?${query}`)
          if (head === undefined) continue
          expect(head).toMatch(/^POST \/[\x21-\x7e]* HTTP\/1\.1\r\nhost: [\x21-\x7e]+\r\nconnection: keep-alive\r\n$/)
        }
      }),
      { numRuns: 200 },
    )
  })
})
