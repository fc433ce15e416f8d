import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { authenticateOperator, createOperatorKey, listKeys, revokeOperatorKey } from './index.ts'
import { findKeyInForce } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const lookUp = (bearer: string) => authenticateOperator(db.databases)(bearer)
const create = (world: World = 'test', name = 'Nightly feed') =>
  db.databases.platform.transaction((tx) => createOperatorKey(tx, { world, name }, 'shell:tester'))
const revoke = (id: Awaited<ReturnType<typeof create>>['id']) =>
  db.databases.platform.transaction((tx) => revokeOperatorKey(tx, id, 'shell:tester'))
const auditOf = (subject: string) =>
  db.sql<{ action: string; actor: string; details: object }>(
    'select action, actor, details from platform.audit_entries where subject = $1 order by id',
    [subject],
  )

describe('an operator key', () => {
  test.each(WORLDS)(
    'of the %s world has that world’s prefix and 256 random bits, and is valid in that world',
    async (world) => {
      const { id, key } = await create(world)
      expect(key).toMatch(new RegExp(`^ok_${world}_[A-Za-z0-9_-]{43}$`))
      expect(await lookUp(key)).toEqual({
        ...{ kind: 'operator', world, actor: id, name: 'Nightly feed', role: 'admin', reason: null, session: null },
      })
    },
  )

  test('is stored only as its SHA-256', async () => {
    const { id, key } = await create()
    const [row] = await db.sql<{ secret_hash: Buffer; row: string }>(
      'select secret_hash, k::text as row from platform.operator_keys k where id = $1',
      [id],
    )
    expect(row?.secret_hash).toEqual(createHash('sha256').update(key).digest())
    expect(row?.row).not.toContain(key.slice('ok_test_'.length))
  })

  test('of one world with the prefix of the other world is unknown', async () => {
    const { key } = await create('test')
    expect(await lookUp(key.replace('ok_test_', 'ok_live_'))).toBeNull()
  })

  test.each(['', 'ok_test_', 'ok_prod_abc', 'at_test_abc', `ok_test_${'a'.repeat(42)}`, `ok_test_${'é'.repeat(43)}`])(
    '%j cannot be an operator key, and is rejected without a query',
    async (bearer) => {
      const unreachable = { short: () => Promise.reject(new Error('asked')) } as never
      expect(await authenticateOperator({ test: unreachable, live: unreachable })(bearer)).toBeNull()
    },
  )

  test('is rejected on the next request after it was revoked; other keys stay valid', async () => {
    const [lost, kept] = [await create(), await create()]
    await revoke(lost.id)
    expect(await lookUp(lost.key)).toBeNull()
    expect(await lookUp(kept.key)).not.toBeNull()
  })

  test('is revoked once: of ten concurrent requests exactly one succeeds, and the audit has one entry', async () => {
    const { id } = await create()
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => revoke(id)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const tried of tries) {
      if (tried.status === 'rejected') expect(tried.reason).toMatchObject({ type: 'illegal_transition' })
    }
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['operator_key.created', 'operator_key.revoked'])
  })

  test('that does not exist cannot be revoked; the audit has no entry', async () => {
    const id = newId('operatorKey')
    await expect(revoke(id)).rejects.toMatchObject({ type: 'not_found' })
    expect(await auditOf(id)).toEqual([])
  })

  test('is audited with actor, world and name, never with the key', async () => {
    const { id, key } = await create('live', 'Billing')
    await revoke(id)
    const entries = await auditOf(id)
    expect(entries).toEqual([
      {
        action: 'operator_key.created',
        actor: 'shell:tester',
        details: { world: 'live', name: 'Billing', role: 'admin' },
      },
      { action: 'operator_key.revoked', actor: 'shell:tester', details: { world: 'live', name: 'Billing' } },
    ])
    expect(JSON.stringify(entries)).not.toContain(key)
  })

  test.each([[''], [' padded '], ['two\nlines'], ['right\u202eleft'], ['x'.repeat(81)]])(
    'with the name %j is rejected, and nothing is stored',
    async (name) => {
      const before = (await listKeys(db.databases.platform.reads)).length
      await expect(create('test', name)).rejects.toMatchObject({ type: 'validation_error' })
      expect(await listKeys(db.databases.platform.reads)).toHaveLength(before)
    },
  )

  test('is listed with its data, oldest first, even if it was revoked', async () => {
    const first = await create('test', 'A')
    const second = await create('live', 'B')
    await revoke(first.id)
    const mine = (await listKeys(db.databases.platform.reads)).filter(({ id }) => [first.id, second.id].includes(id))
    expect(mine).toMatchObject([
      { id: first.id, world: 'test', name: 'A', last_used_at: null, revoked_at: expect.any(String) },
      { id: second.id, world: 'live', name: 'B', last_used_at: null, revoked_at: null },
    ])
    expect(JSON.stringify(mine)).not.toContain('hash')
  })
})

describe('last_used_at', () => {
  const usedAt = async (id: string) => {
    const [row] = await db.sql<{ at: Date | null }>(
      'select last_used_at as at from platform.operator_keys where id = $1',
      [id],
    )
    return row?.at ?? null
  }

  test('is recorded at a use, and again only after a minute', async () => {
    const { id, key } = await create()
    await lookUp(key)
    await expect.poll(() => usedAt(id)).not.toBeNull()
    const first = await usedAt(id)
    const again = await findKeyInForce(db.databases.test, digestOf(key))
    expect(again).toMatchObject({ id, unused_lately: false })
    expect(await usedAt(id)).toEqual(first)
    await db.sql(
      `update platform.operator_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1`,
      [id],
    )
    const aged = await usedAt(id)
    await lookUp(key)
    await expect.poll(() => usedAt(id)).not.toEqual(aged)
  })

  test('does not fail the request if the write fails', async () => {
    const { id, key } = await create()
    const test = db.databases.test
    const failing = { ...test, reads: { ...test.reads, run: () => Promise.reject(new Error('no')) } }
    const caller = await authenticateOperator({ test: failing, live: db.databases.live })(key)
    expect(caller).toMatchObject({ actor: id })
  })
})
