import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { boundNumbers } from '#system/crypto/bound-numbers.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { type Cursors, cursorsOf, type Reader, ROW_CURSOR_CHARS, type SyncPlace } from './cursors.ts'

const sealersOf = (secret: string, previous: string[] = []) => {
  const keys = keyring(secret, previous)
  const boxes = keys('ledger-cursors')
  return { places: sealedBox(boxes), positions: boundNumbers({ boxes, numbers: keys('ledger-rows') }) }
}
const sealer = sealersOf('secret')
const [company, user] = [newId('company'), newId('user')]
const LIST = { route: 'investments', world: 'test' } as const
const READER: Reader = { audience: { kind: 'company', company }, pii: false }
const cursors = cursorsOf(sealer, LIST, READER)

const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const place = fc.record({ epoch: number, position: number, asOf: number, access: number })
const SOMEWHERE = { epoch: 1_794_734_867_641_123, position: 5_000_000_000, asOf: 1_794_734_867_641, access: 3 }

const rowsOf = (of: Cursors, from: SyncPlace, positions: readonly number[]) => {
  const written = of.ofRows(from, positions)
  return positions.map((_, row) => {
    const room = Buffer.alloc(ROW_CURSOR_CHARS)
    written.write(row, room, 0)
    return room.toString('latin1')
  })
}

const rejected = (of: Cursors, cursor: string) => {
  try {
    of.open(cursor)
  } catch (error) {
    return error instanceof ApiError ? error.status : error
  }
  return 'opened'
}

describe('a cursor', () => {
  test('of a sync opens to its place, even with the largest numbers', () => {
    fc.assert(
      fc.property(place, (at) => {
        const sealed = cursors.sync(at)
        expect(cursors.open(sealed)).toEqual({ mode: 'sync', place: { ...at, sealed } })
      }),
    )
  })

  test('of a listing opens to its place', () => {
    fc.assert(
      fc.property(place, (at) => {
        const listed = { ...at, after: newId('investment') }
        expect(cursors.open(cursors.list(listed))).toEqual({ mode: 'list', place: listed })
      }),
    )
  })

  test('of a row opens to the same place with the row’s position, even with the largest numbers', () => {
    fc.assert(
      fc.property(place, fc.array(number, { minLength: 1, maxLength: 100 }), (at, positions) => {
        const sealed = cursors.sync(at)
        const rows = rowsOf(cursors, { ...at, sealed }, positions)
        expect(rows.map((cursor) => cursors.open(cursor))).toEqual(
          positions.map((position) => ({ mode: 'sync', place: { ...at, position, sealed } })),
        )
        expect(cursors.ofRows({ ...at, sealed }, positions).last()).toBe(rows.at(-1))
      }),
    )
  })

  test('of a row and the cursor that requested its page give a later row the same cursor', () => {
    const place = { ...SOMEWHERE, sealed: cursors.sync(SOMEWHERE) }
    const [first = ''] = rowsOf(cursors, place, [7])
    const opened = cursors.open(first)
    if (opened.mode !== 'sync') throw new Error('a row is of a sync')
    expect(rowsOf(cursors, opened.place, [8])).toEqual(rowsOf(cursors, place, [8]))
  })

  test('of a row is rejected if its place or its row is taken from another cursor', () => {
    const [here = ''] = rowsOf(cursors, SOMEWHERE, [7])
    const [there = ''] = rowsOf(cursors, { ...SOMEWHERE, access: 4 }, [7])
    const split = cursors.sync(SOMEWHERE).length
    expect(rejected(cursors, here.slice(0, split) + there.slice(split))).toBe(400)
    expect(rejected(cursors, there.slice(0, split) + here.slice(split))).toBe(400)
  })

  test('from before a change of the secret works, and so do the cursors of its rows', () => {
    const after = cursorsOf(sealersOf('new secret', ['secret']), LIST, READER)
    const [old = ''] = rowsOf(cursors, SOMEWHERE, [7])
    const opened = after.open(old)
    if (opened.mode !== 'sync') throw new Error('a row is of a sync')
    const [next = ''] = rowsOf(after, opened.place, [9])
    expect(after.open(next)).toMatchObject({ place: { position: 9 } })
  })

  test('is 400 if it is truncated, lengthened, empty or altered in any character', () => {
    const given = [
      cursors.sync(SOMEWHERE),
      cursors.list({ ...SOMEWHERE, after: newId('investment') }),
      ...rowsOf(cursors, SOMEWHERE, [5_000_000_001]),
    ]
    for (const cursor of given) {
      for (const wrong of [
        '',
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        `${cursor}${cursor}`,
      ]) {
        expect(rejected(cursors, wrong)).toBe(400)
      }
      for (let at = 0; at < cursor.length; at++) {
        const altered = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
        expect(rejected(cursors, altered), altered).toBe(400)
      }
    }
  })

  test('from another endpoint, another company, another world or another service is 400', () => {
    const others = [
      cursorsOf(sealer, { route: 'investments', world: 'live' }, READER),
      cursorsOf(sealer, { route: `changes/${company}`, world: 'test' }, READER),
      cursorsOf(sealersOf('other secret'), LIST, READER),
    ]
    for (const other of others) {
      expect(rejected(cursors, other.sync(SOMEWHERE))).toBe(400)
      expect(rejected(cursors, other.list({ ...SOMEWHERE, after: newId('investment') }))).toBe(400)
    }
    const [, changes] = others
    if (changes === undefined) throw new Error('there is one')
    const another = cursorsOf(sealer, { route: `changes/${newId('company')}`, world: 'test' }, READER)
    expect(rejected(another, changes.sync(SOMEWHERE))).toBe(400)
    expect(
      rejected(cursorsOf(sealer, { route: `changes/${company}`, world: 'test' }, READER), changes.sync(SOMEWHERE)),
    ).toBe('opened')
  })

  test('of another audience is 410, also for a listing; a cursor of the same audience opens for every caller', () => {
    const others: Reader[] = [
      { audience: { kind: 'company', company: newId('company') }, pii: false },
      { audience: { kind: 'own', user }, pii: false },
      { audience: { kind: 'union', user }, pii: false },
      { audience: { kind: 'union', user: newId('user') }, pii: false },
    ]
    for (const [at, other] of others.entries()) {
      const theirs = cursorsOf(sealer, LIST, other)
      expect(rejected(cursors, theirs.sync(SOMEWHERE))).toBe(410)
      expect(rejected(cursors, theirs.list({ ...SOMEWHERE, after: newId('investment') }))).toBe(410)
      for (const third of others) {
        const same = third === others[at]
        expect(rejected(cursorsOf(sealer, LIST, { ...third }), theirs.sync(SOMEWHERE))).toBe(same ? 'opened' : 410)
      }
    }
  })

  test('made without identities is 410 for a reader that sees identities; made with identities, it also works without them', () => {
    for (const audience of [READER.audience, { kind: 'union', user } as const]) {
      const [without, with_] = [false, true].map((pii) => cursorsOf(sealer, LIST, { audience, pii })) as [
        Cursors,
        Cursors,
      ]
      expect(rejected(with_, without.sync(SOMEWHERE))).toBe(410)
      expect(rejected(without, with_.sync(SOMEWHERE))).toBe('opened')
      expect(rejected(with_, with_.sync(SOMEWHERE))).toBe('opened')
      // The reader lost identities, read a page, and gained them again.
      const between = without.open(with_.sync(SOMEWHERE)).place
      expect(rowsOf(without, between, [6]).map((cursor) => rejected(with_, cursor))).toEqual([410])
    }
    const own = (pii: boolean) => cursorsOf(sealer, LIST, { audience: { kind: 'own', user }, pii })
    expect(rejected(own(true), own(false).sync(SOMEWHERE))).toBe('opened')
  })

  test('of another version of the format is 400', () => {
    for (const version of [1, 3]) {
      const sealed = sealer.places.seal(Buffer.alloc(32), `investments sync cursor v${version} of test`)
      expect(rejected(cursors, sealed.toString('base64url'))).toBe(400)
    }
    const now = sealer.places.seal(Buffer.alloc(32), 'investments sync cursor v2 of test')
    expect(rejected(cursors, now.toString('base64url'))).toBe(410)
  })
})
