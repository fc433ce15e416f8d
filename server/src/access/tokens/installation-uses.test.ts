import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { installationUses } from './authenticate-tokens.ts'
import { authenticateTokens, lastUses } from './index.ts'
import { aClient, aConnection, aUserToken } from './testing/stage.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const useOf = async (id: Id<'installation'>) => (await lastUses(db.databases.test.reads, [id])).get(id) ?? null

async function backdate(id: Id<'installation'>, by: string): Promise<void> {
  await db.sql('update test.installation_uses set used_at = used_at - $2::interval where installation_id = $1', [
    id,
    by,
  ])
}

describe('the last use of a connection', () => {
  test('is recorded when its token is accepted, but not when its token is rejected', async () => {
    const client = await aClient(db)
    const connection = await aConnection(db, client)
    const { accessToken } = await aUserToken(db, client, connection)
    const find = authenticateTokens(db.databases)
    expect(await useOf(connection.installation)).toBeNull()
    expect(await find(accessToken)).toMatchObject({ kind: 'user' })
    await expect.poll(() => useOf(connection.installation)).not.toBeNull()

    const other = await aConnection(db, client)
    const stopped = await aUserToken(db, client, other)
    await db.sql('update test.access_tokens set revoked_at = clock_timestamp() where installation_id = $1', [
      other.installation,
    ])
    expect(await find(stopped.accessToken)).toBe('ended')
    await find(accessToken)
    expect(await useOf(other.installation)).toBeNull()
  })

  test('is written once an hour, for any number of requests', async () => {
    const { installation } = await aConnection(db, await aClient(db))
    let nowMs = 0
    let writes = 0
    const counted = {
      ...db.databases.test,
      reads: {
        ...db.databases.test.reads,
        run: async (...call: Parameters<WorldDatabase['reads']['run']>) => {
          writes += 1
          return db.databases.test.reads.run(...call)
        },
      },
    }
    const note = installationUses(() => nowMs)
    for (let i = 0; i < 100; i++) note(counted, installation)
    await expect.poll(() => useOf(installation)).not.toBeNull()
    nowMs = 3_599_999
    note(counted, installation)
    await backdate(installation, '2 hours')
    const before = await useOf(installation)
    nowMs = 3_600_000
    note(counted, installation)
    await expect.poll(() => useOf(installation)).not.toBe(before)
    expect(writes).toBe(2)
  })

  test('is recorded even if the use arrived while the write of another use failed', async () => {
    const client = await aClient(db)
    const [one, two] = [await aConnection(db, client), await aConnection(db, client)]
    const note = installationUses()
    const failing = Promise.withResolvers<void>()
    let writes = 0
    const flaky = {
      ...db.databases.test,
      reads: {
        ...db.databases.test.reads,
        run: async (...call: Parameters<WorldDatabase['reads']['run']>) => {
          writes += 1
          if (writes > 1) return db.databases.test.reads.run(...call)
          await failing.promise
          throw new Error('the connection is lost')
        },
      },
    }
    note(flaky, one.installation)
    await expect.poll(() => writes).toBe(1)
    note(flaky, two.installation)
    // The second use calls `write`, too, but this call returns at once, because the first write is still running.
    await new Promise((done) => setImmediate(done))
    failing.resolve()
    await expect.poll(() => useOf(two.installation)).not.toBeNull()
  })

  test('is written by only the first of two processes', async () => {
    const { installation } = await aConnection(db, await aClient(db))
    const [one, two] = [installationUses(), installationUses()]
    one(db.databases.test, installation)
    await expect.poll(() => useOf(installation)).not.toBeNull()
    const before = await useOf(installation)
    const later = await aConnection(db, await aClient(db))
    two(db.databases.test, installation)
    two(db.databases.test, later.installation)
    await expect.poll(() => useOf(later.installation)).not.toBeNull()
    expect(await useOf(installation)).toBe(before)
  })
})
