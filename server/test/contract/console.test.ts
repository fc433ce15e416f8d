import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainAudit, eraseReasons, recordAudit } from '#access/audit/index.ts'
import { createOperatorKey } from '#access/operator/index.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { anAccount, anApp, anOrganization } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import { makeConnection } from '#test/installations.ts'
import { makeOffering } from '#test/offerings.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { makeInvestmentSession, makeJoinSession } from '#test/sessions.ts'
import { aStaffMember, type Staff } from '#test/staff.ts'
import { appsOfWebhookHost, listFailingEndpoints } from '#webhooks/index.ts'

/**
 * What the platform's staff reads and ends: the audit, its chain, sign-in sessions, the effects of a stop, the health
 * of endpoints.
 */
let service: ServiceInProcess
beforeAll(async () => {
  service = await serviceInProcess()
})
afterAll(() => service?.close())

type Row = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
type RequestOptions = {
  readonly role?: PlatformRole
  readonly world?: World
  readonly why?: string | null
  readonly method?: string
}

async function request(
  path: string,
  { role = 'admin', world = 'live', why = 'A test', method = 'GET' }: RequestOptions = {},
) {
  const { key } = await service.db.databases.platform.transaction((tx) =>
    createOperatorKey(tx, { world, name: 'Console', role }, 'tests'),
  )
  const headers = { authorization: `Bearer ${key}`, ...(why === null ? {} : { 'x-portico-reason': why }) }
  const response = await fetch(service.url + path, { method, headers })
  const answer = (await response.json()) as { data: Row[]; meta: Record<string, unknown> }
  const one = answer.data as unknown as Row
  return { status: response.status, list: answer.data, one: one?.attributes ?? {}, meta: answer.meta }
}

const asBrowser = async ({ headers }: Staff, path: string, method = 'GET') =>
  (await fetch(service.url + path, { method, headers })).status

const chain = async () => {
  while ((await service.db.databases.platform.transaction((tx) => chainAudit(tx, 1_000))) > 0);
}

describe('GET /platform/audit', () => {
  const entry = (actor: string, subject: string, action: string) =>
    service.db.databases.platform.transaction((tx) => recordAudit(tx, { actor, action, subject }))

  test('finds entries by id, subject, actor, action and time, with the actor’s name, page by page', async () => {
    const [subject, actor] = [newId('app'), await anAccount(service.db, { name: 'Kim' })]
    await entry(actor, subject, 'app.updated')
    await entry('system', subject, 'app.disabled')
    await entry(actor, newId('app'), 'app.updated')
    const first = await request(`/platform/audit?subject=${subject}&per_page=1`)
    expect(first.list).toMatchObject([{ attributes: { action: 'app.disabled', actor: { id: 'system', name: null } } }])
    const second = await request(
      `/platform/audit?subject=${subject}&per_page=1&cursor=${String(first.meta['next_cursor'])}`,
    )
    expect(second.list).toMatchObject([{ attributes: { action: 'app.updated', actor: { id: actor, name: 'Kim' } } }])
    expect(second.meta['has_more']).toBe(false)
    const { id } = first.list[0] ?? {}
    expect((await request(`/platform/audit?entry=${id}`)).list).toMatchObject([{ id, attributes: { subject } }])
    expect((await request(`/platform/audit?entry=${id}&subject=${newId('app')}`)).list).toEqual([])
    expect((await request('/platform/audit?entry=first')).status).toBe(400)
    expect((await request(`/platform/audit?actor=${actor}`)).list).toHaveLength(2)
    expect((await request(`/platform/audit?subject=${subject}&action=app.updated`)).list).toHaveLength(1)
    const before = new Date(Date.now() - 60_000).toISOString()
    expect((await request(`/platform/audit?subject=${subject}&since=${before}`)).list).toHaveLength(2)
    expect((await request(`/platform/audit?subject=${subject}&until=${before}`)).list).toEqual([])
    expect((await request(`/platform/audit?subject=${subject}&by_operator=true`)).list).toEqual([])
  })

  test('records each read with its reason, and answers 422 without a reason and 403 to support', async () => {
    const subject = newId('app')
    expect(
      (await request(`/platform/audit?subject=${subject}`, { role: 'compliance', why: 'Quarterly%20review' })).status,
    ).toBe(200)
    const reads = await request('/platform/audit?subject=/platform/audit&per_page=100')
    expect(reads.list).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ action: 'operator.read', reason: 'Quarterly review', by_operator: true }),
      }),
    )
    const found = (list: readonly Row[]) =>
      new Set(list.map(({ attributes }) => attributes['action'] === 'operator.read'))
    expect(found((await request('/platform/audit?reads=true&per_page=100')).list)).toEqual(new Set([true]))
    expect(found((await request('/platform/audit?reads=false&per_page=100')).list)).toEqual(new Set([false]))
    expect((await request('/platform/audit?reads=false&action=operator.read')).list).toEqual([])
    expect((await request('/platform/audit?reads=some')).status).toBe(400)
    expect((await request('/platform/audit', { why: null })).status).toBe(422)
    expect((await request('/platform/audit', { role: 'support' })).status).toBe(403)
  })
})

describe('the reason of a read that showed several people', () => {
  test('is erased when any of these people is erased', async () => {
    const [one, other] = [
      await anAccount(service.db, { name: 'Zoe Unique' }),
      await anAccount(service.db, { name: 'Zoe Unique' }),
    ]
    const search = `/platform/accounts?query=${encodeURIComponent('Zoe Unique')}`
    const reasonOf = async () => {
      const { list } = await request('/platform/audit?subject=/platform/accounts&per_page=1', { why: 'Look' })
      return list[0]?.attributes['reason']
    }
    for (const person of [one, other]) {
      expect((await request(search, { why: 'About%20Zoe' })).list).toHaveLength(2)
      expect(await reasonOf()).toBe('About Zoe')
      await service.db.databases.platform.transaction((tx) => eraseReasons(tx, [person]))
      expect(await reasonOf()).toBeNull()
    }
  })

  test('is erased too if the person is the subject or the actor of an audit entry, or was only searched for', async () => {
    const [subject, actor, unknown] = [await anAccount(service.db), await anAccount(service.db), newId('user')]
    const { platform } = service.db.databases
    await platform.transaction((tx) => recordAudit(tx, { actor, action: 'account.updated', subject }))
    const reasonOf = async (path: string) => {
      const { list } = await request(`/platform/audit?subject=${path}&per_page=1`, { why: 'Look' })
      return list[0]?.attributes['reason']
    }
    for (const [path, query, person] of [
      ['/platform/audit', `action=account.updated&actor=${actor}`, subject],
      ['/platform/audit', `subject=${subject}`, actor],
      ['/platform/facts', `subject=${unknown}&since=${new Date().toISOString()}`, unknown],
      ['/platform/refused_facts', `subject=${unknown}`, unknown],
    ] as const) {
      expect((await request(`${path}?${query}`, { why: 'About%20Zoe' })).status, path).toBe(200)
      const before = await reasonOf(path)
      expect(before, path).toBe('About Zoe')
      await platform.transaction((tx) => eraseReasons(tx, [person]))
      const entries = await service.db.sql<{ reason: string | null }>(
        `select reason from platform.audit_entries where reason = 'About Zoe'`,
      )
      expect(entries, path).toEqual([])
    }
  })
})

describe('GET /platform/audit/verification', () => {
  test('reports that the chain is intact, and names a row that was changed in the database', async () => {
    await request('/platform/audit')
    await chain()
    const whole = await request('/platform/audit/verification', { role: 'compliance' })
    expect(whole.one).toMatchObject({ whole: true, findings: [], knows_earlier_end: null })
    const end = encodeURIComponent(String(whole.one['end']))
    expect((await request(`/platform/audit/verification?end=${end}`)).one).toMatchObject({ knows_earlier_end: true })
    const [row] = await service.db.sql<{ id: string }>('select max(entry_id)::text as id from platform.audit_digests')
    await service.db.sql('alter table platform.audit_entries disable trigger user')
    await service.db.sql(`update platform.audit_entries set action = 'app.approved' where id = $1`, [row?.id])
    await service.db.sql('alter table platform.audit_entries enable trigger user')
    const broken = await request('/platform/audit/verification')
    expect(broken.one).toMatchObject({
      whole: false,
      findings: [{ entry: row?.id, kind: 'changed' }],
      findings_count: 1,
    })
    expect((await request(`/platform/audit/verification?end=1:${'0'.repeat(64)}`)).one).toMatchObject({
      ...{ whole: false, knows_earlier_end: false },
    })
  })

  test.each(['zzz', '0:0', `1:${'0'.repeat(63)}`, ''])(
    'answers 400 for the end %j, because a mistake of the caller must not cause an alarm',
    async (end) => {
      const { status } = await request(`/platform/audit/verification?end=${end}`)
      expect(status).toBe(400)
    },
  )
})

describe('the sign-in sessions of an account', () => {
  test('are listed, and ended one at a time or all at once, and the next request of an ended session is rejected', async () => {
    const staff = await aStaffMember(service.db, service.url, { role: 'viewer' })
    const path = `/platform/accounts/${staff.account}/sessions`
    expect(await asBrowser(staff, '/platform/me')).toBe(200)
    const { list } = await request(path)
    expect(list).toMatchObject([{ type: 'sign_in_session', attributes: { kind: 'browser' } }])
    expect((await request(`${path}/${list[0]?.id}`, { method: 'DELETE' })).one).toEqual({ ended: 1 })
    expect(await asBrowser(staff, '/platform/me')).toBe(401)
    expect((await request(`${path}/${list[0]?.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await request(`${path}/end`, { method: 'POST' })).one).toEqual({ ended: 0 })
    const { list: entries } = await request(`/platform/audit?subject=${staff.account}&by_operator=true`)
    expect(entries.map(({ attributes }) => attributes['action'])).toEqual(
      expect.arrayContaining(['account.sessions_ended', 'account.session_ended']),
    )
  })

  test('are 404 under another account, and only an administrator ends the sessions of staff', async () => {
    const [one, other] = [
      await aStaffMember(service.db, service.url, { role: 'admin' }),
      await aStaffMember(service.db, service.url, { role: null }),
    ]
    const [session] = (await request(`/platform/accounts/${one.account}/sessions`)).list
    const path = (account: string) => `/platform/accounts/${account}/sessions`
    expect((await request(`${path(other.account)}/${session?.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await request(`${path(one.account)}/end`, { method: 'POST', role: 'support' })).status).toBe(403)
    expect((await request(`${path(other.account)}/end`, { method: 'POST', role: 'support' })).one).toEqual({ ended: 1 })
    expect(await asBrowser(one, '/platform/me')).toBe(200)
  })

  test('belong to an account that is found by its own id and by the id of its user', async () => {
    const account = await anAccount(service.db)
    const user = newId('user')
    await service.db.sql(`insert into live.users (id, name, email) values ($1, 'Kim', $2)`, [
      user,
      `${user}@example.org`,
    ])
    await service.db.sql(`insert into platform.account_users (account_id, world, user_id) values ($1, 'live', $2)`, [
      account,
      user,
    ])
    for (const query of [account, user]) {
      expect((await request(`/platform/accounts?query=${query}`)).list.map(({ id }) => id)).toEqual([account])
    }
  })
})

describe('the effects of a stop', () => {
  test('are counted for an app and for all apps of an organization, in each mode', async () => {
    const organization = await anOrganization(service.db)
    const [app, second] = [await anApp(service.db, { organization }), await anApp(service.db, { organization })]
    const endpoint = newId('webhookEndpoint')
    await service.db.sql(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'test', 'https://partner.example/hook?token=secret', '{investment.created}', array[now()], '\\x00')`,
      [endpoint, app],
    )
    await service.db.sql('insert into test.webhook_lanes (endpoint_id) values ($1) on conflict do nothing', [endpoint])
    await service.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version)
       select 'dlv_' || lpad(n::text, 24, '0'), $1, $2, '2026-11-01' from generate_series(1, 3) n`,
      [endpoint, newId('event')],
    )
    const nothing = { tokens: { access: 0, refresh: 0 }, installations: 0, endpoints: 0, deliveries: 0 }
    expect((await request(`/platform/apps/${app}/stop_preview`, { role: 'viewer' })).one).toEqual({
      ...{ apps: [app], streams: 0, live: nothing, test: { ...nothing, endpoints: 1, deliveries: 3 } },
    })
    expect((await request(`/platform/apps/${second}/stop_preview`)).one).toMatchObject({ test: nothing })
    expect((await request(`/platform/organizations/${organization}/stop_preview`)).one).toMatchObject({
      ...{ apps: [app, second].toSorted(), test: { endpoints: 1, deliveries: 3 } },
    })
    await service.db.sql(`update test.webhook_lanes set failing_since = now() where endpoint_id = $1`, [endpoint])
    const health = await request('/platform/webhook_endpoints?state=failing', { role: 'viewer', world: 'test' })
    expect(health.list).toMatchObject([
      { id: endpoint, attributes: { app: { id: app }, host: 'partner.example', state: 'failing', waiting: 3 } },
    ])
    expect(JSON.stringify(health.list)).not.toContain('secret')
    expect(health.meta['totals']).toMatchObject({ failing: 1 })
    expect((await request('/platform/webhook_endpoints?state=failing')).list).toEqual([])
    const only = await request(`/platform/webhook_endpoints?endpoint_id=${endpoint}`, { world: 'test' })
    expect(only.list.map(({ id }) => id)).toEqual([endpoint])
    const other = await request(`/platform/webhook_endpoints?endpoint_id=${newId('webhookEndpoint')}`, {
      world: 'test',
    })
    expect(other.list).toEqual([])
  })
})

describe('GET /platform/webhook_endpoints', () => {
  test('leaves out removed endpoints and endpoints of deleted apps, also in the totals, in the list of failing endpoints and in the search', async () => {
    const { db } = service
    const states = ['enabled', 'removed', 'deleted'] as const
    const made: Record<string, { app: Id<'app'>; endpoint: string }> = {}
    const totals = async () => (await request('/platform/webhook_endpoints', { world: 'test' })).meta['totals']
    const before = (await totals()) as Record<string, number>
    for (const state of states) {
      const [app, endpoint] = [await anApp(db), newId('webhookEndpoint')]
      made[state] = { app, endpoint }
      await db.sql(
        `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
         values ($1, $2, 'test', 'https://totals.example/hook', '{investment.created}', array[now()], '\\x00')`,
        [endpoint, app],
      )
      await db.sql('insert into test.webhook_lanes (endpoint_id) values ($1) on conflict do nothing', [endpoint])
      await db.sql('update test.webhook_lanes set failing_since = now() where endpoint_id = $1', [endpoint])
      await db.sql(
        `insert into platform.delivery_counts (endpoint_id, unit, begins_at, delivered, failed, first_attempts, lag_ms)
         values ($1, 'hour', date_trunc('hour', now(), 'UTC'), 8, 3, 8, 100)`,
        [endpoint],
      )
    }
    await db.sql(`update platform.webhook_endpoints set state = 'removed' where id = $1`, [made['removed']?.endpoint])
    await db.sql(`update test.webhook_lanes set state = 'removed' where endpoint_id = $1`, [made['removed']?.endpoint])
    await db.sql('update platform.apps set deleted_at = now(), disabled_at = now() where id = $1', [
      made['deleted']?.app,
    ])
    const { endpoint, app } = made['enabled'] ?? {}
    const { list } = await request('/platform/webhook_endpoints?per_page=100', { world: 'test' })
    const endpoints = Object.values(made).map((one) => one.endpoint)
    expect(list.map(({ id }) => id).filter((id) => endpoints.includes(id))).toEqual([endpoint])
    expect(await totals()).toEqual({
      ...before,
      failing: Number(before['failing']) + 1,
      delivered: Number(before['delivered']) + 8,
      failed: Number(before['failed']) + 3,
    })
    const { reads } = db.databases.platform
    const failing = (await listFailingEndpoints(reads, 'test', '', 1_000)).map(({ id }) => id)
    expect(failing.filter((id) => endpoints.includes(id))).toEqual([endpoint])
    expect(await appsOfWebhookHost(reads, 'totals.example', ['test'])).toEqual([app])
  })
})

describe('GET /platform/webhook_endpoints/{id}/deliveries', () => {
  test('lists deliveries of any partner page by page, by status, without bodies; 404 in the other mode and for a removed endpoint', async () => {
    const { db } = service
    const app = await anApp(db)
    const endpoint = newId('webhookEndpoint')
    await db.sql(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'test', 'https://partner.example/hook', '{investment.created}', array[now()], '\\x00')`,
      [endpoint, app],
    )
    await db.sql('insert into test.webhook_lanes (endpoint_id) values ($1) on conflict do nothing', [endpoint])
    const [failed, waiting] = [newId('delivery', 1_000_000), newId('delivery', 2_000_000)]
    const event = newId('event')
    const attempts = JSON.stringify([
      {
        ...{ at: '2026-06-01T12:00:00.000000Z', response_code: 500, error: null, duration_ms: 12 },
        response: 'No investor ada@example.org',
      },
    ])
    await db.sql(
      `insert into test.delivery_history (id, endpoint_id, event_id, api_version, state, created_at, attempts)
       values ($1, $2, $3, '2026-11-01', 'exhausted', now(), $4)`,
      [failed, endpoint, event, attempts],
    )
    await db.sql(
      `insert into test.delivery_queue (id, endpoint_id, event_id, api_version) values ($1, $2, $3, '2026-11-01')`,
      [waiting, endpoint, event],
    )
    const path = `/platform/webhook_endpoints/${endpoint}/deliveries`
    const asViewer = { role: 'viewer', world: 'test', why: null } as const
    const first = await request(`${path}?per_page=1`, asViewer)
    expect(first.list).toMatchObject([
      { id: waiting, attributes: { status: 'pending', attempt_count: 0, last_attempt: null } },
    ])
    const second = await request(`${path}?per_page=1&cursor=${String(first.meta['next_cursor'])}`, asViewer)
    expect(second.list).toMatchObject([
      {
        id: failed,
        attributes: {
          ...{ status: 'exhausted', event_id: event, attempt_count: 1 },
          last_attempt: { at: '2026-06-01T12:00:00.000000Z', response_code: 500, error: null, duration_ms: 12 },
        },
      },
    ])
    expect(second.meta['has_more']).toBe(false)
    expect(JSON.stringify(second.list)).not.toContain('ada@example.org')
    const exhausted = await request(`${path}?status=exhausted`, asViewer)
    expect(exhausted.list.map(({ id }) => id)).toEqual([failed])
    expect((await request(path, { ...asViewer, world: 'live' })).status).toBe(404)
    await db.sql(`update platform.webhook_endpoints set state = 'removed' where id = $1`, [endpoint])
    expect((await request(path, asViewer)).status).toBe(404)
  })
})

describe('GET /platform/partners/search', () => {
  const search = async (query: string, options: RequestOptions = {}) => {
    const path = `/platform/partners/search?query=${encodeURIComponent(query)}`
    const { status, list } = await request(path, { role: 'viewer', why: null, ...options })
    expect(status).toBe(200)
    return list.map(({ id, attributes }) => [id, attributes['matched']])
  }

  test('finds an app by the ids of its records and by the host of its webhook URL, for a viewer without a reason', async () => {
    const { db } = service
    const organization = await anOrganization(db)
    const app = await anApp(db, { organization })
    const made = {
      endpoint: newId('webhookEndpoint'),
      queued: newId('delivery'),
      ended: newId('delivery'),
      batched: newId('delivery'),
      streamed: newId('event'),
      delivered: newId('event'),
      pending: newId('event'),
      pendingInBatch: newId('event'),
      request: newId('request'),
      code: newId('referralCode'),
      invitation: newId('organizationInvitation'),
    }
    await db.sql(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'live', 'https://Hooks.Gale.example:8443/in?key=1', '{investment.created}', array[now()], '\\x00')`,
      [made.endpoint, app],
    )
    await db.sql('insert into live.delivery_queue (id, endpoint_id, event_id, api_version) values ($1, $2, $3, $4)', [
      made.queued,
      made.endpoint,
      made.pending,
      '2026-11-01',
    ])
    await db.sql(
      `insert into live.delivery_history (id, endpoint_id, event_id, api_version, state, created_at)
       values ($1, $2, $3, '2026-11-01', 'delivered', now())`,
      [made.ended, made.endpoint, made.delivered],
    )
    await db.sql(
      `insert into live.delivery_parcels (id, endpoint_id, api_version, delivery_ids, event_ids, installation_ids)
       values ($1, $2, '2026-11-01', $4, $3, array[''])`,
      [made.batched, made.endpoint, [made.pendingInBatch], [made.batched]],
    )
    await db.sql(
      `insert into live.event_stream_entries (position, event_id, app_id, api_version) values (4711, $1, $2, '2026-11-01')`,
      [made.streamed, app],
    )
    await db.sql(
      `insert into platform.request_log (app_id, world, request_id, started_at, method, route, status, duration_ms, credential, key_id)
       values ($1, 'live', $2, now(), 'GET', '/explore', 200, 1, 'client', 'pk_live_1')`,
      [app, made.request],
    )
    await db.sql(`insert into live.referral_codes (id, app_id, code, name) values ($1, $2, 'GALE', 'Gale')`, [
      made.code,
      app,
    ])
    await db.sql(
      `insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
       values ($1, $2, 'new@gale.example', 'developer', $3)`,
      [made.invitation, organization, await anAccount(db)],
    )
    const { id: installation } = await db.databases.live.transaction((tx) => makeConnection(tx, { appId: app }))
    for (const [text, by] of [
      [made.endpoint, 'webhook_endpoint'],
      [made.queued, 'delivery'],
      [made.ended, 'delivery'],
      [made.batched, 'delivery'],
      [made.streamed, 'event'],
      [made.delivered, 'event'],
      [made.pending, 'event'],
      [made.pendingInBatch, 'event'],
      [made.request, 'request'],
      [made.code, 'referral_code'],
      [installation, 'installation'],
      ['hooks.gale.example', 'webhook_host'],
      ['https://hooks.gale.example/in?key=2', 'webhook_host'],
    ] as const) {
      expect(await search(text), text).toEqual([[app, [by]]])
      // A test key finds records of the sandbox only.
      expect(await search(text, { world: 'test' }), text).toEqual([])
    }
    expect(await search(made.invitation)).toEqual([[organization, ['invitation']]])
    expect([await search(newId('event')), await search('gale.example')]).toEqual([[], []])
  })

  test('finds an app by the sessions, invite links and intents that it made', async () => {
    const { db } = service
    const app = await anApp(db)
    const made = await db.databases.live.transaction(async (tx) => {
      const installation = await makeConnection(tx, { appId: app })
      const offering = await makeOffering(tx)
      const join_session = await makeJoinSession(tx, { installationId: installation.id })
      const investment_session = await makeInvestmentSession(tx, {
        offeringId: offering,
        installationId: installation.id,
      })
      return { installation, offering, join_session, investment_session, company: await makeCompany(tx) }
    })
    const { installation, offering, company, ...sessions } = made
    const [invite_link, intent] = [newId('inviteLink'), newId('intent')]
    await db.sql(
      'insert into live.invite_links (id, offering_id, installation_id, per_person) values ($1, $2, $3, false)',
      [...[invite_link, offering, installation.id]],
    )
    await db.sql(
      `insert into live.intents (id, app_id, user_id, action, company_id, params, content_digest, impact_summary, shown)
       select $1, $2, user_id, 'comments.create', $4, '{}', sha256('x'), 'Comment', '{}' from live.installations where id = $3`,
      [intent, app, installation.id, company],
    )
    for (const [by, id] of Object.entries({ ...sessions, invite_link, intent })) {
      expect(await search(id), by).toEqual([[app, [by]]])
      expect(await search(id, { world: 'test' }), by).toEqual([])
    }
  })
})

test('GET /platform/sandbox_clock answers the browser of a viewer, in the test mode only', async () => {
  const viewer = await aStaffMember(service.db, service.url, { role: 'viewer' })
  const inMode = (mode: string) => ({ ...viewer, headers: { ...viewer.headers, 'x-portico-mode': mode } })
  expect(await asBrowser(inMode('test'), '/platform/sandbox_clock')).toBe(200)
  expect(await asBrowser(inMode('live'), '/platform/sandbox_clock')).toBe(403)
})
