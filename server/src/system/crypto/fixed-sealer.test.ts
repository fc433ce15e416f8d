import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixedSealer } from './fixed-sealer.ts'
import { keyring } from './keyring.ts'

const sealer = (current: string, previous: string[] = []) => fixedSealer(keyring(current, previous)('ledger-cursors'))
const FORM = { words: 8, context: 'places' }
const numbered = (from: number) => Uint32Array.from({ length: 8 }, (_, at) => from + at)
const word = fc.integer({ min: 0, max: 0xffff_ffff })

describe('small messages', () => {
  test('each opens to exactly what was sealed, whatever was sealed before it', () => {
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 11 }), (all) => {
        const seals = sealer('secret')
        const sealed = all.map((one) => seals.seal(Uint32Array.from(one), FORM))
        expect(sealed.map((one) => [...(seals.open(one, FORM) ?? [])])).toEqual(all)
        expect(all.map((one) => sealer('secret').seal(Uint32Array.from(one), FORM))).toEqual(sealed)
      }),
    )
  })

  test.each([5, 8, 14])('messages of %i words too', (words) => {
    const seals = sealer('secret')
    const form = { words, context: 'x' }
    const plain = Uint32Array.from({ length: words }, (_, at) => at * 0x1234567)
    expect(seals.open(seals.seal(plain, form), form)).toEqual(plain)
  })

  test('a length that does not end with its base64 is a mistake of ours', () => {
    expect(() => sealer('secret').seal(new Uint32Array(6), { words: 6, context: 'x' })).toThrow('base64')
  })

  test('any changed character opens nothing, wherever it stands', () => {
    const seals = sealer('secret')
    const sealed = seals.seal(new Uint32Array(8), FORM)
    for (let at = 0; at < sealed.length; at++) {
      for (const other of ['A', 'B', '_', '=', ' ', 'é', '+']) {
        if (sealed[at] === other) continue
        expect(seals.open(sealed.slice(0, at) + other + sealed.slice(at + 1), FORM)).toBeNull()
      }
    }
  })

  test('two that were cut and put together open nothing', () => {
    const seals = sealer('secret')
    const [a, b] = [seals.seal(numbered(0), FORM), seals.seal(numbered(8), FORM)]
    for (let at = 1; at < a.length; at++) {
      const mixed = a.slice(0, at) + b.slice(at)
      if (mixed !== a && mixed !== b) expect(seals.open(mixed, FORM)).toBeNull()
    }
  })

  test('what was sealed for one thing opens as no other, nor in another length', () => {
    const seals = sealer('secret')
    const sealed = seals.seal(new Uint32Array(8), FORM)
    expect(seals.open(sealed, { ...FORM, context: 'other places' })).toBeNull()
    expect(seals.open(sealed, { ...FORM, words: 5 })).toBeNull()
    expect(seals.open('', FORM)).toBeNull()
    expect(seals.open('A'.repeat(100_000), FORM)).toBeNull()
  })

  test('the same message has the same text on every machine and after every start', () => {
    const sealed = sealer('secret').seal(
      Uint32Array.from({ length: 8 }, (_, at) => at * 0x1234567),
      FORM,
    )
    expect(sealed).toBe('VbIUKu96tONXBZlZb3d_6lZKIPQULZdVriN0ZUKWuwgKWxGOtOiEaZBfn6B2k8yC')
  })

  test('after rotation the old still open, and the new are sealed with the new secret', () => {
    const plain = new Uint32Array(8).fill(7)
    const old = sealer('old').seal(plain, FORM)
    const rotated = sealer('new', ['old'])
    expect(rotated.open(old, FORM)).toEqual(plain)
    expect(sealer('old').open(rotated.seal(plain, FORM), FORM)).toBeNull()
    expect(sealer('new').open(old, FORM)).toBeNull()
  })

  test('nothing of a message can be read in its text', () => {
    const seals = sealer('secret')
    const zeros = seals.seal(new Uint32Array(8), FORM)
    const ones = seals.seal(Uint32Array.of(0, 0, 0, 0, 0, 0, 0, 1), FORM)
    const same = [...zeros].filter((char, at) => at >= 6 && char === ones[at]).length
    expect(same).toBeLessThan(20)
  })
})
