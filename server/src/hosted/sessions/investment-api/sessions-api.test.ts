import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import { deactivateUser } from '#access/people/index.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { testChangeContext } from '#test/installations.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '../../../../test/contract/sender.ts'
import { completeInvestmentSession, playInvestment, startInvestmentSession } from '../index.ts'
import { expireDueSessions } from '../session-jobs.ts'
import { aPartner, aSyndicatePartner, installOn, openPartnerSite, type PartnerSite } from './testing/partner-stage.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

const PATH = '/partner/investment_sessions'
const run = <T>(work: Parameters<typeof site.db.databases.test.transaction<T>>[0]) =>
  site.db.databases.test.transaction(work)
const someone = () => run((tx) => makeUser(tx))
let count = 0
const address = () => `investor-${++count}@example.org`
type Partner = Awaited<ReturnType<typeof aPartner>>
const open = ({ send, offering }: Pick<Partner, 'send' | 'offering'>, more: object = {}) =>
  send('POST', PATH, { investment_session: { spv_id: offering, email: address(), ...more } })
const occasion = (occurredAt = '2026-06-01T00:00:00.000000Z') => ({
  cause: 'test',
  occurredAt: occurredAt as never,
  caused: [],
})

const takeOff = (id: Partner['installation']) =>
  run((tx) => revokeInstallation(tx, { id, role: 'founder' }, testChangeContext()))

/** Installs the app on the same company again, after its first installation was revoked. */
async function installedAgain({ client, company, offering, installation }: Partner, scopes?: readonly string[]) {
  await takeOff(installation)
  const again = await installOn(site, { company }, { client, ...(scopes && { scopes }) })
  return { ...again, offering }
}

describe('POST /partner/investment_sessions', () => {
  test('201: pending, with a sealed link and the requested fields', async () => {
    const partner = await aPartner(site)
    const email = address()
    const asked = {
      email,
      allocation_cents: 25_000,
      success_url: 'https://partner.example/done',
      metadata: { lead: 7 },
    }
    const { status, data, meta } = await open(partner, asked)
    expect(status).toBe(201)
    expect(meta).toMatchObject({ request_id: expect.stringMatching(/^req_/) })
    expect(data).toEqual({
      id: expect.stringMatching(/^is_/),
      type: 'investment_session',
      attributes: {
        status: 'pending',
        url: expect.stringContaining(`${site.url}/invest/session/${data.id}.`),
        spv_id: partner.offering,
        email,
        currency: 'usd',
        allocation_cents: 25_000,
        kyc_status: null,
        funding_status: null,
        investment_id: null,
        metadata: { lead: 7 },
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    })
  })

  test('201 on a syndicate that runs the offering', async () => {
    expect((await open(await aSyndicatePartner(site))).status).toBe(201)
  })

  test('201 under the older path, which contains the offering', async () => {
    const { send, offering } = await aPartner(site)
    const path = `/partner/spvs/${offering}/investment_sessions`
    const ask = () => send('POST', path, { investment_session: { email: address() } })
    const response = await ask()
    expect([response.status, response.data.attributes['spv_id']]).toEqual([201, offering])
    await site.db.sql(`update test.offerings set status = 'closing' where id = $1`, [offering])
    expect((await ask()).error.details).toMatchObject({ fields: [{ field: 'spv_id', code: 'not_open' }] })
  })

  test('a session for an account never shows the account’s address; a session for that address is a separate session', async () => {
    const partner = await aPartner(site)
    const user = await someone()
    const { data } = await open(partner, { email: null, platform_user_id: user })
    const single = await partner.send('GET', `${PATH}/${data.id}`)
    const [row] = await site.db.sql<{ email: string }>('select email from test.users where id = $1', [user])
    const events = await site.db.sql('select data, identity from test.events where investment_session_id = $1', [
      data.id,
    ])
    expect(JSON.stringify([data, single.data, events])).not.toContain(row?.email)
    expect(data.attributes['email']).toBeNull()
    // A session by address for the same person is a new session. Otherwise the partner would learn whose address it is.
    const byAddress = await open(partner, { email: row?.email })
    expect([byAddress.status, byAddress.data.id === data.id]).toEqual([201, false])
  })

  test('200 with the active session of the same recipient, in upper or lower case; 201 after that session has ended', async () => {
    const partner = await aPartner(site)
    const email = address()
    const first = await open(partner, { email })
    const again = await open(partner, { email: email.toUpperCase(), allocation_cents: 100 })
    expect([again.status, again.data.id]).toEqual([200, first.data.id])
    await partner.send('DELETE', `${PATH}/${first.data.id}`)
    expect((await open(partner, { email })).status).toBe(201)
    const user = await someone()
    const account = () => open(partner, { email: null, platform_user_id: user })
    expect([(await account()).status, (await account()).status]).toEqual([201, 200])
  })

  test('of ten concurrent requests for one recipient, one creates the session and all return it', async () => {
    const partner = await aPartner(site)
    const email = address()
    const responses = await Promise.all(Array.from({ length: 10 }, () => open(partner, { email })))
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1)
  })

  test('an Idempotency-Key replays the first answer', async () => {
    const { send, offering } = await aPartner(site)
    const body = { investment_session: { spv_id: offering, email: address() } }
    const key = { 'idempotency-key': newId('request') }
    const [first, second] = [await send('POST', PATH, body, key), await send('POST', PATH, body, key)]
    expect([first.status, second.status, second.data.id]).toEqual([201, 201, first.data.id])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test.each([
    ['no recipient', { email: null }, 'investment_session.email'],
    ['an address and an account together', { platform_user_id: newId('user') }, 'investment_session.platform_user_id'],
    ['an amount below one unit', { allocation_cents: 99 }, 'investment_session.allocation_cents'],
    ['an amount of one and a half units', { allocation_cents: 150 }, 'investment_session.allocation_cents'],
    ['a lifetime of 0 hours', { expires_in_hours: 0 }, 'investment_session.expires_in_hours'],
    ['a lifetime of more than 90 days', { expires_in_hours: 2_161 }, 'investment_session.expires_in_hours'],
    ['a success_url with http', { success_url: 'http://partner.example/' }, 'investment_session.success_url'],
    ['a success_url that is a script', { success_url: 'javascript:alert(1)' }, 'investment_session.success_url'],
    [
      'a success_url with a password',
      { success_url: 'https://a:b@partner.example/' },
      'investment_session.success_url',
    ],
    ['a success_url with a wildcard host', { success_url: 'https://*/' }, 'investment_session.success_url'],
    ['a success_url with a malformed host', { success_url: 'https://a;sandbox/' }, 'investment_session.success_url'],
    ['an unknown field', { amount: 5 }, 'investment_session.amount'],
  ])('422 for %s', async (_, more, field) => {
    const response = await open(await aPartner(site), more)
    expect(refusalOf(response)).toBe('422 validation_error')
    expect(response.error.details).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ field })]),
    })
  })

  test('a success_url on this machine is allowed only in the sandbox', async () => {
    const way = { success_url: 'http://127.0.0.1:4510/done' }
    expect((await open(await aPartner(site), way)).status).toBe(201)
    expect(refusalOf(await open(await aPartner(site, { world: 'live' }), way))).toBe('422 validation_error')
  })

  test('a session expires after 720 hours, or after the requested number of hours, in world time', async () => {
    const partner = await aPartner(site)
    const hours = ({ data: { attributes } }: Awaited<ReturnType<typeof open>>) => {
      const [from, to] = [String(attributes['created_at']), String(attributes['expires_at'])]
      // The times differ by whole hours: their minutes, seconds and microseconds are equal.
      expect(to.slice(14)).toBe(from.slice(14))
      return hoursBetween(attributes)
    }
    const hoursBetween = (attributes: Readonly<Record<string, unknown>>) =>
      (Date.parse(String(attributes['expires_at'])) - Date.parse(String(attributes['created_at']))) / 3_600_000
    expect(hours(await open(partner))).toBe(720)
    expect(hours(await open(partner, { expires_in_hours: 1 }))).toBe(1)
    expect(hours(await open(partner, { expires_in_hours: 2_160 }))).toBe(2_160)
  })

  test('404 for an unknown or deactivated user', async () => {
    const partner = await aPartner(site)
    const user = await someone()
    await run((tx) => deactivateUser(tx, user, occasion()))
    const gone = await open(partner, { email: null, platform_user_id: user })
    expect(refusalOf(gone)).toBe('404 not_found')
    const unknown = await open(partner, { email: null, platform_user_id: newId('user') })
    expect(refusalOf(unknown)).toBe('404 not_found')
  })

  test('404 for an unknown offering and for a hidden offering of another company; 403 for a public offering', async () => {
    const partner = await aPartner(site)
    const { hidden, shown } = await run(async (tx) => ({
      hidden: await makeOffering(tx),
      shown: await makeOffering(tx, { listed: true }),
    }))
    const at = (offering: typeof hidden) => open({ ...partner, offering })
    expect(refusalOf(await at(hidden))).toBe('404 not_found')
    expect(refusalOf(await at(newId('offering')))).toBe('404 not_found')
    expect(refusalOf(await at(shown))).toBe('403 forbidden')
  })

  test('422 if the offering accepts no more investors', async () => {
    expect(refusalOf(await open(await aPartner(site, { offering: { status: 'closed' } })))).toBe('422 validation_error')
  })

  test('403 for an app installed on a user; 403 insufficient_scope with only the read scope; 401 with a revoked token', async () => {
    const { offering } = await aPartner(site)
    const onUser = await installOn(site, { user: await someone() })
    expect(refusalOf(await open({ ...onUser, offering }))).toBe('403 forbidden')
    const reader = await aPartner(site, { scopes: ['read:investment_sessions'] })
    expect(refusalOf(await open(reader))).toBe('403 insufficient_scope')
    const gone = await aPartner(site)
    await site.db.sql(`update test.access_tokens set revoked_at = now() where installation_id = $1`, [
      gone.installation,
    ])
    expect((await open(gone)).status).toBe(401)
  })

  test('older versions call the account wefunder_user_id, and ignore fields that they do not have', async () => {
    const partner = await aPartner(site, { apiVersion: '2025-01-15' })
    const response = await open(partner, { email: null, wefunder_user_id: await someone(), more: 1 })
    expect(response.status).toBe(201)
    expect(response.data.attributes['email']).toBeNull()
  })

  test('the id of an intent is stored in metadata', async () => {
    const intent_id = newId('intent')
    const { data } = await open(await aPartner(site), { intent_id, metadata: { a: 1 } })
    expect(data.attributes['metadata']).toEqual({ a: 1, intent_id })
  })
})

describe('GET /partner/investment_sessions', () => {
  test('200: the sessions of this installation, newest first, page by page and by filter', async () => {
    const partner = await aPartner(site)
    const other = await run((tx) => makeOffering(tx, { company: partner.company }))
    const ids: string[] = []
    for (const offering of [partner.offering, partner.offering, other]) {
      ids.push((await open({ ...partner, offering })).data.id)
    }
    const newest = ids.toSorted().toReversed()
    const list = async (query: string) => (await partner.send('GET', `${PATH}?${query}`)).list.map(({ id }) => id)
    expect(await list('')).toEqual(newest)
    const first = await partner.send('GET', `${PATH}?per_page=2`)
    expect(first.meta).toMatchObject({ has_more: true, page_count: 2, request_id: expect.any(String) })
    expect(await list(`per_page=2&cursor=${first.meta['next_cursor']}`)).toEqual(newest.slice(2))
    expect(await list(`spv_id=${other}`)).toEqual([ids[2]])
    await partner.send('DELETE', `${PATH}/${ids[0]}`)
    expect(await list('status=canceled')).toEqual([ids[0]])
    expect(refusalOf(await partner.send('GET', `${PATH}?status=open`))).toBe('400 invalid_request')
    expect(refusalOf(await partner.send('GET', `${PATH}?cursor=abc`))).toBe('400 invalid_request')
  })

  test('another app on the same company cannot list, read or cancel the session', async () => {
    const partner = await aPartner(site)
    const rival = await installOn(site, { company: partner.company })
    const { data } = await open(partner)
    expect((await rival.send('GET', PATH)).list).toEqual([])
    expect(refusalOf(await rival.send('GET', `${PATH}/${data.id}`))).toBe('404 not_found')
    expect(refusalOf(await rival.send('DELETE', `${PATH}/${data.id}`))).toBe('404 not_found')
    // If the other app creates a session for the same recipient, it gets a new one.
    const theirs = await open({ ...rival, offering: partner.offering }, { email: data.attributes['email'] })
    expect([theirs.status, theirs.data.id === data.id]).toEqual([201, false])
  })

  test('an app that was installed again finds, gets and can cancel its earlier sessions, and receives their events', async () => {
    const partner = await aPartner(site)
    const { data } = await open(partner)
    const again = await installedAgain(partner)
    expect((await again.send('GET', PATH)).list.map(({ id }) => id)).toEqual([data.id])
    expect((await again.send('GET', `${PATH}?status=pending`)).list.map(({ id }) => id)).toEqual([data.id])
    expect((await again.send('GET', `${PATH}/${data.id}`)).status).toBe(200)
    const repeated = await open(again, { email: data.attributes['email'] })
    expect([repeated.status, repeated.data.id]).toEqual([200, data.id])
    const canceled = await again.send('DELETE', `${PATH}/${data.id}`)
    expect(canceled.data.attributes['status']).toBe('canceled')
    const events = await site.db.sql(
      'select installation_id from test.events where investment_session_id = $1 and name = $2',
      [data.id, 'investment_session.canceled'],
    )
    expect(events).toEqual([{ installation_id: again.installation }])
  })

  test('by status: each session is listed once; a session past its time is listed as expired even before a worker has run', async () => {
    const partner = await aPartner(site)
    const [short, long, gone] = [await open(partner, { expires_in_hours: 1 }), await open(partner), await open(partner)]
    await partner.send('DELETE', `${PATH}/${gone.data.id}`)
    await advance(site.db, '61 minutes')
    const ids = async (status: string) =>
      (await partner.send('GET', `${PATH}?status=${status}`)).list.map(({ id, attributes }) => [
        id,
        attributes['status'],
      ])
    const all = async () => [await ids('pending'), await ids('expired'), await ids('canceled'), await ids('completed')]
    const expected = [[[long.data.id, 'pending']], [[short.data.id, 'expired']], [[gone.data.id, 'canceled']], []]
    expect(await all()).toEqual(expected)
    await run((tx) => expireDueSessions(tx, 100))
    expect(await all()).toEqual(expected)
  })

  test('404 in the other world', async () => {
    const { data } = await open(await aPartner(site))
    const live = await aPartner(site, { world: 'live' })
    expect(refusalOf(await live.send('GET', `${PATH}/${data.id}`))).toBe('404 not_found')
  })
})

describe('GET /partner/investment_sessions/{id}', () => {
  test('200 with the events up to the investment, oldest first', async () => {
    const partner = await aPartner(site)
    const { data } = await open(partner, { allocation_cents: 50_000 })
    const id = data.id as never
    const investor = await someone()
    const investment = await run(async (tx) => {
      const createdMs = Date.parse(data.attributes['created_at'] as string)
      const after = (minutes: number) => occasion(new Date(createdMs + minutes * 60_000).toISOString())
      await startInvestmentSession(tx, { id, userId: investor }, after(1))
      const played = { offering: partner.offering, investor, amount_cents: 50_000 as never }
      const made = await playInvestment(tx, played, { occasion: occasion(), crediting: REFERRAL_SETTINGS })
      await completeInvestmentSession(tx, { id, investmentId: made }, after(2))
      return made
    })
    const { attributes } = (await partner.send('GET', `${PATH}/${data.id}`)).data
    expect(attributes).toMatchObject({ status: 'completed', investment_id: investment })
    const events = attributes['events'] as readonly { id: string; event: string }[]
    expect(events.map(({ event }) => event)).toEqual([
      'investment_session.created',
      'investment_session.started',
      'investment_session.completed',
    ])
    expect(events.every(({ id: each }) => each.startsWith('evt_'))).toBe(true)
    expect(refusalOf(await partner.send('DELETE', `${PATH}/${data.id}`))).toBe('422 session_not_cancelable')
  })
})

describe('one app, installed on the company and on a syndicate that runs the offering', () => {
  const SESSIONS = 'read:investment_sessions'
  const PII = 'read:investors:pii'
  const BOTH = ['write:investment_sessions', PII]

  /** A session made through the syndicate’s installation. The company’s installation of the app has these scopes. */
  async function scene(scopes: readonly string[] = [SESSIONS]) {
    const syndicate = await aSyndicatePartner(site, { scopes: BOTH })
    const company = await companyOf(syndicate.offering)
    const onCompany = await installOn(site, { company }, { client: syndicate.client, scopes })
    const email = address()
    const { data } = await open(syndicate, { email })
    return { syndicate, company, onCompany, email, id: data.id, at: `${PATH}/${data.id}` }
  }
  const companyOf = async (offering: string) => {
    const [row] = await site.db.sql<{ company_id: never }>('select company_id from test.offerings where id = $1', [
      offering,
    ])
    if (row === undefined) throw new Error('there is no such offering')
    return row.company_id
  }
  type Sent = Awaited<ReturnType<Partner['send']>>
  const emailIn = ({ data }: Sent) => data.attributes['email']
  const listed = ({ list }: Sent) => list.map(({ id, attributes }) => [id, attributes['email']])

  test('both installations read the session, by id and in the list', async () => {
    const { syndicate, onCompany, email, id, at } = await scene()
    expect([emailIn(await syndicate.send('GET', at)), listed(await syndicate.send('GET', PATH))]).toEqual([
      email,
      [[id, email]],
    ])
    const read = await onCompany.send('GET', at)
    expect(read.status).toBe(200)
    expect(read.data).toMatchObject({ id, attributes: { status: 'pending', spv_id: syndicate.offering, email: null } })
    expect(read.data.attributes['events']).toMatchObject([{ event: 'investment_session.created' }])
    for (const query of ['', '?status=pending', `?spv_id=${syndicate.offering}`]) {
      expect(listed(await onCompany.send('GET', PATH + query))).toEqual([[id, null]])
    }
    expect(listed(await onCompany.send('GET', `${PATH}?status=canceled`))).toEqual([])
  })

  test('an installation that did not create the session sees its email only with read:investors:pii', async () => {
    const { company, syndicate, onCompany, email, id, at } = await scene([SESSIONS, PII])
    expect([emailIn(await onCompany.send('GET', at)), listed(await onCompany.send('GET', PATH))]).toEqual([
      email,
      [[id, email]],
    ])
    // The token needs the scope too. It is not enough that the installation has it.
    const { client } = syndicate
    await takeOff(onCompany.installation)
    const narrow = await installOn(site, { company }, { client, scopes: [SESSIONS] })
    await site.db.sql(`update test.installations set scopes = $2, pii_by = 'approval' where id = $1`, [
      narrow.installation,
      [SESSIONS, PII],
    ])
    expect(emailIn(await narrow.send('GET', at))).toBeNull()
  })

  test('the company’s installation lists its own sessions with the address; the syndicate’s installation does not list them', async () => {
    const { syndicate, onCompany, id } = await scene(['write:investment_sessions'])
    const own = await open({ send: onCompany.send, offering: syndicate.offering })
    expect(own.status).toBe(201)
    expect(listed(await onCompany.send('GET', PATH))).toEqual([
      [own.data.id, own.data.attributes['email']],
      [id, null],
    ])
    expect((await syndicate.send('GET', PATH)).list.map((one) => one.id)).toEqual([id])
    expect(refusalOf(await syndicate.send('GET', `${PATH}/${own.data.id}`))).toBe('404 not_found')
  })

  test('if the app creates a session for the same person through each installation, these are two sessions', async () => {
    const { syndicate, onCompany, email, id } = await scene(['write:investment_sessions'])
    const own = await open({ send: onCompany.send, offering: syndicate.offering }, { email })
    expect([own.status, own.data.id === id]).toEqual([201, false])
  })

  test('only the installation that created the session can cancel it', async () => {
    const { syndicate, onCompany, at } = await scene(BOTH)
    expect(refusalOf(await onCompany.send('DELETE', at))).toBe('403 forbidden')
    expect((await syndicate.send('GET', at)).data.attributes['status']).toBe('pending')
    expect((await syndicate.send('DELETE', at)).status).toBe(200)
    expect((await onCompany.send('GET', at)).data.attributes['status']).toBe('canceled')
    expect(refusalOf(await onCompany.send('DELETE', at))).toBe('403 forbidden')
  })

  test('the company’s installation reads the session also after the app was removed from the syndicate', async () => {
    const { syndicate, onCompany, at } = await scene()
    await takeOff(syndicate.installation)
    expect((await syndicate.send('GET', at)).status).toBe(401)
    expect((await onCompany.send('GET', at)).status).toBe(200)
  })

  test('the session is not readable without read:investment_sessions, and not through a revoked installation', async () => {
    const { onCompany, at } = await scene(['read:companies', PII])
    expect(refusalOf(await onCompany.send('GET', at))).toBe('403 insufficient_scope')
    expect(refusalOf(await onCompany.send('GET', PATH))).toBe('403 insufficient_scope')
    const other = await scene()
    await takeOff(other.onCompany.installation)
    expect((await other.onCompany.send('GET', other.at)).status).toBe(401)
  })

  test('the app’s other installations cannot read the session, and neither can other apps on the same company or syndicate', async () => {
    const { syndicate, company, at } = await scene()
    const { client } = syndicate
    const elsewhere = await aPartner(site, { client, scopes: BOTH })
    const second = await aSyndicatePartner(site, { client, scopes: BOTH })
    const rivals = [
      await installOn(site, { company }, { scopes: BOTH }),
      await installOn(site, { syndicate: syndicate.syndicate }, { scopes: BOTH }),
    ]
    for (const { send } of [elsewhere, second, ...rivals]) {
      expect(refusalOf(await send('GET', at))).toBe('404 not_found')
      expect(refusalOf(await send('DELETE', at))).toBe('404 not_found')
      expect((await send('GET', PATH)).list).toEqual([])
    }
  })

  test('the pages of the company’s list have the sessions of both installations, newest first', async () => {
    const { syndicate, onCompany, id } = await scene(['write:investment_sessions'])
    const made = [id]
    for (const send of [onCompany.send, syndicate.send, onCompany.send, syndicate.send]) {
      made.unshift((await open({ send, offering: syndicate.offering })).data.id)
    }
    const seen: string[] = []
    let cursor: unknown = ''
    do {
      const { list, meta } = await onCompany.send('GET', `${PATH}?per_page=2&cursor=${cursor}`)
      seen.push(...list.map((one) => one.id))
      cursor = meta?.['next_cursor']
    } while (cursor != null)
    expect(seen.toSorted()).toEqual(made.toSorted())
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('an app that was installed again reads its earlier sessions, but the address only with read:investors:pii', async () => {
    const partner = await aPartner(site, { scopes: BOTH })
    const email = address()
    const { data } = await open(partner, { email })
    const without = await installedAgain(partner, ['write:investment_sessions'])
    expect(emailIn(await without.send('GET', `${PATH}/${data.id}`))).toBeNull()
    expect((await open(without, { email })).data).toMatchObject({ id: data.id, attributes: { email: null } })
    const withIt = await installedAgain({ ...partner, installation: without.installation }, BOTH)
    expect(emailIn(await withIt.send('GET', `${PATH}/${data.id}`))).toBe(email)
  })
})

describe('DELETE /partner/investment_sessions/{id}', () => {
  test('200 and canceled; repeated requests cause no second event', async () => {
    const partner = await aPartner(site)
    const { data } = await open(partner)
    const cancel = () => partner.send('DELETE', `${PATH}/${data.id}`)
    expect([(await cancel()).data.attributes['status'], (await cancel()).status]).toEqual(['canceled', 200])
    const events = await site.db.sql('select id from test.events where investment_session_id = $1 and name = $2', [
      data.id,
      'investment_session.canceled',
    ])
    expect(events).toHaveLength(1)
  })

  test('a session past its time cannot be completed, even before a worker has run', async () => {
    const partner = await aPartner(site)
    const { data } = await open(partner, { expires_in_hours: 1 })
    const id = data.id as never
    const investor = await someone()
    await run((tx) => startInvestmentSession(tx, { id, userId: investor }, occasion()))
    const { expires_at } = data.attributes as { expires_at: never }
    const late = { ...occasion(), occurredAt: expires_at }
    const played = { offering: partner.offering, investor, amount_cents: 10_000 as never }
    const completing = run(async (tx) => {
      const investmentId = await playInvestment(tx, played, { occasion: occasion(), crediting: REFERRAL_SETTINGS })
      await completeInvestmentSession(tx, { id, investmentId }, late)
    })
    await expect(completing).rejects.toMatchObject({ type: 'illegal_transition' })
  })

  test('422 session_not_cancelable for a session past its time, before and after a worker has run', async () => {
    const partner = await aPartner(site)
    const { data } = await open(partner, { expires_in_hours: 1 })
    await advance(site.db, '61 minutes')
    const at = `${PATH}/${data.id}`
    expect((await partner.send('GET', at)).data.attributes['status']).toBe('expired')
    expect(refusalOf(await partner.send('DELETE', at))).toBe('422 session_not_cancelable')
    await run((tx) => expireDueSessions(tx, 100))
    expect(refusalOf(await partner.send('DELETE', at))).toBe('422 session_not_cancelable')
    const { attributes } = (await partner.send('GET', at)).data
    expect((attributes['events'] as { event: string }[]).at(-1)?.event).toBe('investment_session.expired')
  })
})
