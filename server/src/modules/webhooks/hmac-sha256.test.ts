import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacKey, hmacSha256 } from './signature.ts'

test.each([
  ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ['4a656665', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  [
    'aa'.repeat(131),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
])('RFC 4231: key %s', (key, text, digest) => {
  expect(hmacSha256(hmacKey(Buffer.from(key, 'hex')), { head: '', body: Buffer.from(text) }, 'hex')).toBe(digest)
  expect(hmacSha256(hmacKey(Buffer.from(key, 'hex')), { head: text, body: Buffer.alloc(0) }, 'hex')).toBe(digest)
})

test('agrees with createHmac for any key, head and body', () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 40 })
  fc.assert(
    fc.property(bytes, ascii, bytes, (key, head, body) => {
      const expected = createHmac('sha256', key).update(head).update(body).digest('base64')
      expect(hmacSha256(hmacKey(key), { head, body }, 'base64')).toBe(expected)
    }),
  )
})

test('a long body, and then a short one', () => {
  const key = Buffer.from('a key')
  const made = hmacKey(key)
  for (const length of [100_000, 10]) {
    const body = Buffer.alloc(length, 'x')
    const expected = createHmac('sha256', key).update('1.').update(body).digest('hex')
    expect(hmacSha256(made, { head: '1.', body }, 'hex')).toBe(expected)
  }
})
