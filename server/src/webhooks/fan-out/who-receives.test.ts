import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelopeSchema } from '#events/http.ts'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import { type FanStage, openFanStage, type Place } from './testing/stage.ts'

/**
 * Who receives which event, for every row of the specification's part Events. Each event is recorded with all subjects
 * at once (company, syndicate, user, installation, app), and all kinds of receivers are subscribed to it.
 */
const INVESTMENT = ['mine on company', 'mine on user', 'other on company', 'other on user']
const COMPANY = ['mine on company', 'other on company']
const SYNDICATE = ['mine on syndicate', 'other on syndicate']
const MINE_ALONE = ['mine on company']

/**
 * The installation that the event names, or the connection of the user that the event names. A real event of an intent
 * names either an installation or a user, never both.
 */
const PROPOSER = ['mine on company', 'mine on user']

const RECEIVERS: Readonly<Record<EventName, readonly string[]>> = {
  'investment.created': INVESTMENT,
  'investment.reinstated': INVESTMENT,
  'investment.canceled': INVESTMENT,
  'investment.converted': INVESTMENT,
  'investment.amount_changed': INVESTMENT,
  'investment.executed': INVESTMENT,
  'investment.changed': INVESTMENT,
  'offering.opened': COMPANY,
  'offering.closing': COMPANY,
  'offering.closed': COMPANY,
  'offering.canceled': COMPANY,
  'investment_session.created': MINE_ALONE,
  'investment_session.started': MINE_ALONE,
  'investment_session.completed': MINE_ALONE,
  'investment_session.expired': MINE_ALONE,
  'investment_session.canceled': MINE_ALONE,
  'syndicate_member.invited': SYNDICATE,
  'syndicate_member.reinvited': SYNDICATE,
  'syndicate_member.applied': SYNDICATE,
  'syndicate_member.approved': SYNDICATE,
  'syndicate_member.joined': SYNDICATE,
  'syndicate_member.left': SYNDICATE,
  'syndicate_member.declined': SYNDICATE,
  'join_session.pending_approval': SYNDICATE,
  'join_session.completed': SYNDICATE,
  'join_session.rejected': SYNDICATE,
  'join_session.ineligible': SYNDICATE,
  'join_session.canceled': SYNDICATE,
  'join_session.expired': SYNDICATE,
  'installation.created': MINE_ALONE,
  'installation.revoked': MINE_ALONE,
  'investment.referred': MINE_ALONE,
  'referral_cohorts.published': ['mine as such'],
  'intent.approved': PROPOSER,
  'intent.rejected': PROPOSER,
  'intent.expired': PROPOSER,
  'intent.executed': PROPOSER,
  'intent.failed': PROPOSER,
}

/** "installation.revoked: app-wide endpoints only"; "referral_cohorts.published reaches app-wide endpoints only". */
const APP_WIDE_ONLY: readonly EventName[] = ['installation.revoked', 'referral_cohorts.published']

const ALL_SCOPES = [
  'read:companies',
  'read:investments',
  'read:syndicates',
  'read:investment_sessions',
  'read:attribution:anonymized',
]

/** The scope that each kind of receiver needs, as the specification says it. */
const NEEDS: readonly (readonly [EventName, 'company' | 'syndicate' | 'user', string])[] = [
  ['investment.created', 'company', 'read:companies'],
  ['investment.created', 'user', 'read:investments'],
  ['investment.changed', 'company', 'read:investments'],
  ['investment.changed', 'user', 'read:investments'],
  ['offering.opened', 'company', 'read:companies'],
  ['investment_session.created', 'company', 'read:investment_sessions'],
  ['syndicate_member.joined', 'syndicate', 'read:syndicates'],
  ['join_session.completed', 'syndicate', 'read:syndicates'],
  ['investment.referred', 'company', 'read:attribution:anonymized'],
]

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

async function places() {
  return { company: await stage.company(), syndicate: await stage.syndicate(), user: await stage.user() }
}

const about = ({ company, syndicate, user }: Awaited<ReturnType<typeof places>>) =>
  ({ companyId: company, syndicateId: syndicate, userId: user }) as const

const each = ({ company, syndicate, user }: Awaited<ReturnType<typeof places>>) =>
  [
    ['company', { company }],
    ['syndicate', { syndicate }],
    ['user', { user }],
  ] as const satisfies readonly (readonly [string, Place])[]

describe('the receivers of an event', () => {
  test.each(EVENT_NAMES)(
    '%s reaches only receivers that it concerns, each through its own installation',
    async (name) => {
      const here = await places()
      const elsewhere = await places()
      const apps = { mine: await stage.app(), other: await stage.app(), narrow: await stage.app() }
      const called = new Map<string | null, string>([[null, 'mine as such']])
      const bound = new Map<string, string>()
      const installed = async (app: keyof typeof apps, at: typeof here, scopes: readonly string[], where: string) => {
        for (const [type, place] of each(at)) {
          const id = await stage.install(apps[app], place, scopes)
          called.set(id, `${app} ${where} ${type}`)
          bound.set(await stage.listen(apps[app], { boundTo: id }), id)
        }
      }
      await installed('mine', here, [...ALL_SCOPES, 'write:syndicates'], 'on')
      await installed('mine', elsewhere, ALL_SCOPES, 'on another')
      await installed('other', here, ALL_SCOPES, 'on')
      await installed('narrow', here, ['read:profile'], 'on')
      const wide = [await stage.listen(apps.mine), await stage.listen(apps.other), await stage.listen(apps.narrow)]
      await stage.listen(apps.mine, { world: 'live' })
      const mine = [...called].find(([, label]) => label === 'mine on company')?.[0] as Id<'installation'>
      await stage.happen(name, { ...about(here), installationId: mine, appId: apps.mine })

      const sent = await stage.deliveries(...Object.values(apps))
      const label = ({ installation }: (typeof sent)[number]) => called.get(installation)
      expect(sent.filter(({ refused }) => refused !== null)).toEqual([])
      for (const { envelope } of sent) expect(Value.Errors(envelopeSchema(name), envelope)).toEqual([])
      const toWide = sent.filter(({ endpoint }) => wide.includes(endpoint))
      expect(toWide.map(label).toSorted()).toEqual([...RECEIVERS[name]])
      const toBound = sent.filter(({ endpoint }) => bound.has(endpoint))
      expect(toBound.map(label).toSorted()).toEqual(APP_WIDE_ONLY.includes(name) ? [] : [...RECEIVERS[name]])
      for (const { endpoint, installation } of toBound) expect(bound.get(endpoint)).toBe(installation)
      expect(sent).toHaveLength(toWide.length + toBound.length)
    },
  )
})

describe('the scope that a receiver needs', () => {
  test.each(NEEDS)(
    '%s to an installation on a %s requires %s; all other scopes together are not enough',
    async (name, type, scope) => {
      const here = await places()
      const [app, without] = [await stage.app(), await stage.app()]
      const place = each(here).find(([kind]) => kind === type)?.[1] as Place
      const id = await stage.install(app, place, [scope])
      const lesser = await stage.install(
        without,
        place,
        ALL_SCOPES.filter((one) => one !== scope),
      )
      await stage.listen(app)
      await stage.listen(without)
      await stage.happen(name, { ...about(here), installationId: id, appId: app })
      await stage.happen(name, { ...about(here), installationId: lesser, appId: without })
      expect(await stage.deliveries(without)).toEqual([])
      const others = name === 'investment_session.created' || name === 'investment.referred'
      expect(await stage.deliveries(app)).toHaveLength(others ? 1 : 2)
    },
  )

  test.each([
    ['offering.opened', 'company', 'read:offerings'],
    ['offering.opened', 'company', 'write:offerings'],
    ['offering.opened', 'company', 'write:companies'],
    ['syndicate_member.joined', 'syndicate', 'write:syndicates'],
    ['investment.changed', 'user', 'write:investments'],
    ['investment_session.created', 'company', 'write:investment_sessions'],
    ['investment.referred', 'company', 'read:attribution:full'],
  ] as const)(
    '%s to an installation on a %s: %s is enough, because it is a retired name of the required scope or implies that scope',
    async (name, type, scope) => {
      const here = await places()
      const app = await stage.app()
      const id = await stage.install(app, each(here).find(([kind]) => kind === type)?.[1] as Place, [scope])
      await stage.listen(app)
      await stage.happen(name, { ...about(here), installationId: id, appId: app })
      expect(await stage.deliveries(app)).toMatchObject([{ installation: id, refused: null }])
    },
  )

  test('installation events need no scope', async () => {
    const app = await stage.app()
    const id = await stage.install(app, { user: await stage.user() }, ['read:profile'])
    await stage.listen(app)
    await stage.happen('installation.created', { installationId: id })
    expect(await stage.deliveries(app)).toMatchObject([{ installation: id, refused: null }])
  })
})

describe('a session and a referral code', () => {
  test('a session that was created by an installation on another company has no receiver', async () => {
    const app = await stage.app()
    const id = await stage.install(app, { company: await stage.company() }, ALL_SCOPES)
    await stage.listen(app)
    await stage.happen('investment_session.created', { companyId: await stage.company(), installationId: id })
    expect(await stage.deliveries(app)).toEqual([])
  })

  test('a session that no installation created has no receiver', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company }, ALL_SCOPES)
    await stage.listen(app)
    await stage.happen('investment_session.started', { companyId: company })
    expect(await stage.deliveries(app)).toEqual([])
  })

  test('the owner of a code receives nothing without an installation on the company', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company: await stage.company() }, ALL_SCOPES)
    await stage.install(app, { user: await stage.user() }, ALL_SCOPES)
    await stage.listen(app)
    await stage.happen('investment.referred', { companyId: company, appId: app })
    expect(await stage.deliveries(app)).toEqual([])
  })

  test('published cohorts are sent to their own app, even if it is installed nowhere, and to no other app', async () => {
    const [app, other] = [await stage.app(), await stage.app()]
    const endpoint = await stage.listen(app)
    await stage.listen(other)
    await stage.happen('referral_cohorts.published', { appId: app })
    expect(await stage.deliveries(app, other)).toMatchObject([{ endpoint, installation: null, refused: null }])
  })
})

describe('the events of an intent', () => {
  const data = (action: string) => ({
    data: { id: 'int_example', action, status: 'approved', resource: { type: 'company', id: 'com_example' } },
  })

  test('are sent only through the proposing installation, while that installation has the scope of the action', async () => {
    const app = await stage.app()
    const syndicate = await stage.syndicate()
    const proposing = await stage.install(app, { syndicate }, ['write:syndicates'])
    const beside = await stage.install(app, { syndicate: await stage.syndicate() }, ['write:syndicates'])
    await stage.listen(app)
    const subject = { installationId: proposing, appId: app }
    await stage.happen('intent.approved', subject, data('syndicates.publish'))
    await stage.happen('intent.approved', subject, data('comments.create'))
    await stage.happen('intent.approved', subject, data('no.such_action'))
    const sent = await stage.deliveries(app)
    expect(sent.map(({ installation }) => installation)).toEqual([proposing])
    expect(sent[0]?.installation).not.toBe(beside)
    await stage.db.sql(`update test.installations set scopes = '{read:syndicates}' where id = $1`, [proposing])
    expect((await stage.deliveries(app)).map(({ refused }) => refused)).toEqual(['scope_missing'])
  })

  test('are sent through the proposing user’s current connection with the same app', async () => {
    const [app, other] = [await stage.app(), await stage.app()]
    const user = await stage.user()
    const connection = await stage.install(app, { user }, ['write:comments'])
    await stage.install(other, { user }, ['write:comments'])
    await stage.listen(app)
    await stage.listen(other)
    await stage.happen('intent.rejected', { userId: user, appId: app }, data('comments.create'))
    expect(await stage.deliveries(app, other)).toMatchObject([{ installation: connection, refused: null }])
  })
})

describe('wildcards', () => {
  test('wildcards cover their group, or all events', async () => {
    const app = await stage.app()
    const { company, syndicate } = await places()
    await stage.install(app, { company }, ALL_SCOPES)
    await stage.install(app, { syndicate }, ALL_SCOPES)
    const group = await stage.listen(app, { events: ['investment.*'] })
    const all = await stage.listen(app, { events: ['offering.opened', '*'] })
    const subject = { companyId: company, syndicateId: syndicate }
    await stage.happen('investment.created', subject)
    await stage.happen('offering.opened', subject)
    await stage.happen('syndicate_member.joined', subject)
    const sent = (await stage.deliveries(app)).map(({ endpoint, envelope }) => `${endpoint} ${envelope['event']}`)
    expect(sent.toSorted()).toEqual(
      [
        `${group} investment.created`,
        ...['investment.created', 'offering.opened', 'syndicate_member.joined'].map((name) => `${all} ${name}`),
      ].toSorted(),
    )
  })

  test('wildcards cover only events of the app’s API version: only the newest version has events of intents', async () => {
    const [old, newest] = [await stage.app(), await stage.app()]
    await stage.db.sql(`update platform.apps set api_version = '2026-10-01' where id = $1`, [old])
    for (const app of [old, newest]) {
      const installation = await stage.install(app, { syndicate: await stage.syndicate() }, ['write:syndicates'])
      await stage.listen(app, { events: ['*'] })
      await stage.happen('intent.executed', { installationId: installation, appId: app })
    }
    expect(await stage.deliveries(old)).toEqual([])
    expect(await stage.deliveries(newest)).toHaveLength(1)
  })
})
