import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createOperatorKey } from '#access/operator/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { startService } from '../acceptance/service.ts'

/** The audit shows who sent facts, even if the process is killed in the middle of the request. */
let service: ServiceInProcess
let key: { readonly id: string; readonly key: string }
beforeAll(async () => {
  service = await serviceInProcess()
  const wanted = { world: 'test', name: 'The feed' } as const
  key = await service.db.databases.platform.transaction((tx) => createOperatorKey(tx, wanted, 'tests'))
})
afterAll(() => service?.close())

const WHY = 'Ticket 4711'
const post = (url: string, path: string, body: unknown) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      'x-portico-reason': encodeURIComponent(WHY),
    },
    body: JSON.stringify(body),
  })

/** Starts a separate process on the database of the test. */
async function startOtherProcess() {
  const environment = { PORT: '0', DATABASE_URL: service.db.url, PORTICO_SECRET: service.secret, LOG_LEVEL: 'error' }
  const started = await startService(environment, ['--role', 'api'])
  onTestFinished(async () => void (await started.end('SIGKILL')))
  return started
}

type Entry = { readonly action: string; readonly reason: string; readonly request_id: string; readonly details: object }
const entriesSince = (id: string) =>
  service.db.sql<Entry>(
    `select action, reason, request_id, details from platform.audit_entries
      where actor = $1 and by_operator and id > $2 order by id`,
    [key.id, id],
  )
const lastEntry = async () => {
  const [row] = await service.db.sql<{ id: string }>(
    'select coalesce(max(id), 0)::text as id from platform.audit_entries',
  )
  return row?.id ?? '0'
}
const isApplied = async (id: string) =>
  (await service.db.sql('select id from test.facts where id = $1', [id])).length > 0

const fact = (type: string, data: object) => ({
  ...{ id: randomUUID(), type, occurred_at: '2026-01-15T12:00:00Z', data },
})
const registered = (id: Id<'user'> = newId('user'), name = 'Ada Lovelace') =>
  fact('user.registered', { id, name, email: `${id}@example.com` })

const LOCK_USER = statement<{ id: string }>('t.lock_user_of_facts', 'select id from users where id = $1 for update')
const LOCK_AUDIT = statement('t.lock_audit', 'lock table platform.audit_entries in share mode')

const lockUser = (id: string) => (tx: Tx) => tx.maybeOne(LOCK_USER, [id])
const lockAudit = (tx: Tx) => tx.run(LOCK_AUDIT)

/** Runs `work` while another transaction has the locks that `lock` acquires. */
async function whileLocked(lock: (tx: Tx) => Promise<unknown>, work: () => Promise<void>) {
  const [held, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = service.db.databases.test.transaction(async (tx) => {
    await lock(tx)
    held.resolve()
    await mayEnd.promise
  })
  try {
    await held.promise
    await work()
  } finally {
    mayEnd.resolve()
    await holding
  }
}

describe('POST /platform/facts', () => {
  test('has two audit entries with the id of the request: one before the facts are applied, one with the outcome', async () => {
    const before = await lastEntry()
    const [good, bad] = [registered(), registered(newId('user'), '')]
    const answer = await post(service.url, '/platform/facts', [good, bad])
    expect(answer.status).toBe(200)
    const sent = { mode: 'test', first: good.id, facts: 2 }
    const by = { reason: WHY, request_id: answer.headers.get('x-request-id') }
    expect(await entriesSince(before)).toEqual([
      { ...by, action: 'facts.received', details: sent },
      { ...by, action: 'facts.sent', details: { ...sent, applied: 1, duplicate: 0, refused: 1 } },
    ])
  })

  test('has no audit entry if the request is rejected as a whole', async () => {
    const before = await lastEntry()
    expect((await post(service.url, '/platform/facts', { id: 'not a list' })).status).toBe(422)
    expect(await entriesSince(before)).toEqual([])
  })

  test('has an audit entry if the process is killed after some facts, and the next try completes the request', async () => {
    const held = newId('user')
    await post(service.url, '/platform/facts', [registered(held)])
    const before = await lastEntry()
    const killed = await startOtherProcess()
    const early = registered()
    // This fact may affect every other record, so it has its own transaction.
    const late = fact('user.deactivated', { id: held })
    const facts = [early, late]
    await whileLocked(lockUser(held), async () => {
      const answering = post(killed.address, '/platform/facts', facts).catch(() => null)
      await service.db.untilTransactionWaits()
      expect(await killed.end('SIGKILL')).toBe('SIGKILL')
      expect(await answering).toBeNull()
    })
    expect([await isApplied(early.id), await isApplied(late.id)]).toEqual([true, false])
    const received = { action: 'facts.received', reason: WHY, details: { mode: 'test', first: early.id, facts: 2 } }
    expect(await entriesSince(before)).toMatchObject([received])
    const again = await post(service.url, '/platform/facts', facts)
    expect(await again.json()).toMatchObject({ meta: { applied: 1, duplicate: 1, refused: 0 } })
    expect(await entriesSince(before)).toMatchObject([received, received, { action: 'facts.sent' }])
  })
})

describe('POST /platform/refused_facts/{id}/send', () => {
  const refusedOf = async (factId: string) => {
    const [row] = await service.db.sql<{ id: string }>(
      'select id::text as id from test.refused_facts where fact_id = $1',
      [factId],
    )
    return row?.id
  }

  test('applies no fact if the process is killed before it writes the audit entry', async () => {
    const wrong = registered(newId('user'), '')
    await post(service.url, '/platform/facts', [wrong])
    const path = `/platform/refused_facts/${await refusedOf(wrong.id)}/send`
    const mended = { fact: { ...wrong, data: { ...wrong.data, name: 'Ada Lovelace' } } }
    const before = await lastEntry()
    const killed = await startOtherProcess()
    await whileLocked(lockAudit, async () => {
      const answering = post(killed.address, path, mended).catch(() => null)
      await service.db.untilTransactionWaits()
      expect(await killed.end('SIGKILL')).toBe('SIGKILL')
      expect(await answering).toBeNull()
    })
    await expect.poll(() => entriesSince(before)).toEqual([])
    expect(await isApplied(wrong.id)).toBe(false)
    expect(await refusedOf(wrong.id)).toBeDefined()
    expect((await post(service.url, path, mended)).status).toBe(200)
    expect([await isApplied(wrong.id), await refusedOf(wrong.id)]).toEqual([true, undefined])
    expect(await entriesSince(before)).toMatchObject([{ action: 'fact.sent_again', reason: WHY }])
  })

  test('if the fact is refused again, writes the audit entry in the transaction that records the refusal', async () => {
    const person = newId('user')
    const wrong = registered(person, '')
    await post(service.url, '/platform/facts', [wrong])
    const timesOf = async () =>
      (await service.db.sql('select times from test.refused_facts where fact_id = $1', [wrong.id]))[0]
    const path = `/platform/refused_facts/${await refusedOf(wrong.id)}/send`
    const before = await lastEntry()
    const killed = await startOtherProcess()
    await whileLocked(lockAudit, async () => {
      const answering = post(killed.address, path, {}).catch(() => null)
      await service.db.untilTransactionWaits()
      await killed.end('SIGKILL')
      expect(await answering).toBeNull()
    })
    expect(await timesOf()).toEqual({ times: 1 })
    await post(service.url, path, {})
    expect(await timesOf()).toEqual({ times: 2 })
    expect(await entriesSince(before)).toMatchObject([
      { action: 'fact.sent_again', details: { outcome: 'refused', people: [person] } },
    ])
  })
})
