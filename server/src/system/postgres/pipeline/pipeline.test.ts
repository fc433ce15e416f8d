import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { ConstraintViolation, DatabaseUnavailable, translateError } from '../errors.ts'
import { shortStatement } from '../statement.ts'
import { type Message, MessageReader } from './messages.ts'
import { Pipeline } from './pipeline.ts'

type Echoed = {
  readonly words: string | null
  readonly number: number | null
  readonly truth: boolean | null
  readonly bytes: Buffer | null
  readonly list: readonly string[] | null
  readonly numbers: readonly number[] | null
}

const ECHO = shortStatement<Echoed>(
  't.pipeline_echo',
  `select $1::text as words, $2::int as number, $3::boolean as truth, $4::bytea as bytes, $5::text[] as list,
          $6::int[] as numbers`,
)
const LONG = shortStatement<{ text: string }>('t.pipeline_long', `select repeat($1, $2::int) as text`)
const ROWS = shortStatement<{ n: number }>('t.pipeline_rows', 'select n from generate_series(1, $1::int) n order by n')
const NONE = shortStatement<{ n: number }>('t.pipeline_none', 'select 1 as n where false')
const WRONG = shortStatement<{ n: number }>('t.pipeline_wrong', `select nothing as n from no_such_table`)
const REFUSED = shortStatement<{ n: number }>('t.pipeline_refused', `select $1::ledger_position as n`)
const TIME = shortStatement<{ at: string }>('t.pipeline_time', `select timestamptz '2026-11-15 08:30:00.12+00' as at`)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

describe('values', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => text.replaceAll('\0', ''))
  const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 5 })

  test('of every type are returned unchanged, many at once', async () => {
    const one = fc.record({
      words: maybe(texts),
      number: maybe(whole),
      truth: maybe(fc.boolean()),
      bytes: maybe(fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))),
      list: maybe(fc.array(texts, { maxLength: 5 })),
      numbers: maybe(fc.array(whole, { maxLength: 5 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 20 }), async (given) => {
        const { short } = db.databases.test
        const responses = given.map((each) => short(ECHO, Object.values(each)))
        expect((await Promise.all(responses)).flat()).toEqual(given)
      }),
      { numRuns: 50 },
    )
  })

  test('times have the usual form', async () => {
    expect(await db.databases.test.short(TIME)).toEqual([{ at: '2026-11-15T08:30:00.120000Z' }])
  })
})

describe('answers', () => {
  test('longer than one chunk, and many rows, stay separate', async () => {
    const { short } = db.databases.test
    const lengths = [300_000, 1, 70_000, 65_536, 0, 150_000]
    const [long, rows, none] = await Promise.all([
      Promise.all(lengths.map((length, at) => short(LONG, ['äbcdef'.charAt(at), length]))),
      short(ROWS, [5_000]),
      short(NONE),
    ])
    expect(long.map(([row]) => row?.text)).toEqual(lengths.map((length, at) => 'äbcdef'.charAt(at).repeat(length)))
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1))
    expect(none).toEqual([])
  })

  test('a statement that cannot be prepared fails every time, and no other statement fails', async () => {
    const { short } = db.databases.test
    for (let turn = 0; turn < 2; turn++) {
      const outcomes = await Promise.allSettled([short(ROWS, [1]), short(WRONG), short(WRONG), short(ROWS, [2])])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({
        reason: { code: '42P01', message: 'relation "no_such_table" does not exist' },
      })
    }
  })

  test('a violated constraint is reported as on every other connection', async () => {
    await expect(db.databases.test.short(REFUSED, [0])).rejects.toThrow(ConstraintViolation)
  })

  test('a statement with the name of another statement is rejected', async () => {
    await db.databases.test.short(NONE)
    const other = { ...NONE, text: 'select 2 as n' }
    await expect(db.databases.test.short(other)).rejects.toThrow('t.pipeline_none was prepared with another text')
  })

  test('when the connection is lost, all waiting calls and all later calls fail as unavailable', async () => {
    // A server that accepts connections and never responds.
    const silent = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    const pipeline = new Pipeline({ connection: { stream: silent } })
    const waiting = Promise.allSettled([pipeline.run(NONE, []), pipeline.run(NONE, []), pipeline.run(ROWS, [1])])
    silent.destroy()
    const outcomes = [...(await waiting), ...(await Promise.allSettled([pipeline.run(NONE, [])]))]
    for (const outcome of outcomes) {
      expect(translateError(outcome.status === 'rejected' && outcome.reason)).toBeInstanceOf(DatabaseUnavailable)
    }
  })

  test.each([
    ['an empty row description', [[0x54, 0, 0, 0, 4]]],
    ['a message with the length -1', [[0x54, 0xff, 0xff, 0xff, 0xff]]],
    [
      'an invalid message that arrives in pieces',
      [
        [0x54, 0xff],
        [0xff, 0xff, 0xff],
      ],
    ],
  ])('an invalid message ends the connection: %s', async (_, pieces) => {
    const babbling = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    babbling.on('error', () => {})
    const waiting = new Pipeline({ connection: { stream: babbling } }).run(NONE, [])
    for (const bytes of pieces) babbling.push(Buffer.from(bytes))
    await expect(waiting).rejects.toThrow()
    expect(babbling.destroyed).toBe(true)
  })
})

describe('messages', () => {
  test('are the same for any cut of the bytes', () => {
    const content = fc.uint8Array({ maxLength: 40 })
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.array(content, { maxLength: 8 }), cuts, (contents, lengths) => {
        const sent = Buffer.concat(contents.flatMap((bytes) => [head(bytes.length), bytes]))
        const read: Buffer[] = []
        const reader = new MessageReader(({ bytes, start, end }: Message) => {
          read.push(Buffer.from(bytes.subarray(start, end)))
        })
        for (let at = 0, turn = 0; at < sent.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1
          reader.read(sent.subarray(at, at + length))
          at += length
        }
        expect(read).toEqual(contents.map((bytes) => Buffer.from(bytes)))
      }),
    )
  })
})

function head(length: number): Buffer {
  const bytes = Buffer.from('D....')
  bytes.writeInt32BE(length + 4, 1)
  return bytes
}
