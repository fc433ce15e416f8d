import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorKey } from '#access/operator/index.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { noticeRoutes } from '#notices/http.ts'
import { mailNotices } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { aKey, aMember, anAccount, anApp, anOrganization } from '#test/apps.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { aTeam, type Team } from './testing/team.ts'

let service: PartnerService
const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
/** The routes are created before their database. */
const later: PlatformDatabase = {
  transaction: (work) => service.db.databases.platform.transaction(work),
  get reads() {
    return service.db.databases.platform.reads
  },
}
beforeAll(async () => {
  service = await partnerService(noticeRoutes({ platform: later, cursors }))
})
afterAll(() => service.close())

const operator = (...request: Parameters<ReturnType<PartnerService['operator']>>) => service.operator()(...request)

/** Sends a GET request with an operator key of this role; `why` is the reason. */
async function readAs(role: PlatformRole, path: string, why: string | null = 'A test') {
  const { key } = await service.db.databases.platform.transaction((tx) =>
    createOperatorKey(tx, { world: 'live', name: 'Console', role }, 'tests'),
  )
  const headers = { authorization: `Bearer ${key}`, ...(why === null ? {} : { 'x-portico-reason': why }) }
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, body: (await response.json()) as { data: { id: string }[] } }
}

async function aTeamWithApp(name: string): Promise<{ team: Team; app: Id<'app'> }> {
  const team = await aTeam(service)
  return { team, app: await anApp(service.db, { organization: team.organization, name }) }
}

const waiting = async (app: string, kind?: string) => {
  const { list, meta } = await operator(
    'GET',
    `/platform/requests?per_page=100${kind === undefined ? '' : `&kind=${kind}`}`,
  )
  return { rows: list.filter(({ id }) => id.startsWith(app)), counts: meta?.['counts'] as Record<string, number> }
}
const kindsOf = async (app: string) => (await waiting(app)).rows.map(({ attributes }) => attributes['kind'])
const decline = (app: string, body: object) => operator('POST', `/platform/apps/${app}/requests/decline`, body)
const noticesOf = async ({ owner, organization }: Team) =>
  (await owner.send('GET', `/portal/api/organizations/${organization}/notices`)).list.map(
    ({ attributes }) => attributes,
  )
const mailsTo = async (app: string) => {
  await mailNotices(service.db.databases.platform, 100)
  return service.db.sql<{ subject: string }>(
    `select m.letter ->> 'subject' as subject from platform.mails m join platform.notices n on split_part(m.key, ' ', 1) = n.id
      where n.app_id = $1`,
    [app],
  )
}

describe('GET /platform/requests', () => {
  test('lists each request of a team until it is decided, and counts all waiting requests', async () => {
    const { team, app } = await aTeamWithApp('Ledger')
    const before = (await waiting(app)).counts
    expect(await kindsOf(app)).toEqual(['approval'])
    await team.developer.send('POST', `/portal/api/apps/${app}/pii_request`)
    await team.developer.send('POST', `/portal/api/apps/${app}/program_requests`, {
      program: 'marketing_partner',
      tier: 0,
    })
    const { rows, counts } = await waiting(app)
    expect(rows).toMatchObject([
      { attributes: { kind: 'approval', app: { id: app, name: 'Ledger' }, organization: { id: team.organization } } },
      { attributes: { kind: 'pii', program: null, tier: null } },
      { attributes: { kind: 'program', program: 'marketing_partner', tier: 0 } },
    ])
    expect(counts).toEqual({ ...before, pii: (before['pii'] ?? 0) + 1, program: (before['program'] ?? 0) + 1 })
    expect((await waiting(app, 'pii')).rows).toHaveLength(1)
    await operator('POST', `/platform/apps/${app}/approve`)
    await operator('POST', `/platform/apps/${app}/pii_approval`)
    await operator('POST', `/platform/apps/${app}/programs`, { program: 'marketing_partner', tier: 0 })
    expect(await kindsOf(app)).toEqual([])
    await team.developer.send('POST', `/portal/api/apps/${app}/program_requests`, {
      program: 'marketing_partner',
      tier: 1,
    })
    expect((await waiting(app)).rows).toMatchObject([{ attributes: { kind: 'program', tier: 1 } }])
  })

  test('returns all waiting requests page by page, the oldest first, each once', async () => {
    for (let made = 0; made < 3; made++) await aTeamWithApp('Paged')
    const seen: string[] = []
    const times: string[] = []
    let cursor = ''
    do {
      const { list, meta } = await operator('GET', `/platform/requests?per_page=2&cursor=${cursor}`)
      seen.push(...list.map(({ id }) => id))
      times.push(...list.map(({ attributes }) => String(attributes['requested_at'])))
      cursor = String(meta?.['next_cursor'] ?? '')
    } while (cursor !== '')
    expect(new Set(seen).size).toBe(seen.length)
    expect(times).toEqual(times.toSorted())
    expect(seen).toHaveLength((await operator('GET', '/platform/requests?per_page=100')).list.length)
  })

  test('omits the requests of suspended apps and of ended organizations', async () => {
    const [suspended, ended] = [await aTeamWithApp('Suspended'), await aTeamWithApp('Ended')]
    await operator('POST', `/platform/apps/${suspended.app}/suspend`, { reason: 'x' })
    await operator('POST', `/platform/organizations/${ended.team.organization}/end`, { reason: 'x' })
    expect([await kindsOf(suspended.app), await kindsOf(ended.app)]).toEqual([[], []])
  })
})

describe('a decision is mailed to the team', () => {
  test('if it is an approval, with a subject that names what was approved', async () => {
    const { team, app } = await aTeamWithApp('Approved')
    await operator('POST', `/platform/apps/${app}/approve`)
    await operator('POST', `/platform/apps/${app}/pii_approval`)
    await operator('POST', `/platform/apps/${app}/programs`, { program: 'founder' })
    expect((await noticesOf(team)).map(({ event }) => event)).toEqual([
      'app.program_granted',
      'app.pii_approved',
      'app.approved',
    ])
    expect(new Set((await mailsTo(app)).map(({ subject }) => subject))).toEqual(
      new Set([
        'Approved: the app was approved',
        'Approved: the app was approved for investor PII',
        'Approved: the app was let into a program',
      ]),
    )
  })

  test('if it is a refusal, with the reason; the request ends, and the team can ask again', async () => {
    const { team, app } = await aTeamWithApp('Declined')
    await team.developer.send('POST', `/portal/api/apps/${app}/pii_request`)
    await team.developer.send('POST', `/portal/api/apps/${app}/program_requests`, { program: 'founder' })
    for (const body of [{ kind: 'approval' }, { kind: 'pii' }, { kind: 'program', program: 'founder' }]) {
      const result = await decline(app, { ...body, reason: 'Say where the names go.' })
      expect(result.status).toBe(200)
    }
    expect(await kindsOf(app)).toEqual([])
    expect(await noticesOf(team)).toMatchObject([
      { event: 'app.request_declined', request: 'program', program: 'founder', reason: 'Say where the names go.' },
      { event: 'app.request_declined', request: 'pii' },
      { event: 'app.request_declined', request: 'approval' },
    ])
    expect((await mailsTo(app)).map(({ subject }) => subject)).toContain(
      'Declined: the request for investor PII was declined',
    )
    await team.developer.send('POST', `/portal/api/apps/${app}/approval_request`)
    await team.developer.send('POST', `/portal/api/apps/${app}/approval_request`)
    await team.developer.send('POST', `/portal/api/apps/${app}/pii_request`)
    await team.developer.send('POST', `/portal/api/apps/${app}/program_requests`, { program: 'founder' })
    expect(await kindsOf(app)).toEqual(['approval', 'pii', 'program'])
    const { list } = await team.owner.send('GET', `/portal/api/apps/${app}/history?per_page=100`)
    expect(list.filter(({ attributes }) => attributes['action'] === 'app.approval_requested')).toHaveLength(1)
  })

  test('after a refused upgrade, the app is still in its program', async () => {
    const { team, app } = await aTeamWithApp('Upgrade')
    await operator('POST', `/platform/apps/${app}/programs`, { program: 'marketing_partner', tier: 0 })
    await team.developer.send('POST', `/portal/api/apps/${app}/program_requests`, {
      program: 'marketing_partner',
      tier: 1,
    })
    const result = await decline(app, { kind: 'program', program: 'marketing_partner', reason: 'Not yet.' })
    expect(result.data.attributes['programs']).toMatchObject([
      { program: 'marketing_partner', tier: 0, requested_at: null },
    ])
    expect(result.data.attributes['scopes']).toContain('read:attribution:aggregate')
  })

  test('409 if no request waits, 422 if kind and program do not fit; no mail is sent', async () => {
    const { team, app } = await aTeamWithApp('Nothing')
    for (const body of [{ kind: 'pii' }, { kind: 'program', program: 'founder' }]) {
      expect((await decline(app, { ...body, reason: 'x' })).error).toMatchObject({ type: 'illegal_transition' })
    }
    for (const body of [{ kind: 'program' }, { kind: 'pii', program: 'founder' }]) {
      expect((await decline(app, { ...body, reason: 'x' })).status).toBe(422)
    }
    expect((await decline(app, { kind: 'approval', reason: 'x' })).status).toBe(200)
    expect((await decline(app, { kind: 'approval', reason: 'x' })).status).toBe(409)
    expect(await noticesOf(team)).toHaveLength(1)
  })

  test('once, if ten calls decline the same request at the same time', async () => {
    const { team, app } = await aTeamWithApp('Race')
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => decline(app, { kind: 'approval', reason: 'x' })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(await noticesOf(team)).toHaveLength(1)
  })

  test('after an approval was withdrawn, the app does not wait for a new approval until its team asks', async () => {
    const { app } = await aTeamWithApp('Withdrawn')
    await operator('POST', `/platform/apps/${app}/approve`)
    await operator('POST', `/platform/apps/${app}/unapprove`)
    expect(await kindsOf(app)).toEqual([])
  })
})

describe('GET /platform/partners/search', () => {
  const search = async (query: string) => {
    const { list } = await operator('GET', `/platform/partners/search?query=${encodeURIComponent(query)}`)
    return list.map(({ id, attributes }) => [id, attributes['matched']])
  }

  test('finds organizations and apps by a part of a name (ignoring case), an id, a client id or the host of a redirect URI', async () => {
    const organization = await anOrganization(service.db, { name: 'Zephyr Works' })
    const app = await anApp(service.db, { organization, name: 'Breeze 100%' })
    const { clientId } = await aKey(service.db, app)
    await service.db.sql('update platform.app_keys set redirect_uris = $2 where id = $1', [
      clientId,
      ['https://app.Zephyr.example:8443/back', 'zephyr.local://x'],
    ])
    expect(await search('zephyr w')).toEqual([[organization, ['name']]])
    expect(await search('BREEZE 100%')).toEqual([[app, ['name']]])
    expect(await search('%')).toEqual([[app, ['name']]])
    expect(await search(clientId)).toEqual([[app, ['client_id']]])
    expect(await search('app.zephyr.example')).toEqual([[app, ['redirect_host']]])
    expect(await search('zephyr.example')).toEqual([])
    expect(await search(organization)).toEqual([
      [app, ['id']],
      [organization, ['id']],
    ])
  })

  test('does not search people: an email address finds nothing', async () => {
    const organization = await anOrganization(service.db)
    await aMember(service.db, { organization, account: await anAccount(service.db, { email: 'kim@hidden.example' }) })
    expect([await search('kim@hidden.example'), await search('hidden.example')]).toEqual([[], []])
  })
})

describe('GET /platform/partners/of_member', () => {
  const path = (email: string) => `/platform/partners/of_member?email=${encodeURIComponent(email)}`

  test('an operator with the role support finds the organizations of an address and of a domain; the audit has no address', async () => {
    const organization = await anOrganization(service.db, { name: 'Found' })
    await aMember(service.db, {
      organization,
      account: await anAccount(service.db, { email: 'Lee@mail.firm.example' }),
    })
    for (const email of ['lee@MAIL.firm.example', '@mail.firm.example']) {
      const { status, body } = await readAs('support', path(email))
      expect([status, body.data.map(({ id }) => id)]).toEqual([200, [organization]])
    }
    for (const email of ['ee@mail.firm.example', '@firm.example', 'mail.firm.example']) {
      expect((await readAs('support', path(email))).body.data).toEqual([])
    }
    const entries = await service.db.sql<{ text: string }>(
      `select e::text as text from platform.audit_entries e where action = 'operator.read' and details ->> 'operation' = $1`,
      ['searchPartnersOfMember'],
    )
    expect(entries.length).toBeGreaterThan(1)
    expect(JSON.stringify(entries)).not.toContain('firm.example')
  })

  test('403 for a viewer, 422 without a reason', async () => {
    expect((await readAs('viewer', path('@firm.example'))).status).toBe(403)
    expect((await readAs('support', path('@firm.example'), null)).status).toBe(422)
  })
})

describe('GET /platform/organizations/{id}/history', () => {
  test('lists what was done to the organization and its apps; a viewer sees neither names nor reasons', async () => {
    const { team, app } = await aTeamWithApp('Told')
    await operator('POST', `/platform/apps/${app}/approve`)
    await team.developer.send('POST', `/portal/api/apps/${app}/pii_request`)
    const path = `/platform/organizations/${team.organization}/history?per_page=2`
    const { list } = await operator('GET', path)
    expect(list).toMatchObject([
      { attributes: { action: 'app.pii_requested', subject: app, actor: { name: expect.any(String) } } },
      { attributes: { action: 'app.approved', subject: app, actor: { name: 'Tests' }, reason: 'A test' } },
    ])
    for (const one of [path, `/platform/apps/${app}/history?per_page=2`]) {
      const { status, body } = await readAs('viewer', one)
      expect(status).toBe(200)
      expect(body.data).toMatchObject([
        { attributes: { action: 'app.pii_requested', actor: { id: expect.any(String), name: null }, reason: null } },
        { attributes: { action: 'app.approved', actor: { name: null }, reason: null } },
      ])
    }
    await operator('POST', `/platform/organizations/${team.organization}/end`, { reason: 'Dissolved.' })
    const subjects = (await operator('GET', path)).list.map(({ attributes }) => attributes['subject'])
    expect(subjects).toEqual([app, team.organization])
  })
})
