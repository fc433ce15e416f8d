import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { aKey, aMember, anApp, anOrganization } from '#test/apps.ts'
import { aStaffMember } from '#test/staff.ts'
import { describeApp, withdrawPii, writeScopes } from './index.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { aTeam } from './testing/team.ts'
import { aToken, works } from './testing/token.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const ROOT = '/platform/apps'
const operator = (...request: Parameters<ReturnType<PartnerService['operator']>>) => service.operator()(...request)
const actionsOn = async (subject: string) => {
  const rows = await service.db.sql<{ action: string; actor: string }>(
    'select action, actor from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
  for (const { actor } of rows) expect(actor).toMatch(/^(opk|acct)_/)
  return rows.map(({ action }) => action)
}
const keyOf = async (clientId: string) => {
  const [row] = await service.db.sql<{ state: string; generation: number; scopes: string[] }>(
    'select state, generation, scopes from platform.app_keys where id = $1',
    [clientId],
  )
  return row
}

describe('access to the operators’ routes about apps', () => {
  const changes = (app: string, organization: string): [string, object?][] => [
    [`${ROOT}/${app}/approve`],
    [`${ROOT}/${app}/unapprove`],
    [`${ROOT}/${app}/suspend`, { reason: 'x' }],
    [`${ROOT}/${app}/lift`],
    [`${ROOT}/${app}/pii_approval`],
    [`${ROOT}/${app}/programs`, { program: 'founder' }],
    [`${ROOT}/${app}/scopes`, { scopes: ['read:files'] }],
    [`/platform/organizations/${organization}/end`, { reason: 'x' }],
  ]

  test('a test operator key may read, but not change anything: 403 with the reason', async () => {
    const organization = await anOrganization(service.db)
    const app = await anApp(service.db, { organization })
    for (const [path, body] of changes(app, organization)) {
      const result = await service.operator('test')('POST', path, body)
      expect(result).toMatchObject({ status: 403, error: { type: 'forbidden' } })
      expect(result.error.remediation).toContain('ok_live_')
    }
    expect(await actionsOn(app)).toEqual([])
    for (const path of [ROOT, `${ROOT}/${app}`, `${ROOT}/${app}/history`, `/platform/organizations/${organization}`]) {
      expect((await service.operator('test')('GET', path)).status).toBe(200)
    }
  })

  test('the history shows operators which key acted; the app’s team does not see the key', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    expect((await operator('POST', `${ROOT}/${app}/approve`)).status).toBe(200)
    const [key] = await service.db.sql<{ id: string; name: string }>(
      `select k.id, k.name from platform.operator_keys k
         join platform.audit_entries e on e.actor = k.id where e.subject = $1`,
      [app],
    )
    const shown = await operator('GET', `${ROOT}/${app}/history`)
    expect(shown.list[0]?.attributes['actor']).toEqual({ type: 'platform', id: key?.id, name: key?.name })
    const own = await team.owner.send('GET', `/portal/api/apps/${app}/history`)
    expect(own.list[0]?.attributes['actor']).toEqual({ type: 'platform', id: null, name: null })
  })

  test('an entry has the name and the reason of a staff member; the team sees only that the platform acted', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    const { headers, account } = await aStaffMember(service.db, service.url, { role: 'compliance' })
    const why = { 'x-portico-reason': encodeURIComponent('Ticket 7: reviewed by Zoë') }
    const response = await fetch(`${service.url}${ROOT}/${app}/approve`, {
      method: 'POST',
      headers: { ...headers, ...why },
    })
    expect(response.status).toBe(200)
    const shown = await operator('GET', `${ROOT}/${app}/history`)
    expect(shown.list[0]?.attributes).toMatchObject({
      ...{ action: 'app.approved', reason: 'Ticket 7: reviewed by Zoë' },
      actor: { type: 'platform', id: account, name: 'Grace Hopper' },
    })
    const own = await team.owner.send('GET', `/portal/api/apps/${app}/history`)
    expect(own.list[0]?.attributes['actor']).toEqual({ type: 'platform', id: null, name: null })
    expect(JSON.stringify(own.list)).not.toMatch(/Zoë|Grace|reason/)
    const reads = await service.db.sql(
      `select action, by_operator, reason from platform.audit_entries where subject = $1 and action = 'operator.read'`,
      [app],
    )
    expect(reads).toEqual([{ action: 'operator.read', by_operator: true, reason: 'A test' }])
  })

  test('403 for a member of the app’s own team, who has no staff role', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    for (const [path, body] of changes(app, team.organization)) {
      expect((await team.owner.send('POST', path, body)).status).toBe(403)
    }
    expect((await team.owner.send('GET', ROOT)).status).toBe(403)
  })

  test('404 for an app or an organization that does not exist', async () => {
    const [app, organization] = [newId('app'), newId('organization')]
    for (const [path, body] of changes(app, organization)) expect((await operator('POST', path, body)).status).toBe(404)
    expect((await operator('GET', `${ROOT}/${app}`)).status).toBe(404)
    expect((await operator('GET', `${ROOT}/${app}/history`)).status).toBe(404)
    expect((await operator('GET', `/platform/organizations/${organization}`)).status).toBe(404)
  })
})

describe('GET /platform/apps', () => {
  test('200: all apps page by page, or the apps of one organization', async () => {
    const organization = await anOrganization(service.db)
    const apps = [await anApp(service.db, { organization }), await anApp(service.db, { organization })].toSorted()
    const of = await operator('GET', `${ROOT}?organization_id=${organization}&per_page=1`)
    expect([of.list.map(({ id }) => id), of.meta]).toMatchObject([[apps[0]], { has_more: true }])
    const rest = await operator(
      'GET',
      `${ROOT}?organization_id=${organization}&cursor=${String(of.meta?.['next_cursor'])}`,
    )
    expect(rest.list.map(({ id }) => id)).toEqual([apps[1]])
    expect((await operator('GET', `${ROOT}?per_page=100`)).list.length).toBeGreaterThanOrEqual(2)
    expect((await operator('GET', `${ROOT}/${apps[0]}`)).data).toEqual(of.list[0])
  })
})

describe('POST /platform/apps/{id}/approve and …/unapprove', () => {
  test('200, also for a repeated approval; an app that was approved once cannot be deleted', async () => {
    const app = await anApp(service.db)
    const { data } = await operator('POST', `${ROOT}/${app}/approve`)
    expect(data.attributes).toMatchObject({ approved_at: expect.any(String), deletable: false })
    expect((await operator('POST', `${ROOT}/${app}/approve`)).data).toEqual(data)
    const back = await operator('POST', `${ROOT}/${app}/unapprove`)
    expect(back.data.attributes).toMatchObject({ approved_at: null, deletable: false })
    expect(await actionsOn(app)).toEqual(['app.approved', 'app.unapproved'])
  })
})

describe('POST /platform/apps/{id}/suspend and …/lift', () => {
  test('the app’s credentials are rejected while it is suspended; afterwards the same tokens work again', async () => {
    const app = await anApp(service.db)
    const { clientId } = await aKey(service.db, app)
    const token = await aToken(service.db, clientId)
    const { status, data } = await operator('POST', `${ROOT}/${app}/suspend`, { reason: 'Reselling the catalogue.' })
    expect(status).toBe(200)
    expect(data.attributes).toMatchObject({
      status: 'suspended',
      suspended_at: expect.any(String),
      suspended_reason: 'Reselling the catalogue.',
    })
    expect([await works(service.db, token), await works(service.db, clientId)]).toEqual([false, false])
    expect(await aToken(service.db, clientId)).toBeNull()
    const lifted = await operator('POST', `${ROOT}/${app}/lift`)
    expect(lifted.data.attributes).toMatchObject({ status: 'active', suspended_at: null, suspended_reason: null })
    expect(await works(service.db, token)).toBe(true)
    expect(await actionsOn(app)).toEqual(['app.suspended', 'app.suspension_lifted'])
  })

  test('only the platform lifts a suspension: the team can neither enable nor disable the app', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization, state: 'suspended' })
    for (const move of ['enable', 'disable', 'lift']) {
      const { status } = await team.owner.send('POST', `/portal/api/apps/${app}/${move}`)
      expect([404, 409]).toContain(status)
    }
    expect((await operator('GET', `${ROOT}/${app}`)).data.attributes['status']).toBe('suspended')
  })

  test('an app that its team had disabled is disabled again when the suspension is lifted', async () => {
    const app = await anApp(service.db, { state: 'disabled' })
    const { clientId } = await aKey(service.db, app)
    await operator('POST', `${ROOT}/${app}/suspend`, { reason: 'Because.' })
    expect(await keyOf(clientId)).toMatchObject({ state: 'suspended', generation: 1 })
    expect((await operator('POST', `${ROOT}/${app}/lift`)).data.attributes['status']).toBe('disabled')
    expect(await keyOf(clientId)).toMatchObject({ state: 'disabled' })
  })

  test.each(['suspend', 'lift'])(
    '409 for %s in a state from which the state table does not allow that move',
    async (event) => {
      const app = await anApp(service.db, { state: event === 'suspend' ? 'suspended' : 'active' })
      const result = await operator(
        'POST',
        `${ROOT}/${app}/${event}`,
        event === 'suspend' ? { reason: 'x' } : undefined,
      )
      expect(result).toMatchObject({ status: 409, error: { type: 'illegal_transition', details: { event } } })
    },
  )

  test.each([[{}], [{ reason: '' }], [{ reason: 'x'.repeat(1_001) }]])('422 for the reason %j', async (body) => {
    const app = await anApp(service.db)
    expect((await operator('POST', `${ROOT}/${app}/suspend`, body)).status).toBe(422)
  })
})

describe('POST /platform/apps/{id}/pii_approval', () => {
  test('200; withdrawing the approval also removes the request (other modules end the installations)', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    await team.owner.send('POST', `/portal/api/apps/${app}/pii_request`)
    const { data } = await operator('POST', `${ROOT}/${app}/pii_approval`)
    expect(data.attributes['pii']).toEqual({ requested_at: expect.any(String), approved_at: expect.any(String) })
    expect((await operator('POST', `${ROOT}/${app}/pii_approval`)).data).toEqual(data)
    expect(await describeApp(service.db.databases.live.reads, app)).toMatchObject({ piiApproved: true })
    const withdraw = () => service.db.databases.platform.transaction((tx) => withdrawPii(tx, app, newId('operatorKey')))
    await withdraw()
    await withdraw()
    const after = await operator('GET', `${ROOT}/${app}`)
    expect(after.data.attributes['pii']).toEqual({ requested_at: null, approved_at: null })
    expect(await actionsOn(app)).toEqual(['app.pii_requested', 'app.pii_approved', 'app.pii_withdrawn'])
  })
})

describe('POST /platform/apps/{id}/programs', () => {
  const [AGGREGATE, ANONYMIZED, FULL, WRITE] = [
    'read:attribution:aggregate',
    'read:attribution:anonymized',
    'read:attribution:full',
    'write:attribution',
  ]

  test.each([
    [{ program: 'marketing_partner', tier: 0 }, [AGGREGATE, WRITE]],
    [{ program: 'marketing_partner', tier: 1 }, [AGGREGATE, ANONYMIZED, WRITE]],
    [{ program: 'founder' }, [FULL]],
  ])('200: %j adds its scopes to the app and every key', async (granted, added) => {
    const app = await anApp(service.db, { scopes: ['read:profile'] })
    const keys = [await aKey(service.db, app), await aKey(service.db, app, { world: 'live', state: 'revoked' })]
    const { data } = await operator('POST', `${ROOT}/${app}/programs`, granted)
    expect(data.attributes).toMatchObject({
      scopes: ['read:profile', ...added],
      programs: [{ tier: null, ...granted, approved_at: expect.any(String) }],
    })
    for (const { clientId } of keys) expect(await keyOf(clientId)).toMatchObject({ scopes: ['read:profile', ...added] })
    expect((await operator('POST', `${ROOT}/${app}/programs`, granted)).data).toEqual(data)
    expect(await actionsOn(app)).toEqual(['app.program_granted'])
  })

  test('200: granting a program again restores a removed scope', async () => {
    const app = await anApp(service.db)
    await operator('POST', `${ROOT}/${app}/programs`, { program: 'founder' })
    await service.db.databases.platform.transaction((tx) => writeScopes(tx, app, []))
    const { data } = await operator('POST', `${ROOT}/${app}/programs`, { program: 'founder' })
    expect(data.attributes['scopes']).toEqual([FULL])
  })

  test('409 for a lower tier, because it would remove scopes', async () => {
    const app = await anApp(service.db)
    await operator('POST', `${ROOT}/${app}/programs`, { program: 'marketing_partner', tier: 1 })
    const result = await operator('POST', `${ROOT}/${app}/programs`, { program: 'marketing_partner', tier: 0 })
    expect(result).toMatchObject({ status: 409, error: { details: { event: 'grant_program' } } })
  })

  test.each([[{ program: 'marketing_partner' }], [{ program: 'founder', tier: 1 }], [{}]])(
    '422 for %j',
    async (body) => {
      const app = await anApp(service.db)
      expect((await operator('POST', `${ROOT}/${app}/programs`, body)).status).toBe(422)
    },
  )
})

describe('POST /platform/apps/{id}/scopes', () => {
  const add = (app: Id<'app'>, scopes: unknown) => operator('POST', `${ROOT}/${app}/scopes`, { scopes })

  test.each([
    ['write:companies'],
    ['read:files'],
    ['read:contracts'],
    ['read:tax_documents'],
    ['read:offerings'],
    ['read:follows'],
  ])('200 for %s, even if the app is disabled', async (scope) => {
    const app = await anApp(service.db, { state: 'disabled' })
    const { clientId } = await aKey(service.db, app)
    expect((await add(app, [scope])).data.attributes['scopes']).toEqual([scope])
    expect(await keyOf(clientId)).toMatchObject({ scopes: [scope] })
    await add(app, [scope])
    expect(await actionsOn(app)).toEqual(['app.scopes_added'])
  })

  test.each([
    ['admin:read'],
    ['admin:write'],
    ['admin:attribution'],
    ['read:mcp'],
    ['read:investors:contacts'],
    ['read:profile:follows'],
    ['read:attribution:full'],
    ['read:public'],
    ['read:explore'],
    ['read:nothing'],
  ])('422 invalid_scopes for %s, and nothing is added', async (scope) => {
    const app = await anApp(service.db)
    expect(await add(app, ['read:files', scope])).toMatchObject({
      status: 422,
      error: { type: 'invalid_scopes', details: { scopes: [scope] } },
    })
    expect((await operator('GET', `${ROOT}/${app}`)).data.attributes['scopes']).toEqual([])
  })
})

describe('POST /platform/organizations/{id}/end', () => {
  test('200: no credential of any of its apps works again; the team can still read its apps', async () => {
    const team = await aTeam(service)
    const { organization } = team
    const apps = [
      await anApp(service.db, { organization }),
      await anApp(service.db, { organization, state: 'suspended' }),
    ]
    const [app = newId('app')] = apps
    const key = await aKey(service.db, app)
    const revoked = await aKey(service.db, app, { state: 'revoked' })
    const token = await aToken(service.db, key.clientId)
    const { status, data } = await operator('POST', `/platform/organizations/${organization}/end`, { reason: 'Again.' })
    expect([status, data.attributes]).toMatchObject([200, { status: 'ended', ended_at: expect.any(String) }])
    expect([await works(service.db, token), await works(service.db, key.clientId)]).toEqual([false, false])
    expect(await aToken(service.db, key.clientId)).toBeNull()
    expect([await keyOf(key.clientId), await keyOf(revoked.clientId)]).toMatchObject([
      { state: 'ended' },
      { state: 'revoked' },
    ])
    expect((await team.owner.send('GET', `/portal/api/apps/${app}`)).data.attributes['status']).toBe('ended')
    expect(await describeApp(service.db.databases.test.reads, app)).toMatchObject({ state: 'ended' })
    expect(await actionsOn(organization)).toEqual(['organization.ended'])
    for (const each of apps) expect(await actionsOn(each)).toEqual(['app.ended'])
  })

  test('200: each member whose account is not disabled gets one mail, with the reason', async () => {
    const { organization } = await aTeam(service)
    const [disabled, stranger] = [
      await aMember(service.db, { organization }),
      await aMember(service.db, { organization: await anOrganization(service.db) }),
    ]
    await service.db.sql('update platform.accounts set disabled_at = clock_timestamp() where id = $1', [disabled])
    const end = () => operator('POST', `/platform/organizations/${organization}/end`, { reason: 'Reselling names.' })
    await Promise.all(Array.from({ length: 10 }, end))
    const mails = await service.db.sql<{ account: string; reason: string }>(
      `select a.id as account, letter -> 'quote' ->> 'text' as reason
         from platform.mails m join platform.accounts a on a.email = m.recipient
        where m.key like 'organization_ended %' and (a.id = any ($1) or m.key like $2) order by a.id`,
      [[disabled, stranger], `% ${organization} %`],
    )
    const members = await service.db.sql<{ account: string }>(
      `select account_id as account from platform.organization_members where organization_id = $1 order by 1`,
      [organization],
    )
    expect(mails).toEqual(
      members
        .filter(({ account }) => account !== disabled)
        .map((member) => ({ ...member, reason: 'Reselling names.' })),
    )
    expect(mails.length).toBeGreaterThan(1)
  })

  test('409 for further changes by the platform or the team, because the end is final', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    const end = () => operator('POST', `/platform/organizations/${team.organization}/end`, { reason: 'Again.' })
    await end()
    expect(await end()).toMatchObject({ status: 409, error: { details: { from: 'ended', event: 'end', allowed: [] } } })
    const platform = ['approve', 'lift', 'pii_approval'].map((move) => operator('POST', `${ROOT}/${app}/${move}`))
    const scopes = operator('POST', `${ROOT}/${app}/scopes`, { scopes: ['read:files'] })
    const own = ['disable', 'enable', 'pii_request'].map((move) =>
      team.owner.send('POST', `/portal/api/apps/${app}/${move}`),
    )
    for (const result of await Promise.all([...platform, scopes, ...own])) expect(result.status).toBe(409)
    expect((await team.owner.send('DELETE', `/portal/api/apps/${app}`, { name: 'Deal Desk' })).status).toBe(409)
    expect((await team.owner.send('PATCH', `/portal/api/apps/${app}`, { name: 'x' })).status).toBe(409)
  })

  test('GET /platform/organizations and …/{id}: 200, including ended organizations', async () => {
    const organization = await anOrganization(service.db, { name: 'Gone' })
    await operator('POST', `/platform/organizations/${organization}/end`, { reason: 'Scraping.' })
    const { data } = await operator('GET', `/platform/organizations/${organization}`)
    expect(data).toMatchObject({
      id: organization,
      type: 'organization',
      attributes: { name: 'Gone', status: 'ended' },
    })
    const first = await operator('GET', '/platform/organizations?per_page=1')
    const rest = await operator(
      'GET',
      `/platform/organizations?per_page=100&cursor=${String(first.meta?.['next_cursor'])}`,
    )
    expect([...first.list, ...rest.list].map(({ id }) => id)).toContain(organization)
  })
})
