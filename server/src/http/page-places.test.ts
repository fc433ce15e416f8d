import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { pagePlaces } from './pagination.ts'

const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
const KIND = { kind: 'places', version: 1 }
const counted = pagePlaces(cursors, 'offsets', KIND)
const sealed = pagePlaces(cursors, 'sealed', KIND)

test('the cursors of older versions count the rows so far, up to 100,000', () => {
  expect(counted.next(['a'], 50)).toBe('50')
  expect(counted.open('50')).toEqual({ after: null, skip: 50 })
  expect(counted.open('100000')).toEqual({ after: null, skip: 100_000 })
  for (const nothing of [undefined, '']) expect(counted.open(nothing)).toEqual({ after: null, skip: 0 })
})

test.each(['100001', '9999999', '10000000', '-1', '1.5', 'x'])('%s is not a cursor of an older version', (cursor) => {
  expect(() => counted.open(cursor)).toThrow(ApiError)
})

test('the cursor of the newest version names the last row; a number is rejected', () => {
  expect(sealed.open(sealed.next(['a', 1], 50))).toEqual({ after: ['a', 1], skip: 0 })
  expect(() => sealed.open('50')).toThrow(ApiError)
})
