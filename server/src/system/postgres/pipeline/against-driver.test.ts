import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { columnTypes } from '../connection.ts'
import { type ShortStatement, type SqlValue, shortStatement } from '../statement.ts'
import { Pipeline } from './pipeline.ts'

/**
 * Compares our pipeline with the driver: the same statements with the same values, many at once, have the same outcomes, for
 * any cut of PostgreSQL's bytes.
 */
type Call = { readonly statement: ShortStatement<unknown>; readonly values: readonly SqlValue[] }

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => text.replaceAll('\0', '')),
  // Characters with a meaning in array syntax.
  fc
    .array(fc.constantFrom('\\', '"', ',', '{', '}', 'NULL', ' ', '\n', 'é'), { maxLength: 8 })
    .map((all) => all.join('')),
)
const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const bytes = fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given))
const time = fc
  .date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })

function calling(name: string, text: string, ...values: readonly fc.Arbitrary<SqlValue>[]): fc.Arbitrary<Call> {
  const statement = shortStatement<unknown>(`t.against_driver_${name}`, text)
  return fc.tuple(...values).map((given) => ({ statement, values: given }))
}

const call: fc.Arbitrary<Call> = fc.oneof(
  calling(
    'kinds',
    `select $1::text as words, $2::int as number, $3::boolean as truth, $4::bytea as bytes, $5::text[] as list,
            $6::int[] as numbers, $7::float8 as fraction, $1::varchar as words_again`,
    ...[maybe(texts), maybe(fc.constant(7)), maybe(fc.boolean()), maybe(bytes)],
    ...[maybe(fc.array(texts, { maxLength: 4 })), maybe(fc.array(whole, { maxLength: 4 })), maybe(fc.double())],
  ),
  calling(
    'more_kinds',
    `select $1::timestamptz as at, $1::timestamptz::date as day, $1::timestamptz::timestamp as local, $2::bigint as large,
            $2::bigint::numeric / 7 as exact, $2::bigint::float4 as rough, to_jsonb($2::bigint) as json, $2::bigint as large`,
    ...[time, whole],
  ),
  calling(
    'bytes',
    'select $1::bytea as first, $2::bytea as second, $3::int as number',
    maybe(bytes),
    maybe(bytes),
    whole,
  ),
  calling(
    'rows',
    `select n, repeat($2, n % 50) as text, convert_to(repeat($2, n % 7), 'UTF8') as bytes from generate_series(1, $1::int) n`,
    ...[fc.integer({ min: 0, max: 300 }), texts],
  ),
  calling('long', 'select repeat($1, $2::int) as text', texts, fc.integer({ min: 0, max: 2_000 })),
  calling('no_columns', 'select from generate_series(1, $1::int)', fc.integer({ min: 0, max: 5 })),
  calling('nothing', 'select 1 as n where $1::boolean', fc.boolean()),
  calling('notice', 'select t_notice($1) as text', texts),
  calling('divided', 'select 1 / $1::int as n', fc.integer({ min: -1, max: 1 })),
  calling('read_as_number', 'select $1::text::int as n', texts),
  calling(
    'broken_on_the_way',
    'select 10 / (n - $1::int) as n from generate_series(1, 20) n',
    fc.integer({ min: 0, max: 30 }),
  ),
  calling('refused', 'select $1::ledger_position as n', fc.integer({ min: -1, max: 1 })),
  calling('no_such_table', 'select nothing as n from no_such_table'),
  calling('too_few_values', 'select $1::int + $2::int as n', whole),
)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await db.sql(`create function test.t_notice(given text) returns text language plpgsql as
    $$ begin raise notice 'this is %', given; return given; end $$`)
})
afterAll(() => db.close())

/** Forwards the bytes that the other stream receives, in pieces of these lengths, which repeat. */
class Recut extends Duplex {
  #turn = 0

  constructor(stream: Duplex, lengths: readonly number[]) {
    super({
      read: () => {},
      write: (chunk: Buffer, _, done) => stream.write(chunk, done),
      destroy: (error, done) => {
        stream.destroy()
        done(error)
      },
    })
    stream.removeAllListeners('data')
    stream.on('close', () => this.destroy())
    stream.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; ) {
        const length = lengths[this.#turn++ % lengths.length] ?? 1
        this.push(chunk.subarray(at, at + length))
        at += length
      }
    })
  }
}

async function connected(pipeline: boolean): Promise<Client> {
  const client = new Client({ connectionString: db.url, types: columnTypes, pipeline, options: CONNECTION })
  client.on('error', () => {})
  await client.connect()
  return client
}
const CONNECTION = '-c search_path=test -c timezone=UTC -c datestyle=ISO'

/** The parts of an outcome that the service uses: the rows, or some fields of the error. */
function seen(outcome: PromiseSettledResult<unknown[]>): unknown {
  if (outcome.status === 'fulfilled') return outcome.value.map((row) => Object.entries(row as object))
  expect(outcome.reason).toBeInstanceOf(DatabaseError)
  const { message, severity, code, detail, where, table, column, constraint } = outcome.reason as DatabaseError
  // After a failed prepare the driver still treats the statement as prepared, so its next call fails because the statement is
  // missing.
  return code === '26000' || code === '42P01'
    ? 'no such table'
    : { message, severity, code, detail, where, table, column, constraint }
}

test('the same calls have the same outcomes as with the driver, for any cut of PostgreSQL’s bytes', async () => {
  const waves = fc.array(fc.array(call, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })
  const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000 })), {
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(waves, cuts, async (all, lengths) => {
      const [under, driver] = [await connected(false), await connected(true)]
      try {
        const pipeline = new Pipeline({ connection: { stream: new Recut(under.connection.stream, lengths) } })
        for (const wave of all) {
          const ours = await Promise.allSettled(wave.map(({ statement, values }) => pipeline.run(statement, values)))
          const theirs = await Promise.allSettled(
            wave.map(async ({ statement: { name, text }, values }) => {
              const { rows } = await driver.query<object>({ name, text, values: [...values] })
              return rows
            }),
          )
          expect(ours.map(seen)).toEqual(theirs.map(seen))
        }
      } finally {
        await Promise.all([driver.end(), under.end()])
      }
    }),
    { numRuns: 60 },
  )
})

test('for any bytes in any pieces, every call ends when the connection ends', async () => {
  const kinds = fc.constantFrom(...Array.from('TDEZC123ntSNIA', (kind) => kind.charCodeAt(0)))
  const message = fc
    .tuple(kinds, fc.uint8Array({ maxLength: 40 }), fc.integer({ min: -6, max: 60 }))
    .map(([kind, body, wrong]) => {
      const head = Buffer.from([kind, 0, 0, 0, 0])
      // About half of the messages have a wrong length.
      head.writeInt32BE(wrong % 2 === 0 ? body.length + 4 : wrong, 1)
      return Buffer.concat([head, body])
    })
  const [{ statement }] = fc.sample(call, { numRuns: 1, seed: 1 }) as [Call]
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      async (messages, length) => {
        const stream = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() }).on('error', () => {})
        const pipeline = new Pipeline({ connection: { stream } })
        const calls = Promise.allSettled([1, 2, 3].map(async () => pipeline.run(statement, [])))
        const sent = Buffer.concat(messages)
        for (let at = 0; at < sent.length && !stream.destroyed; at += length)
          stream.push(sent.subarray(at, at + length))
        stream.destroy()
        expect(await calls).toHaveLength(3)
      },
    ),
    { numRuns: 300 },
  )
})
