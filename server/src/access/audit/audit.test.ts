import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { type AuditEntry, recordAudit, recordAuditIn, recordAudits, recordAuditsIn } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const ENTRY: AuditEntry = {
  actor: 'opk_000000000000000000000001',
  action: 'organization.ended',
  subject: 'org_000000000000000000000001',
}
const record = (entry: AuditEntry) => db.databases.platform.transaction((tx) => recordAudit(tx, entry))
const entries = () => db.sql('select actor, action, subject, details from platform.audit_entries order by id')

test('an entry has the actor, the action, the subject and further details', async () => {
  await record(ENTRY)
  await record({ ...ENTRY, actor: 'system', details: { reason: 'repeated violations', apps: 2 } })
  expect(await entries()).toEqual([
    { ...ENTRY, details: {} },
    { ...ENTRY, actor: 'system', details: { reason: 'repeated violations', apps: 2 } },
  ])
})

test('an entry is written in the transaction of its change, so a change that was rolled back has no entry', async () => {
  const before = await entries()
  const undone = db.databases.platform.transaction(async (tx) => {
    await recordAudit(tx, ENTRY)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await entries()).toEqual(before)
})

test('a change in a world is recorded in that world’s transaction, in the same audit', async () => {
  const before = await entries()
  await db.databases.test.transaction((tx) => recordAuditIn(tx, { ...ENTRY, details: { world: 'test' } }))
  const undone = db.databases.live.transaction(async (tx) => {
    await recordAuditIn(tx, ENTRY)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await entries()).toEqual([...before, { ...ENTRY, details: { world: 'test' } }])
})

test('one call records several entries, from the platform or from a world; an empty list records no entry', async () => {
  const before = await entries()
  const second = { ...ENTRY, action: 'app.ended', details: { apps: 1 } }
  await db.databases.platform.transaction(async (tx) => {
    await recordAudits(tx, [ENTRY, second])
    await recordAudits(tx, [])
  })
  await db.databases.live.transaction((tx) => recordAuditsIn(tx, [second]))
  expect(await entries()).toEqual([...before, { ...ENTRY, details: {} }, second, second])
})

test('an entry cannot be changed or deleted', async () => {
  await expect(db.sql("update platform.audit_entries set actor = 'x'")).rejects.toThrow('audit_entries_append_only')
  await expect(db.sql('delete from platform.audit_entries')).rejects.toThrow('audit_entries_append_only')
})

test('an empty or too long entry is an internal error', async () => {
  await expect(record({ ...ENTRY, actor: '' })).rejects.toThrow('audit_entries_actor_length')
  await expect(record({ ...ENTRY, details: { text: 'x'.repeat(20_000) } })).rejects.toThrow('details_object')
})
