import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { readPrimary, type WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { offeringLister } from './list-offerings.ts'
import type { ExploreQuery } from './schemas.ts'
import { catalogRevision } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await db.databases.test.transaction((tx) => makeOffering(tx, { listed: true }))
})
afterAll(() => db.close())

test('first pages stay cached while a client tries many cursors, amounts and days', async () => {
  const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
  const list = offeringLister({ cursors, origin: () => 'https://portico.example' })
  const { world, read } = counted(db.databases.test)
  const ask = (query: ExploreQuery) =>
    list(world, {
      ...{ viewer: null, query, cursorsAre: 'offsets' },
      ...{ revision: catalogRevision(world), staleReads: readPrimary },
    })
  const readings = async (work: () => Promise<unknown>) => {
    const before = read()
    await work()
    return read() - before
  }
  expect(await readings(() => ask({}))).toBe(1)
  const counting = async () => {
    for (let n = 1; n <= 110; n++) {
      await ask({ cursor: String(n) })
      await ask({ min_amount_raised: n })
      await ask({ closing_before: `2${String(n).padStart(3, '0')}-01-01` })
    }
  }
  expect(await readings(counting)).toBe(330)
  expect(await readings(() => ask({}))).toBe(0)
})

/** Returns the same database with a counter of the pages that are read from it. */
function counted(database: WorldDatabase): { readonly world: WorldDatabase; read(): number } {
  let pages = 0
  const reads: WorldDatabase['reads'] = {
    ...database.reads,
    many: (...args) => {
      pages += 1
      return database.reads.many(...args)
    },
    one: (...args) => database.reads.one(...args),
  }
  return { world: { ...database, reads, short: (...args) => database.short(...args) }, read: () => pages }
}
