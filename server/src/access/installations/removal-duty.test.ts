import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { platformAppRoutes, portalAppRoutes } from '#access/apps/http.ts'
import { scopeChangeRoutes } from '#access/oauth/http.ts'
import { lockUser } from '#access/people/index.ts'
import { INVESTOR_PII } from '#access/scopes/index.ts'
import { aConnection } from '#access/tokens/testing/stage.ts'
import { findEvents, wholeData } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { makeConnection, testChangeContext } from '#test/installations.ts'
import { countEnabledEndpoints, previewEndpoints } from '#webhooks/index.ts'
import { piiWithdrawalRoutes } from './api/platform-routes.ts'
import { revokeConnectionsOfUser } from './connect-user.ts'
import { dataDue } from './lifecycle.ts'
import { revokeWithOrganization } from './revocations.ts'
import {
  type ApiResponse,
  type ApiStage,
  type InstallationView,
  openApiStage,
  type Partner,
  type Person,
} from './testing/api-stage.ts'

const COMPANY = { type: 'company', id: 'co_000000000000000000000001' as Id<'company'>, name: 'Engines' } as const
const USER = { type: 'user', id: 'usr_000000000000000000000001' as Id<'user'>, name: null } as const

describe('the data to delete', () => {
  const due = (held: Partial<Parameters<typeof dataDue>[0]>, kept: readonly string[] = []) =>
    dataDue({ target: COMPANY, scopes: [], takenScopes: [], ...held }, kept).map(
      ({ kind, scopes }) => `${kind}: ${scopes.join(' ')}`,
    )

  test('is "Data under read:investors:pii", on a company, a syndicate or a user', () => {
    const scopes = ['read:companies', INVESTOR_PII]
    const syndicate = { type: 'syndicate', id: 'syn_1' as Id<'syndicate'>, name: 'Angels' } as const
    for (const target of [COMPANY, syndicate])
      expect(due({ target, scopes })).toEqual([`investor_pii: ${INVESTOR_PII}`])
    expect(due({ target: USER, scopes })).toEqual([`investor_pii: ${INVESTOR_PII}`, 'user_data: read:companies'])
  })

  test('is none for a company without read:investors:pii', () => {
    expect(due({ scopes: ['read:companies', 'read:investments', 'write:webhooks'] })).toEqual([])
  })

  test('is "Data a user authorized about themselves", of every kind, except public data and the app’s own data', () => {
    const scopes = ['read:public', 'read:investments', 'read:profile', 'write:webhooks', 'read:installations']
    expect(due({ target: USER, scopes })).toEqual(['user_data: read:profile read:investments'])
    expect(due({ target: USER, scopes: ['read:public', 'write:webhooks'] })).toEqual([])
  })

  test('includes data of a scope that was removed before the installation ended', () => {
    expect(due({ scopes: ['read:companies'], takenScopes: [INVESTOR_PII] })).toEqual([`investor_pii: ${INVESTOR_PII}`])
  })

  test('is, for a superseded connection, the data that the new connection does not cover', () => {
    const scopes = ['read:profile', 'read:investments', INVESTOR_PII]
    expect(due({ target: USER, scopes }, [...scopes, 'read:companies'])).toEqual([])
    expect(due({ target: USER, scopes }, ['write:profile', INVESTOR_PII])).toEqual(['user_data: read:investments'])
    expect(due({ target: USER, scopes }, ['read:profile'])).toHaveLength(2)
  })
})

const BRAND = 'wefunder'
let stage: ApiStage
let partner: Partner
let founder: Person
beforeAll(async () => {
  stage = await openApiStage([], ({ databases: { platform }, cursors }) => [
    ...portalAppRoutes({ platform, cursors, brand: BRAND }),
    ...platformAppRoutes({
      ...{ platform, cursors, notify: notifyAppTeam, findOwners: async () => null },
      onEnded: [revokeWithOrganization({ brand: BRAND, onRevoked: [] })],
    }),
    ...piiWithdrawalRoutes({ brand: BRAND, onRevoked: [], notify: notifyAppTeam }),
    ...scopeChangeRoutes({
      brand: BRAND,
      onRevoked: [],
      notify: notifyAppTeam,
      previewEndpoints,
      countEnabledEndpoints,
    }),
  ])
})
afterAll(() => stage.close())
beforeEach(async () => {
  partner = await stage.partner({ piiApproved: true })
  founder = await stage.person()
})

type Due = {
  installation: string
  mode: World
  target: { type: string; id: string }
  since: string
  revoked_by: { role: string }
  data: { kind: string; scopes: string[] }[]
}
type Entry = { attributes: { action: string; actor: { type: string }; details: Due } }

/** The removal duties in the app's history, oldest first, as its team gets it; null for a person who may not read it. */
async function historyOf({ app }: Partner, reader: Person): Promise<readonly Due[] | null> {
  const { status, list } = await (await stage.signedIn(reader))('GET', `/portal/api/apps/${app}/history?per_page=100`)
  if (status !== 200) return null
  const entries = list as unknown as Entry[]
  const due = entries.filter(({ attributes }) => attributes.action === 'installation.removal_due')
  expect(due.every(({ attributes }) => attributes.actor.type === 'system')).toBe(true)
  return due.map(({ attributes }) => attributes.details).toReversed()
}
const dueOf = async (of: Partner = partner) => (await historyOf(of, await stage.teammate(of))) ?? []

/** Installs the app on a company of the founder, who is not on the app's team. */
async function installed(scopes?: readonly string[]): Promise<InstallationView> {
  const send = await stage.as(partner, founder)
  const body = { target_type: 'company', target_id: await stage.company({ founder }) }
  const { status, data } = await send('POST', '/installations', scopes === undefined ? body : { ...body, scopes })
  expect(status).toBe(201)
  return data
}
const forPii = (id: string, role: string, mode: World = 'test') => ({
  installation: id,
  mode,
  revoked_by: { role },
  data: [{ kind: 'investor_pii', scopes: [INVESTOR_PII] }],
})

describe('when an installation that showed investors is revoked, its app’s history says that deletion is due', () => {
  const WAYS: [string, string, (id: string) => Promise<unknown>][] = [
    [
      'the company, over the API',
      'founder',
      async (id) => (await stage.as(partner, founder))('DELETE', `/installations/${id}`),
    ],
    [
      'the app’s team, over the API',
      'partner',
      async (id) => (await stage.as(partner, await stage.teammate(partner)))('DELETE', `/installations/${id}`),
    ],
    [
      'the app’s team, in the portal',
      'partner',
      async (id) => {
        const team = await stage.signedIn(await stage.teammate(partner))
        return team('DELETE', `/portal/api/apps/${partner.app}/installations/${id}`)
      },
    ],
    ['the platform’s staff', BRAND, (id) => stage.operator()('DELETE', `/platform/installations/${id}`)],
    [
      'the platform, withdrawing its approval',
      BRAND,
      () => stage.operator('live')('DELETE', `/platform/apps/${partner.app}/pii_approval`),
    ],
    [
      'the platform, ending the organization',
      BRAND,
      () =>
        stage.operator('live')('POST', `/platform/organizations/${partner.organization}/end`, { reason: 'Reselling.' }),
    ],
  ]
  test.each(WAYS)('revoked by %s', async (_, role, revoke) => {
    const { id, target } = await installed()
    expect(await dueOf()).toEqual([])
    await revoke(id)
    const [entry, ...more] = await dueOf()
    expect([entry, more]).toMatchObject([forPii(id, role), []])
    expect(entry?.target).toEqual({ type: 'company', id: target['id'] })
    const now = await stage.operator()('GET', `/platform/installations/${id}`)
    expect(entry?.since).toBe(now.data['revoked_at'])
  })

  test('revoked because the team removed the installation’s last scope; a scope that was removed earlier counts too', async () => {
    const scopes = [INVESTOR_PII, 'read:companies']
    const { id } = await installed(scopes)
    const team = await stage.signedIn(await stage.teammate(partner))
    const remove = (names: string[]) => team('POST', `/portal/api/apps/${partner.app}/scopes/remove`, { scopes: names })
    expect((await remove([INVESTOR_PII])).status).toBe(200)
    expect(await dueOf()).toEqual([])
    await remove(['read:companies'])
    expect(await dueOf()).toMatchObject([forPii(id, 'partner')])
  })

  test('once, even if the installation is revoked again', async () => {
    const { id } = await installed()
    const send = await stage.as(partner, founder)
    for (const _ of [1, 2]) await send('DELETE', `/installations/${id}`)
    await stage.operator()('DELETE', `/platform/installations/${id}`)
    expect(await dueOf()).toHaveLength(1)
  })

  test('the scopes in the event show what to delete; the event has no field that the specification lacks', async () => {
    const { id } = await installed()
    await (await stage.as(partner, founder))('DELETE', `/installations/${id}`)
    const rows = await stage.db.sql<{ id: Id<'event'> }>(
      `select id from test.events where installation_id = $1 and name = 'installation.revoked'`,
      [id],
    )
    const ids = rows.map((row) => row.id)
    const [data] = (await findEvents(stage.db.databases.test.reads, ids)).map(wholeData)
    expect(Object.keys(data ?? {}).toSorted()).toEqual([
      'id',
      'installed_at',
      'installed_by',
      'occurred_at',
      'revoked_at',
      'revoked_by',
      'scopes',
      'status',
      'target',
      'tier',
    ])
    expect(data).toMatchObject({ scopes: expect.arrayContaining([INVESTOR_PII]), status: 'revoked' })
  })

  test('no deletion is due for an installation that never showed investors', async () => {
    const { id } = await installed(['read:companies'])
    await (await stage.as(partner, founder))('DELETE', `/installations/${id}`)
    await stage.operator('live')('POST', `/platform/organizations/${partner.organization}/end`, {
      reason: 'Reselling.',
    })
    expect(await dueOf()).toEqual([])
  })
})

describe('when a user revokes an app’s access, its history says that deletion is due', () => {
  const scopes = ['read:profile', 'read:companies']
  const forUser = (role: string) => ({
    target: { type: 'user', id: founder.user },
    revoked_by: { role },
    data: [{ kind: 'user_data', scopes }],
  })
  const connected = async () => (await aConnection(stage.db, partner, { user: founder.user, scopes })).installation

  test('through another app, by DELETE /connected-apps/{id}', async () => {
    await connected()
    const other = await stage.partner({ scopes: ['write:profile'] })
    const send = await stage.as(other, founder, ['write:profile'])
    expect((await send('DELETE', `/connected-apps/${partner.app}`)).status).toBe(200)
    expect([await dueOf(), await dueOf(other)]).toMatchObject([[forUser('user')], []])
  })

  test('also if the platform’s staff end the access instead of the user', async () => {
    const id = await connected()
    await stage.operator()('DELETE', `/platform/installations/${id}`)
    expect(await dueOf()).toMatchObject([forUser(BRAND)])
  })

  test('also if the app’s team ends the access', async () => {
    const id = await connected()
    const team = await stage.signedIn(await stage.teammate(partner))
    expect((await team('DELETE', `/portal/api/apps/${partner.app}/installations/${id}`)).status).toBe(200)
    expect(await dueOf()).toMatchObject([forUser('partner')])
  })

  test('if the user leaves the platform', async () => {
    await connected()
    await stage.arrange(async (tx) => {
      await lockUser(tx, 'user', founder.user)
      await revokeConnectionsOfUser(tx, founder.user, testChangeContext())
    })
    expect(await dueOf()).toMatchObject([forUser('user')])
  })

  test('if a new consent has fewer scopes, for the data that the app no longer sees; not if it has more scopes', async () => {
    const connect = (granted: readonly string[]) =>
      stage.arrange((tx) => makeConnection(tx, { appId: partner.app, userId: founder.user, scopes: granted }))
    await connect(['read:profile'])
    const first = await connect(['read:profile', 'read:companies', INVESTOR_PII])
    expect(await dueOf()).toEqual([])
    await connect(['read:companies'])
    expect(await dueOf()).toMatchObject([
      {
        installation: first.id,
        data: [
          { kind: 'investor_pii', scopes: [INVESTOR_PII] },
          { kind: 'user_data', scopes: ['read:profile'] },
        ],
      },
    ])
  })
})

test('installs that run while the organization ends are rejected or revoked, and each revoked installation causes a removal duty', async () => {
  const installs: (() => Promise<ApiResponse>)[] = []
  for (let count = 0; count < 6; count++) {
    const person = await stage.person()
    const [send, target_id] = [await stage.as(partner, person), await stage.company({ founder: person })]
    installs.push(() => send('POST', '/installations', { target_type: 'company', target_id }))
  }
  const end = () =>
    stage.operator('live')('POST', `/platform/organizations/${partner.organization}/end`, { reason: 'Reselling.' })
  const [ended, ...made] = await Promise.all([end(), ...installs.map((install) => install())])
  expect(ended.status).toBe(200)
  const created = made.filter(({ status }) => status === 201).map(({ data }) => data.id)
  const active = `select id from test.installations where app_id = $1 and state = 'active'`
  expect(await stage.db.sql(active, [partner.app])).toEqual([])
  expect((await dueOf()).map(({ installation }) => installation).toSorted()).toEqual(created.toSorted())
})

describe('readers of the entry', () => {
  test('are owner, admin and developer of the app’s organization; strangers, other teams and the revoking person are not', async () => {
    const { id } = await installed()
    await (await stage.as(partner, founder))('DELETE', `/installations/${id}`)
    for (const role of ['owner', 'admin', 'developer'] as const) {
      expect(await historyOf(partner, await stage.teammate(partner, role))).toMatchObject([forPii(id, 'founder')])
    }
    const elsewhere = await stage.teammate(await stage.partner())
    for (const reader of [founder, await stage.person(), elsewhere]) expect(await historyOf(partner, reader)).toBeNull()
  })

  test('see the mode of each entry; an organization that ended has entries of both modes', async () => {
    const live = await stage.partner({ world: 'live', piiApproved: true })
    const user = await stage.person('live')
    const real = (await aConnection(stage.db, live, { user: user.user, scopes: ['read:profile'] })).installation
    const played = await stage.arrange((tx) => makeConnection(tx, { appId: live.app }))
    await stage.operator('live')('POST', `/platform/organizations/${live.organization}/end`, { reason: 'Reselling.' })
    const team = await stage.teammate(live)
    expect(await historyOf(live, team)).toMatchObject([
      { installation: played.id, mode: 'test' },
      { installation: real, mode: 'live' },
    ])
  })
})

describe('operators follow removal duties', () => {
  type DutyView = { id: string; attributes: Record<string, unknown> }
  const duties = async (query = '', of: Partner = partner, send = stage.operator()) => {
    const { list, meta } = await send('GET', `/platform/removal_duties?app_id=${of.app}${query}`)
    const rows = list as unknown as DutyView[]
    return { rows, counts: meta['counts'] as Record<string, number>, cursor: meta['next_cursor'] }
  }
  const confirm = (id: string, send = stage.operator()) => send('POST', `/platform/removal_duties/${id}/confirm`)
  const revoked = async () => {
    const { id } = await installed()
    await (await stage.as(partner, founder))('DELETE', `/installations/${id}`)
    return id
  }
  const idOf = async () => (await duties()).rows[0]?.id ?? ''
  /** Entries are never changed in operation; the test needs an old one. */
  async function grownOld(id: string): Promise<void> {
    await stage.db.sql('alter table platform.audit_entries disable trigger user')
    await stage.db.sql(`update platform.audit_entries set at = at - interval '31 days' where id = $1`, [id])
    await stage.db.sql('alter table platform.audit_entries enable trigger user')
  }

  test('a duty is open, then confirmed; the audit and the app’s history have the confirmation', async () => {
    const installation = await revoked()
    const { rows } = await duties()
    expect(rows).toMatchObject([
      {
        attributes: {
          ...{ state: 'open', mode: 'test', app: { id: partner.app }, organization: { id: partner.organization } },
          ...{ installation_id: installation, data: [{ kind: 'investor_pii' }], confirmed_at: null },
        },
      },
    ])
    const id = rows[0]?.id ?? ''
    const before = (await duties()).counts
    const { status, data } = await confirm(id)
    expect([status, data]).toMatchObject([200, { id, attributes: { state: 'confirmed', confirmed_as: 'platform' } }])
    expect((data as unknown as DutyView).attributes['confirmed_by']).toMatch(/^opk_/)
    const after = (await duties()).counts
    expect(after).toMatchObject({ open: (before['open'] ?? 0) - 1, confirmed: (before['confirmed'] ?? 0) + 1 })
    const team = await stage.signedIn(await stage.teammate(partner))
    const { list } = await team('GET', `/portal/api/apps/${partner.app}/history`)
    expect((list as unknown as Entry[])[0]?.attributes).toMatchObject({
      ...{ action: 'installation.removal_confirmed', actor: { type: 'platform' } },
    })
  })

  test('an unconfirmed duty is overdue after 30 days; the filter finds overdue and confirmed duties', async () => {
    await revoked()
    const first = await idOf()
    await revoked()
    await grownOld(first)
    const states = async (query: string) =>
      (await duties(query)).rows.map(({ id, attributes }) => [id === first, attributes['state']])
    expect(await states('')).toEqual([
      [true, 'overdue'],
      [false, 'open'],
    ])
    expect(await states('&state=overdue')).toEqual([[true, 'overdue']])
    expect(await states('&state=confirmed')).toEqual([])
    await confirm(first)
    expect(await states('&state=confirmed')).toEqual([[true, 'confirmed']])
    const { rows, cursor } = await duties('&per_page=1')
    expect(rows.map(({ id }) => id)).toEqual([first])
    expect((await duties(`&per_page=1&cursor=${cursor}`)).rows).toMatchObject([{ attributes: { state: 'open' } }])
  })

  test('concurrent confirmations are recorded once; 404 for a duty of the other mode and an unknown duty', async () => {
    await revoked()
    const id = await idOf()
    expect((await duties('', partner, stage.operator('live'))).rows).toEqual([])
    expect((await confirm(id, stage.operator('live'))).status).toBe(404)
    expect((await confirm('999999999')).status).toBe(404)
    const responses = await Promise.all([confirm(id), confirm(id), confirm(id)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const recorded = `select from platform.audit_entries where action = 'installation.removal_confirmed' and details ->> 'duty' = $1`
    expect(await stage.db.sql(recorded, [id])).toHaveLength(1)
  })

  test('the team lists its duties and confirms the deletion; the console and the history say who confirmed', async () => {
    const installation = await revoked()
    const member = await stage.teammate(partner)
    const team = await stage.signedIn(member)
    const path = `/portal/api/apps/${partner.app}/removal_duties`
    const own = async (query = '?mode=test') => (await team('GET', path + query)).list as unknown as DutyView[]
    const [duty, ...others] = await own()
    expect([duty?.attributes, others]).toMatchObject([
      { state: 'open', mode: 'test', installation_id: installation, confirmed_at: null, confirmed_as: null },
      [],
    ])
    expect(await own('')).toEqual([])
    const id = duty?.id ?? ''

    // Another team gets 404 on its own app's path and on this app's path.
    const rival = await stage.partner()
    const stranger = await stage.signedIn(await stage.teammate(rival))
    for (const app of [partner.app, rival.app]) {
      expect((await stranger('POST', `/portal/api/apps/${app}/removal_duties/${id}/confirm`)).status).toBe(404)
    }
    expect((await stranger('GET', `${path}?mode=test`)).status).toBe(404)

    const answers = await Promise.all([1, 2, 3].map(() => team('POST', `${path}/${id}/confirm`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [ofTeam] = await own('?mode=test&state=confirmed')
    expect(ofTeam).toMatchObject({ id, attributes: { state: 'confirmed', confirmed_as: 'team' } })
    expect(ofTeam?.attributes).not.toHaveProperty('confirmed_by')
    const [shown] = (await duties()).rows
    expect(shown?.attributes).toMatchObject({
      ...{ state: 'confirmed', confirmed_as: 'team', confirmed_by: expect.stringMatching(/^acct_/) },
    })
    const { list } = await team('GET', `/portal/api/apps/${partner.app}/history`)
    expect((list as unknown as Entry[])[0]?.attributes).toMatchObject({
      ...{ action: 'installation.removal_confirmed', actor: { type: 'member' } },
    })
    expect((await confirm(id)).data).toMatchObject({ attributes: { confirmed_as: 'team' } })
  })

  test('404 for an audit entry that is not a removal duty', async () => {
    const [entry] = await stage.db.sql<{ id: string }>(
      `select id::text as id from platform.audit_entries where action <> 'installation.removal_due' limit 1`,
    )
    expect((await confirm(entry?.id ?? '')).status).toBe(404)
  })
})

describe('operators list the installations of all partners', () => {
  const found = async (query: string, send = stage.operator()) =>
    (await send('GET', `/platform/installations?${query}`)).list.map(({ id }) => id)

  test('filtered by app, organization, target and status, newest first, in the mode of their key', async () => {
    const [one, other] = [await installed(), await installed()]
    const rival = await stage.partner()
    const foreign = (await aConnection(stage.db, rival, { user: founder.user, scopes: ['read:profile'] })).installation
    await (await stage.as(partner, founder))('DELETE', `/installations/${one.id}`)
    const ofApp = `app_id=${partner.app}&target_type=company`
    expect(await found(ofApp)).toEqual([other.id, one.id])
    expect(await found(`${ofApp}&status=revoked`)).toEqual([one.id])
    expect(await found(`organization_id=${partner.organization}&target_type=company&status=active`)).toEqual([other.id])
    expect(await found(`target_id=${other.target['id']}`)).toEqual([other.id])
    expect((await found(`target_id=${founder.user}`))[0]).toBe(foreign)
    expect(await found(`target_type=user&app_id=${rival.app}`)).toEqual([foreign])
    expect(await found('target_id=co_000000000000000000000000')).toEqual([])
    expect((await found('per_page=100&target_type=company')).slice(0, 2)).toEqual([other.id, one.id])
    expect(await found(ofApp, stage.operator('live'))).toEqual([])
  })

  test('page by page, with the partner, but without data about the person of a user’s connection', async () => {
    const installation = await installed()
    const other = await installed()
    const send = stage.operator()
    const first = await send('GET', `/platform/installations?app_id=${partner.app}&target_type=company&per_page=1`)
    expect(first.list).toMatchObject([
      { id: other.id, app: { id: partner.app }, organization: { id: partner.organization } },
    ])
    const next = `&cursor=${first.meta['next_cursor']}`
    const second = await send(
      'GET',
      `/platform/installations?app_id=${partner.app}&target_type=company&per_page=1${next}`,
    )
    expect(second.list.map(({ id }) => id)).toEqual([installation.id])
    const { installation: connection } = await aConnection(stage.db, partner, {
      ...{ user: founder.user, scopes: ['read:profile'] },
    })
    const [mine] = (await send('GET', `/platform/installations?target_id=${founder.user}`)).list
    expect(mine).toMatchObject({ id: connection, target: { type: 'user', id: founder.user, name: null } })
  })
})
