import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOperatorKey } from '#access/operator/index.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { JobRuns } from '#system/job-run-store.ts'
import { anAccount, anApp } from '#test/apps.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'

let service: ServiceInProcess
beforeAll(async () => {
  service = await serviceInProcess()
})
afterAll(() => service?.close())
beforeEach(async () => {
  await service.db.sql('delete from platform.mails')
  await service.db.sql('delete from live.investment_changes')
})

type Row = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
type ApiResponse = { readonly status: number; readonly data: Row[]; readonly meta: { next_cursor: string | null } }

async function send(method: string, path: string, { world = 'live', role = 'admin' }: As = {}): Promise<ApiResponse> {
  const { key } = await service.db.databases.platform.transaction((tx) =>
    createOperatorKey(tx, { world, name: 'Operations', role }, 'tests'),
  )
  const headers = { authorization: `Bearer ${key}`, 'x-portico-reason': 'Ticket%204711' }
  const response = await fetch(service.url + path, { method, headers })
  const { data, meta } = (await response.json()) as Omit<ApiResponse, 'status'>
  return { status: response.status, data, meta }
}
type As = { readonly world?: World; readonly role?: PlatformRole }

async function aDeadMail(to: string): Promise<string> {
  const [row] = await service.db.sql<{ id: string }>(
    `insert into platform.mails (key, recipient, letter, attempts, due_at, failed_at, last_error)
     values ($1, $2, '{"subject": "Welcome"}', 12, null, now(), $3) returning id::text as id`,
    [`sign_up ${newId('request')}`, to, `550 5.1.1 <${to}>: user unknown`],
  )
  return row?.id ?? ''
}

async function aSetAsideChange(): Promise<string> {
  const [row] = await service.db.sql<{ seq: string }>(
    `insert into live.investment_changes (kind, id, retry_at) values ('investment', $1, now() + interval '9 minutes')
     returning seq::text as seq`,
    [newId('investment')],
  )
  return row?.seq ?? ''
}

async function aFailingEndpoint(waiting: boolean): Promise<{ endpoint: string; app: string }> {
  const app = await anApp(service.db)
  const endpoint = newId('webhookEndpoint')
  await service.db.sql(
    `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
     values ($1, $2, 'live', 'https://hooks.example.org/secret-path', '{offering.opened}', array[now()], 'x')`,
    [endpoint, app],
  )
  await service.db.sql(
    `insert into live.webhook_lanes (endpoint_id, failing_since, next_due_at, last_delivery_at, last_delivery_status)
     values ($1, now() - interval '1 hour', now() + interval '1 hour', now(), '500')`,
    [endpoint],
  )
  if (!waiting) return { endpoint, app }
  const delivery = newId('delivery')
  await service.db.sql(
    `insert into live.delivery_parcels (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids, due_at)
     values ($1, $2, '2026-11-01', array[$3], array[$4], array[''], now() + interval '1 hour')`,
    [delivery, endpoint, delivery, newId('event')],
  )
  return { endpoint, app }
}

describe('GET /platform/queues', () => {
  test('has every queue of both modes, with the numbers of waiting and of set-aside entries', async () => {
    await aDeadMail('ada@example.org')
    await aSetAsideChange()
    await service.db.sql(`insert into platform.mails (key, recipient, letter, due_at)
                          values ('one', 'b@example.org', '{}', now() - interval '1 hour')`)
    const { status, data } = await send('GET', '/platform/queues', { role: 'viewer' })
    expect(status).toBe(200)
    const byId = new Map(data.map(({ id, attributes }) => [id, attributes]))
    expect(byId.size).toBe(17)
    expect(byId.get('mails-platform')).toMatchObject({ mode: null, waiting: 1, set_aside: 1 })
    expect(byId.get('mails-platform')?.['oldest_seconds']).toBeGreaterThanOrEqual(3_600)
    expect(byId.get('changes-live')).toMatchObject({ mode: 'live', waiting: 0, set_aside: 1 })
    expect(byId.get('changes-test')).toMatchObject({ set_aside: 0 })
    expect(byId.get('audit-platform')).toMatchObject({ set_aside: null })
  })
})

describe('GET /platform/jobs', () => {
  test('has the latest round of every job; a viewer does not see the errors', async () => {
    const runs = new JobRuns()
    runs.record('publish_live', 0.2, new Error('could not be published: investment inv_1'))
    runs.record('send_mails', 0.1)
    await runs.write(service.db.databases.platform)
    const jobs = async (role: PlatformRole) =>
      Object.fromEntries(
        (await send('GET', '/platform/jobs', { role })).data.map(({ id, attributes }) => [id, attributes]),
      )
    const [viewed, supported] = [await jobs('viewer'), await jobs('support')]
    expect(supported['publish_live']).toMatchObject({ status: 'failing', failures: 1 })
    expect(supported['publish_live']?.['last_error']).toContain('investment inv_1')
    expect(viewed['publish_live']).toMatchObject({ status: 'failing', last_error: null })
    expect(viewed['send_mails']).toMatchObject({ status: 'ok', rounds: 1, last_failed_at: null })
  })
})

describe('GET /platform/set_aside', () => {
  test('lists every kind in the caller’s mode, without recipients, page by page', async () => {
    const [mail, change] = [await aDeadMail('ada@example.org'), await aSetAsideChange()]
    const { endpoint, app } = await aFailingEndpoint(true)
    const found: Row[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, meta }: ApiResponse = await send('GET', `/platform/set_aside?per_page=1&cursor=${cursor}`)
      found.push(...data)
      cursor = meta.next_cursor
    }
    expect(found.map(({ id, attributes }) => [attributes['kind'], id])).toEqual([
      ['change', change],
      ['delivery', endpoint],
      ['mail', mail],
    ])
    expect(found[1]?.attributes).toMatchObject({ app_id: app, waiting: 1, error: '500' })
    expect(found[2]?.attributes).toMatchObject({ subject: 'sign_up', error: '550 5.1.1 [address] user unknown' })
    expect(JSON.stringify(found)).not.toContain('ada@example.org')
    expect(JSON.stringify(found)).not.toContain('hooks.example.org')
    expect((await send('GET', '/platform/set_aside', { world: 'test' })).data).toEqual([])
    await service.db.sql('delete from live.delivery_parcels')
  })

  test('shows a viewer no errors, can be filtered by kind, and leaves out a mail that was emptied when its recipient was erased', async () => {
    await aDeadMail('ada@example.org')
    await service.db.sql(
      `insert into platform.mails (key, recipient, letter, due_at, failed_at) values ('gone', 'erased@erased.invalid', '{}', null, '-infinity')`,
    )
    const { data } = await send('GET', '/platform/set_aside?kind=mail', { role: 'viewer' })
    expect(data.map(({ attributes }) => [attributes['kind'], attributes['error']])).toEqual([['mail', null]])
  })
})

describe('POST /platform/set_aside/:kind/:id/retry', () => {
  const retry = (kind: string, id: string, as?: As) => send('POST', `/platform/set_aside/${kind}/${id}/retry`, as)
  const audited = (subject: string) =>
    service.db.sql(
      `select action, reason, by_operator, details ->> 'kind' as kind from platform.audit_entries where subject = $1`,
      [subject],
    )

  test('a mail is queued again without its failed attempts; the audit names the account of its recipient', async () => {
    const account = await anAccount(service.db)
    const [person] = await service.db.sql<{ email: string }>('select email from platform.accounts where id = $1', [
      account,
    ])
    const mail = await aDeadMail(person?.email ?? '')
    expect((await retry('mail', mail, { world: 'test' })).status).toBe(404)
    expect((await retry('mail', mail, { role: 'support' })).status).toBe(202)
    expect(await service.db.sql('select attempts, failed_at, due_at <= now() as due from platform.mails')).toEqual([
      { attempts: 0, failed_at: null, due: true },
    ])
    expect(await audited(account)).toEqual([
      { action: 'work.retried', reason: 'Ticket 4711', by_operator: true, kind: 'mail' },
    ])
    expect((await retry('mail', mail)).status).toBe(404)
  })

  test('a change is due at once; 404 for a request in the other mode', async () => {
    const change = await aSetAsideChange()
    expect((await retry('change', change, { world: 'test' })).status).toBe(404)
    expect((await retry('change', change)).status).toBe(202)
    expect(await service.db.sql('select retry_at <= now() as due from live.investment_changes')).toEqual([
      { due: true },
    ])
  })

  test('deliveries to a failing endpoint are due at once; without such deliveries there is nothing to retry', async () => {
    const { endpoint, app } = await aFailingEndpoint(true)
    expect((await retry('delivery', endpoint)).status).toBe(202)
    const lane =
      'select next_due_at <= now() as due, by_id, failing_since is not null as failing from live.webhook_lanes'
    expect(await service.db.sql(`${lane} where endpoint_id = $1`, [endpoint])).toEqual([
      { due: true, by_id: true, failing: true },
    ])
    expect(await audited(app)).toMatchObject([{ action: 'work.retried', kind: 'delivery' }])
    expect((await retry('delivery', (await aFailingEndpoint(false)).endpoint)).status).toBe(404)
  })

  test.each([
    ['mail', 'nonsense'],
    ['change', '1; drop table'],
    ['change', '99999999999999999999999'],
    ['delivery', 'whe_000000000000000000000000'],
    ['invitation', 'il_000000000000000000000000'],
  ])('404 for an unknown %s (%s), and nothing is audited', async (kind, id) => {
    const before = await service.db.sql("select from platform.audit_entries where action = 'work.retried'")
    expect((await retry(kind, encodeURIComponent(id))).status).toBe(404)
    expect(await service.db.sql("select from platform.audit_entries where action = 'work.retried'")).toEqual(before)
  })

  test('of two concurrent requests only one retries', async () => {
    const mail = await aDeadMail('twice@example.org')
    const responses = await Promise.all([retry('mail', mail), retry('mail', mail)])
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 404])
  })
})
