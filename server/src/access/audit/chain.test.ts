import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { sharedVerification } from './http.ts'
import { chainAudit, eraseReasons, operatorAudit, recordAudit, recordAudits, verifyAudit } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())
beforeEach(() => behindTheTriggers('truncate platform.audit_entries, platform.audit_digests restart identity'))

const ACTOR = 'opk_000000000000000000000001'
const entry = (subject: string) => ({ actor: ACTOR, action: 'app.approved', subject, details: { of: subject } })
const platform = () => db.databases.platform
const chain = (limit = 100) => platform().transaction((tx) => chainAudit(tx, limit))
const verify = (end?: string | null) => verifyAudit(platform().reads, end)

/** Records ten entries, each with a reason, and adds them to the chain. Returns their ids. */
async function tenChained(): Promise<readonly string[]> {
  const audit = operatorAudit(platform())
  for (let n = 0; n < 10; n++) {
    await platform().transaction(async (tx) => {
      await audit.onPlatform(tx, { reason: `Ticket ${n}`, requestId: newId('request') })
      await recordAudit(tx, entry(`app_${n}`))
    })
  }
  await chain()
  return (await db.sql<{ id: string }>('select id::text as id from platform.audit_entries e order by e.id')).map(
    ({ id }) => id,
  )
}

/** Changes rows like the owner of the database, who can switch off the triggers that protect them. */
async function behindTheTriggers(text: string, values: readonly unknown[] = []): Promise<void> {
  for (const table of ['audit_entries', 'audit_digests'])
    await db.sql(`alter table platform.${table} disable trigger user`)
  await db.sql(text, [...values])
  for (const table of ['audit_entries', 'audit_digests'])
    await db.sql(`alter table platform.${table} enable trigger user`)
}

describe('the chain', () => {
  test('covers every entry once, in rounds, and passes its verification', async () => {
    await platform().transaction((tx) =>
      recordAudits(
        tx,
        Array.from({ length: 7 }, (_, n) => entry(`app_${n}`)),
      ),
    )
    expect(await verify()).toMatchObject({ entries: 0, waiting: 7, findings: [], end: null })
    expect([await chain(3), await chain(3), await chain(3), await chain(3)]).toEqual([3, 3, 1, 0])
    expect(await verify()).toMatchObject({
      entries: 7,
      waiting: 0,
      findings: [],
      end: expect.stringMatching(/^7:[0-9a-f]{64}$/),
    })
  })

  test('is extended by one worker at a time if several run at once, without a gap and without an error', async () => {
    await platform().transaction((tx) =>
      recordAudits(
        tx,
        Array.from({ length: 50 }, (_, n) => entry(`app_${n}`)),
      ),
    )
    const taken = await Promise.all(Array.from({ length: 8 }, () => chain(10)))
    expect(taken.every((one) => one === 10 || one === 0)).toBe(true)
    while ((await chain(10)) > 0);
    expect(await verify()).toMatchObject({ entries: 50, waiting: 0, findings: [] })
  })

  test('includes an entry that was committed later than entries with higher ids', async () => {
    const { promise: finish, resolve } = Promise.withResolvers<void>()
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>()
    const late = platform().transaction(async (tx) => {
      await recordAudit(tx, entry('app_late'))
      wrote()
      await finish
    })
    await written
    await platform().transaction((tx) => recordAudit(tx, entry('app_early')))
    expect(await chain()).toBe(1)
    resolve()
    await late
    expect(await chain()).toBe(1)
    expect(await verify()).toMatchObject({ entries: 2, waiting: 0, findings: [] })
  })

  test('is extended again after hours: the verification counts the entries without a digest as waiting, not as inserted', async () => {
    for (let n = 0; n < 5; n++) {
      await db.sql(
        `insert into platform.audit_entries (at, actor, action, subject)
         values (now() - interval '5 hours' + $1 * interval '1 hour', $2, 'app.approved', 'app_x')`,
        [n, ACTOR],
      )
    }
    for (let chained = 1; chained <= 5; chained++) {
      expect(await chain(1)).toBe(1)
      expect(await verify()).toMatchObject({ entries: chained, waiting: 5 - chained, findings: [] })
    }
  })

  test('is append-only, like the entries', async () => {
    await tenChained()
    await expect(db.sql('delete from platform.audit_digests')).rejects.toThrow('audit_digests_append_only')
    await expect(db.sql('update platform.audit_digests set entry_id = 99')).rejects.toThrow('audit_digests_append_only')
    await expect(db.sql(`update platform.audit_entries set reason = 'Another'`)).rejects.toThrow('append_only')
    await expect(
      db.sql(`update platform.audit_entries set reason = null, reason_salt = null, actor = 'x'`),
    ).rejects.toThrow('append_only')
  })
})

test('verifications with different ends run one after the other, and verifications with the same end share one run', async () => {
  await tenChained()
  const { reads } = platform()
  let [reading, most, firstPages] = [0, 0, 0]
  const counted: typeof reads = {
    ...reads,
    many: async (statement, values) => {
      if (statement.name === 'audit.links' && values?.[0] === '0') firstPages++
      most = Math.max(most, ++reading)
      return reads.many(statement, values).finally(() => reading--)
    },
  }
  const verifyShared = sharedVerification({ reads: counted })
  const ends = [null, `1:${'0'.repeat(64)}`, `2:${'0'.repeat(64)}`, null]
  const found = await Promise.all(ends.map(verifyShared))
  expect(found.map(({ knowsEarlierEnd }) => knowsEarlierEnd)).toEqual([null, false, false, null])
  expect([most, firstPages]).toEqual([1, 3])
})

describe('the verification finds', () => {
  test.each([
    ['its actor', `actor = 'acct_000000000000000000000002'`],
    ['its action', `action = 'app.unapproved'`],
    ['its subject', `subject = 'app_other'`],
    ['its time', `at = at - interval '1 second'`],
    ['its details', `details = '{"of": "app_3", "also": 1}'`],
    ['its request', `request_id = 'req_000000000000000000000002'`],
    ['whether an operator acted', 'by_operator = false'],
  ])('a changed entry (%s), and reports only this entry', async (_, change) => {
    const ids = await tenChained()
    await behindTheTriggers(`update platform.audit_entries set ${change} where id = $1`, [ids[3]])
    expect((await verify()).findings).toEqual([{ entry: ids[3], kind: 'changed' }])
  })

  test('a changed reason', async () => {
    const ids = await tenChained()
    await behindTheTriggers(`update platform.audit_entries set reason = 'Nothing to see' where id = $1`, [ids[3]])
    expect((await verify()).findings).toEqual([{ entry: ids[3], kind: 'reason_changed' }])
  })

  test('a removed entry, even if its digest was removed too', async () => {
    const ids = await tenChained()
    await behindTheTriggers('delete from platform.audit_entries where id = $1', [ids[3]])
    expect((await verify()).findings).toEqual([{ entry: ids[3], kind: 'removed' }])
    await behindTheTriggers('delete from platform.audit_digests where entry_id = $1', [ids[3]])
    expect((await verify()).findings).toEqual([{ entry: ids[4], kind: 'digest_removed' }])
  })

  test.each([
    ['between other entries, with an earlier time', '$1::bigint', `now() - interval '1 day'`],
    ['at the end, with an earlier time', '$1::bigint + 1000', `now() - interval '1 day'`],
  ])('an inserted entry %s, before and after a worker adds its digest', async (_, id, at) => {
    const ids = await tenChained()
    const gap = ids[3]
    await behindTheTriggers('delete from platform.audit_digests where entry_id = $1', [gap])
    await behindTheTriggers('delete from platform.audit_entries where id = $1', [gap])
    await db.sql(
      `insert into platform.audit_entries (id, at, actor, action, subject) overriding system value
       values (${id}, ${at}, $2, 'app.approved', 'app_x')`,
      [gap, ACTOR],
    )
    const [inserted] = await db.sql<{ id: string }>(
      `select id::text as id from platform.audit_entries where subject = 'app_x'`,
    )
    const found = { entry: inserted?.id, kind: 'inserted' }
    expect((await verify()).findings).toContainEqual(found)
    await chain()
    expect((await verify()).findings).toContainEqual(found)
  })

  test('a completely new chain, if the caller passes the end that an earlier verification returned', async () => {
    await tenChained()
    const { end } = await verify()
    await platform().transaction((tx) => recordAudit(tx, entry('app_later')))
    await chain()
    expect(await verify(end)).toMatchObject({ knowsEarlierEnd: true, findings: [] })
    await behindTheTriggers(`update platform.audit_entries set actor = 'nobody' where subject = 'app_3'`)
    await behindTheTriggers('truncate platform.audit_digests')
    await chain()
    expect(await verify(end)).toMatchObject({ knowsEarlierEnd: false, findings: [] })
  })

  test('nothing wrong after a reason was erased, because the chain covers a digest of the reason instead of its text', async () => {
    const ids = await tenChained()
    await platform().transaction((tx) => eraseReasons(tx, ['app_3']))
    const [row] = await db.sql('select reason, reason_salt, actor from platform.audit_entries where id = $1', [ids[3]])
    expect(row).toEqual({ reason: null, reason_salt: null, actor: ACTOR })
    expect((await verify()).findings).toEqual([])
  })
})
