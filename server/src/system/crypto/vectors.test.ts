import { describe, expect, test } from 'vitest'
import { boundNumbers } from './bound-numbers.ts'
import { type Keyring, keyring, type Purpose } from './keyring.ts'
import { pageLinks } from './page-link.ts'
import { sealedBox } from './sealed-box.ts'
import vectors from './testing/vectors.json' with { type: 'json' }

// `testing/vectors.py`, an independent implementation of the constructions in decision 23, generated the vectors.

const hex = (text: string) => Buffer.from(text, 'hex')
const numbersOf = (keys: Keyring) => boundNumbers({ boxes: keys('ledger-cursors'), numbers: keys('ledger-rows') })

describe('the same as an independent implementation', () => {
  test.each(vectors.keys)('key of $purpose: $id', ({ secret, purpose, id, bytes }) => {
    const { current } = keyring(secret)(purpose as Purpose)
    expect(current.id).toEqual(hex(id))
    expect(current.secret.export()).toEqual(hex(bytes))
  })

  test.each(vectors.boxes)('a box of "$context"', ({ secret, context, plain, sealed }) => {
    const box = sealedBox(keyring(secret)('cursors'))
    expect(box.open(hex(sealed), context)).toEqual(hex(plain))
    expect(box.open(hex(sealed), `${context} `)).toBeNull()
    for (let at = 0; at < hex(sealed).length; at++) {
      const changed = hex(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(box.open(changed, context)).toBeNull()
    }
  })

  test.each(vectors.numbers)('$number bound to a box', ({ secret, box, number, sealed }) => {
    const numbers = numbersOf(keyring(secret))
    expect(numbers.seal(box, [number]).toString('base64url')).toBe(sealed)
    expect(numbers.open(box, sealed)).toBe(number)
  })

  test.each(vectors.links)('a link of $world', ({ secret, world, id, link }) => {
    const links = pageLinks(keyring(secret)('hosted-links'))
    expect(links.make(world as 'test' | 'live', id)).toBe(link)
    expect(links.open('investmentSession', link)).toEqual({ world, id })
  })
})

describe('a value stored by an earlier version', () => {
  test('opens, although that version used a key as bytes and a nonce from randomBytes', () => {
    const before = 'AcsBH9lST9xIKbRvil2a7bsknvHL73TnFU71pIZzWwC7roq9W4JdqtLJ7ZtmyZpuH17B1g=='
    const keys = keyring('the current secret', ['the sealing secret of this vector'])
    const opened = sealedBox(keys('webhook-secrets')).open(Buffer.from(before, 'base64'), 'we_0123456789')
    expect(opened?.toString()).toBe('whsec_stored before')
  })
})

describe('a number bound to a box', () => {
  const keys = keyring('secret', ['old'])
  const numbers = numbersOf(keys)
  const boxes = sealedBox(keys('ledger-cursors'))
  const box = boxes.seal(Buffer.alloc(32), 'places').toString('base64url')

  test('does not open with another box, under another secret, or with a changed bit', () => {
    const sealed = numbers.seal(box, [7]).toString('base64url')
    const other = boxes.seal(Buffer.alloc(32), 'places').toString('base64url')
    expect(numbers.open(box, sealed)).toBe(7)
    expect(numbers.open(other, sealed)).toBeNull()
    expect(numbersOf(keyring('another')).open(box, sealed)).toBeNull()
    for (let bit = 0; bit < 128; bit++) {
      const changed = Buffer.from(sealed, 'base64url')
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(numbers.open(box, changed.toString('base64url'))).toBeNull()
    }
    for (const wrong of ['', sealed.slice(1), `${sealed}A`, `${sealed.slice(0, -1)}=`, ' '.repeat(22)]) {
      expect(numbers.open(box, wrong)).toBeNull()
    }
  })

  test('uses the key of its box, also after a rotation of the secret', () => {
    const before = keyring('old')
    const old = sealedBox(before('ledger-cursors')).seal(Buffer.alloc(32), 'places').toString('base64url')
    const sealed = numbersOf(before).seal(old, [7])
    expect(numbers.seal(old, [7])).toEqual(sealed)
    expect(numbers.open(old, sealed.toString('base64url'))).toBe(7)
  })

  test('cannot be bound to a box that this server did not seal', () => {
    expect(() => numbers.seal('A'.repeat(87), [7])).toThrow('box that this server sealed')
  })
})

test('every box has a different nonce, even if the value is the same', () => {
  const box = sealedBox(keyring('secret')('cursors'))
  const nonces = Array.from({ length: 2_000 }, () => box.seal(Buffer.from('x'), 'c').subarray(5, 17).toString('hex'))
  expect(new Set(nonces).size).toBe(nonces.length)
})
