import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyring } from './keyring.ts'
import { cursorSealer, sealedBox } from './sealed-box.ts'

const FOLLOWS = { kind: 'follows', version: 1 }
const sealer = (current: string, previous: string[] = []) =>
  cursorSealer(sealedBox(keyring(current, previous)('cursors')))

describe('sealed cursors', () => {
  test('open to exactly the sealed value', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 8 }), (values) => {
        const cursors = sealer('secret')
        expect(cursors.open(FOLLOWS, cursors.seal(FOLLOWS, values))).toEqual(values)
      }),
    )
  })

  test('any changed character is rejected, at any place', () => {
    const cursors = sealer('secret')
    const cursor = cursors.seal(FOLLOWS, ['co_1', 42])
    for (let at = 0; at < cursor.length; at++) {
      for (const other of ['A', 'B', '_', '=', ' ', 'é']) {
        if (cursor[at] === other) continue
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
        expect(cursors.open(FOLLOWS, changed), changed).toBeNull()
      }
    }
  })

  test('cut, lengthened, empty or absurdly long cursors are rejected', () => {
    const cursors = sealer('secret')
    const cursor = cursors.seal(FOLLOWS, [1])
    for (const wrong of ['', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, 'A'.repeat(100_000)]) {
      expect(cursors.open(FOLLOWS, wrong)).toBeNull()
    }
  })

  test('a cursor of another list or another format version is rejected', () => {
    const cursors = sealer('secret')
    const cursor = cursors.seal(FOLLOWS, [1])
    expect(cursors.open({ kind: 'investments', version: 1 }, cursor)).toBeNull()
    expect(cursors.open({ kind: 'follows', version: 2 }, cursor)).toBeNull()
  })

  test('after rotation old cursors still open and new ones are sealed with the new secret', () => {
    const old = sealer('old').seal(FOLLOWS, [1])
    const rotated = sealer('new', ['old'])
    expect(rotated.open(FOLLOWS, old)).toEqual([1])
    expect(sealer('old').open(FOLLOWS, rotated.seal(FOLLOWS, [1]))).toBeNull()
    expect(sealer('new').open(FOLLOWS, old)).toBeNull()
  })
})

describe('keys', () => {
  test('for one purpose do not open a value that was sealed for another purpose', () => {
    const keys = keyring('secret')
    const sealed = sealedBox(keys('cursors')).seal(Buffer.from('x'), 'c')
    expect(sealedBox(keys('stored-answers')).open(sealed, 'c')).toBeNull()
  })
})
