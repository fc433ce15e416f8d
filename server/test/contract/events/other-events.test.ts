import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendEvent, type EventName, type NewEvent } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { consent } from '../flow.ts'
import { aCompanyOf, aSyndicateOf, type Target } from '../installing.ts'
import type { App, Person } from '../stage.ts'
import {
  anInvestment,
  anOffering,
  type Envelope,
  type EventStage,
  eventsIn,
  type Listener,
  named,
  openEventStage,
} from './stage.ts'

/** The specification's "Offering events", "Investment session events", "Installation events" and "Referral events". */

let stage: EventStage
let founder: Person
let investor: Person
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
})
afterAll(() => stage.close())

let on: Target
let company: string
beforeEach(async () => {
  on = await aCompanyOf(stage, founder)
  company = on.target_id
})

type Installed = Listener & { readonly app: App; readonly installation: string }

async function onCompany(scopes: readonly string[], target = on): Promise<Installed> {
  const app = await stage.partner(scopes)
  const installation = await stage.install(app, founder, target)
  return { ...(await stage.listen(app)), app, installation }
}

describe('Offering events', () => {
  const OFFERING_EVENTS = ['offering.opened', 'offering.closing', 'offering.closed', 'offering.canceled'] as const
  const offerings = async (listener: Listener) => named(await listener.received(), ...OFFERING_EVENTS)

  test('are delivered to apps installed on the offering’s company (requires read:companies)', async () => {
    const [hears, without] = [await onCompany(['read:companies']), await onCompany(['read:investments'])]
    const elsewhere = await onCompany(['read:companies'], await aCompanyOf(stage, founder))
    const [one, two] = [await anOffering(stage, company), await anOffering(stage, company)]
    await stage.sendFact('offering.closing', { id: one })
    await stage.sendFact('offering.closed', { id: one })
    await stage.sendFact('offering.canceled', { id: two })
    expect((await offerings(hears)).map(({ event, data }) => [event, data['offering'], data['status']])).toEqual([
      ['offering.opened', one, 'open'],
      ['offering.opened', two, 'open'],
      ['offering.closing', one, 'closing'],
      ['offering.closed', one, 'closed'],
      ['offering.canceled', two, 'canceled'],
    ])
    for (const deaf of [without, elsewhere]) expect(await offerings(deaf)).toEqual([])
  })

  test('canceled cancels the investments of the offering, each with its own investment.canceled', async () => {
    const listener = await onCompany(['read:companies'])
    const offering = await anOffering(stage, company)
    const ids = [await anInvestment(stage, { offering, investor }), await anInvestment(stage, { offering, investor })]
    await stage.sendFact('offering.canceled', { id: offering })
    const canceled = named(await listener.received(), 'investment.canceled')
    expect(canceled.map(({ data }) => data['id']).toSorted()).toEqual(ids.toSorted())
  })
})

describe('Investment session events', () => {
  const SESSION_EVENTS = [
    'investment_session.created',
    'investment_session.started',
    'investment_session.completed',
    'investment_session.expired',
    'investment_session.canceled',
  ] as const
  const SCOPE = 'read:investment_sessions'
  const sessions = async (listener: Listener) => named(await listener.received(), ...SESSION_EVENTS)

  async function created(offering: string, installation: string): Promise<string> {
    const id = newId('investmentSession')
    const expires_at = '2099-01-01T00:00:00.000000Z'
    const who = { email: investor.email, allocation_cents: 25_000 }
    await stage.sendFact('investment_session.created', { id, offering, installation, ...who, expires_at })
    return id
  }

  test('are delivered only to the app that created the session, never to other apps on the company', async () => {
    const [creator, other] = [await onCompany([SCOPE]), await onCompany([SCOPE])]
    const offering = await anOffering(stage, company)
    const id = await created(offering, creator.installation)
    await stage.sendFact('investment_session.started', { id, user: investor.user })
    const investment = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.confirmed', { id: investment })
    await stage.sendFact('investment_session.completed', { id, investment })
    const every = {
      ...{ id, offering, email: investor.email, allocation_cents: 25_000 },
      expires_at: '2099-01-01T00:00:00.000000Z',
    }
    expect((await sessions(creator)).map(({ event, data }) => [event, data])).toEqual([
      ['investment_session.created', { ...every, status: 'pending' }],
      ['investment_session.started', { ...every, status: 'in_progress' }],
      ['investment_session.completed', { ...every, status: 'completed', investment }],
    ])
    expect(await sessions(other)).toEqual([])
  })

  test('include expired and canceled, through the app’s install on the session’s company', async () => {
    const creator = await onCompany([SCOPE])
    const offering = await anOffering(stage, company)
    await stage.sendFact('investment_session.expired', { id: await created(offering, creator.installation) })
    await stage.sendFact('investment_session.canceled', { id: await created(offering, creator.installation) })
    const seen = await sessions(creator)
    expect(seen.map(({ event, data }) => [event, data['status']])).toEqual([
      ['investment_session.created', 'pending'],
      ['investment_session.expired', 'expired'],
      ['investment_session.created', 'pending'],
      ['investment_session.canceled', 'canceled'],
    ])
    for (const { installation } of seen) expect(installation?.target).toEqual({ type: 'company', id: company })
  })

  test('go through the app’s install on the company if that install has the scope at the time of the event, else through the creating install', async () => {
    const offering = await anOffering(stage, company)
    const syndicate = await aSyndicateOf(stage, founder)
    const app = await stage.partner([SCOPE])
    const creator = await stage.install(app, founder, syndicate)
    const listener = await stage.listen(app)
    const rival = await onCompany([SCOPE])
    const id = await created(offering, creator)
    const installation = await stage.install(app, founder, on)
    await stage.sendFact('investment_session.started', { id, user: investor.user })
    await stage.settle()
    const { access_token } = await consent(stage, app.key, founder, { scope: 'write:installations' })
    expect((await stage.api(access_token)('DELETE', `/installations/${installation}`)).status).toBe(200)
    await stage.sendFact('investment_session.canceled', { id })
    const seen = await sessions(listener)
    expect(seen.map((one) => [one.event, one.installation?.id, one.data['email']])).toEqual([
      ['investment_session.created', creator, investor.email],
      // "Through the one that did not create it, email only with read:investors:pii."
      ['investment_session.started', installation, null],
      ['investment_session.canceled', creator, investor.email],
    ])
    expect(seen[1]?.installation?.target).toEqual({ type: 'company', id: company })
    expect(await sessions(rival)).toEqual([])
  })

  test('require read:investment_sessions', async () => {
    const creator = await onCompany(['read:companies'])
    await created(await anOffering(stage, company), creator.installation)
    expect(await sessions(creator)).toEqual([])
  })
})

describe('Installation events', () => {
  const INSTALLATION_EVENTS = ['installation.created', 'installation.revoked'] as const
  const receivedBy = async (listener: Listener) => named(await listener.received(), ...INSTALLATION_EVENTS)
  const targetOf = ({ data }: Envelope) => (data['target'] as { type: string }).type
  /**
   * Leaves out the event of the user's connection: a person who installs an app has connected it to their account first.
   */
  const ofCompany = async (listener: Listener) =>
    (await receivedBy(listener)).filter((one) => targetOf(one) === 'company')

  test('are delivered to the installation’s app with all fields, and need no read scope', async () => {
    const app = await stage.partner(['read:companies', 'read:investors:pii'])
    const other = await stage.listen(await stage.partner([]))
    const listener = await stage.listen(app)
    const id = await stage.install(app, founder, on)
    const [created] = await ofCompany(listener)
    expect(created).toMatchObject({ installation: { id, target: { type: 'company', id: company } } })
    // "tier and scopes show what was granted, which can be less than requested": PII was not granted.
    expect(created?.data).toEqual({
      id,
      status: 'active',
      target: { type: 'company', id: company, name: 'Analytical Engines' },
      tier: 'founder',
      scopes: ['read:companies', 'write:webhooks', 'read:installations', 'write:installations'],
      installed_at: expect.stringMatching(/Z$/),
      installed_by: { role: 'founder' },
      occurred_at: expect.stringMatching(/\.\d{6}Z$/),
    })
    expect(await receivedBy(other)).toEqual([])
  })

  test('revoked goes only to app-wide endpoints, with the created fields plus revoked_at and revoked_by.role', async () => {
    const { app, installation, ...wide } = await onCompany(['read:companies'])
    const bound = await stage.listen(app, { events: ['offering.opened'], installation_id: installation })
    const { access_token } = await consent(stage, app.key, founder, { scope: 'write:installations' })
    expect((await stage.api(access_token)('DELETE', `/installations/${installation}`)).status).toBe(200)
    await anOffering(stage, company)
    const [revoked, ...more] = await ofCompany(wide)
    expect(more).toEqual([])
    expect(eventsIn(await wide.received())).not.toContain('offering.opened')
    expect(revoked?.data).toMatchObject({
      id: installation,
      status: 'revoked',
      target: { type: 'company', id: company, name: 'Analytical Engines' },
      revoked_at: expect.stringMatching(/Z$/),
      revoked_by: { role: 'founder' },
    })
    expect(await bound.received()).toEqual([])
    const bodies = { url: 'https://hooks.example.org/', events: ['installation.revoked'] }
    const again = await stage.install(app, founder, on)
    const refused = await (await stage.manage(app))('POST', '/webhook_endpoints', { ...bodies, installation_id: again })
    expect([refused.status, refused.error.type]).toEqual([422, 'validation_error'])
    // "A reinstall creates a new inst_ id."
    expect(again).not.toBe(installation)
  })

  test('have the role manager for a syndicate and the role user for a user; the target of a user has no name', async () => {
    const app = await stage.partner(['read:syndicates'])
    const listener = await stage.listen(app)
    await stage.install(app, founder, await aSyndicateOf(stage, founder))
    const seen = await receivedBy(listener)
    const dataFor = (type: string) => seen.find((one) => targetOf(one) === type)?.data
    expect(dataFor('syndicate')).toMatchObject({ tier: 'manager', installed_by: { role: 'manager' } })
    expect(dataFor('user')).toMatchObject({
      tier: 'user',
      installed_by: { role: 'user' },
      target: { type: 'user', id: founder.user, name: null },
    })
  })

  test('have revoked_by.role partner for the app’s own team, and the platform’s name for the platform’s staff', async () => {
    const [mine, staffs] = [await onCompany(['read:companies']), await onCompany(['read:companies'])]
    const owner = await consent(stage, mine.app.key, mine.app.team.owner, { scope: 'write:installations' })
    await stage.api(owner.access_token)('DELETE', `/installations/${mine.installation}`)
    await stage.operator('DELETE', `/platform/installations/${staffs.installation}`, undefined, 'test')
    const roles = async (listener: Listener) => (await ofCompany(listener)).map(({ data }) => data['revoked_by'])
    expect(await roles(mine)).toEqual([{ role: 'partner' }])
    expect(await roles(staffs)).toEqual([{ role: 'wefunder' }])
  })
})

describe('Referral events', () => {
  const recordEvent = (name: EventName, subject: NewEvent['subject'], data: NewEvent['data']) =>
    stage.service.db.databases.test.transaction((tx) => {
      const occasion = occasionAt()
      return appendEvent(tx, { name, subject, occurredAt: occasion.occurredAt, data }, occasion)
    })

  test('include referral_cohorts.published for app-wide endpoints only, without an installation block', async () => {
    const { app, installation, ...wide } = await onCompany(['read:companies'])
    const bound = await stage.listen(app, { events: ['offering.opened'], installation_id: installation })
    const other = await onCompany(['read:companies'])
    const data = { week: '2026-W02', published_at: '2026-01-12T06:00:00Z' }
    await recordEvent('referral_cohorts.published', { appId: app.id as Id<'app'> }, data)
    const [published] = named(await wide.received(), 'referral_cohorts.published')
    expect(published).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'referral_cohorts.published',
      created_at: expect.any(String),
      mode: 'test',
      data,
    })
    expect(await bound.received()).toEqual([])
    expect(eventsIn(await other.received())).not.toContain('referral_cohorts.published')
  })

  test('never include investment.referred for an app without read:attribution:anonymized on the company', async () => {
    const listener = await onCompany(['read:companies', 'read:investments', 'read:referral_codes'])
    const row = {
      ...{ investment_token: 'a', investor_token: 'b', week: '2026-W02', amount_tier: 'small' },
      ...{ status: 'active', time_to_invest: 'direct', referral_code: newId('referralCode'), company },
    }
    const subject = { appId: listener.app.id as Id<'app'>, companyId: company as Id<'company'> }
    await recordEvent('investment.referred', subject, row)
    expect(eventsIn(await listener.received())).not.toContain('investment.referred')
  })
})
