import { describe, expect, test } from 'vitest'
import { carriesInstallation, EVENT_CATALOGUE, EVENT_NAMES } from './catalogue.ts'
import { EVENT_DATA, EVENT_EXAMPLES, type EventName } from './event-data.ts'

/**
 * Each event of the specification: its group, its receivers with their scopes, and whether only app-wide endpoints
 * receive it.
 */
const LIFECYCLE = 'investment: company with read:companies, user with read:investments'
const SYNC = 'investment_sync: company with read:investments, user with read:investments'
const OFFERING = 'offering: company with read:companies'
const SESSION =
  'investment_session: session_company with read:investment_sessions, session_creator with read:investment_sessions'
const MEMBER = 'syndicate_member: syndicate with read:syndicates'
const JOIN = 'join_session: syndicate with read:syndicates'
const SPECIFIED: Readonly<Record<EventName, string>> = {
  'investment.created': LIFECYCLE,
  'investment.reinstated': LIFECYCLE,
  'investment.canceled': LIFECYCLE,
  'investment.converted': LIFECYCLE,
  'investment.amount_changed': LIFECYCLE,
  'investment.executed': LIFECYCLE,
  'investment.changed': SYNC,
  'offering.opened': OFFERING,
  'offering.closing': OFFERING,
  'offering.closed': OFFERING,
  'offering.canceled': OFFERING,
  'investment_session.created': SESSION,
  'investment_session.started': SESSION,
  'investment_session.completed': SESSION,
  'investment_session.expired': SESSION,
  'investment_session.canceled': SESSION,
  'syndicate_member.invited': MEMBER,
  'syndicate_member.reinvited': MEMBER,
  'syndicate_member.applied': MEMBER,
  'syndicate_member.approved': MEMBER,
  'syndicate_member.joined': MEMBER,
  'syndicate_member.left': MEMBER,
  'syndicate_member.declined': MEMBER,
  'join_session.pending_approval': JOIN,
  'join_session.completed': JOIN,
  'join_session.rejected': JOIN,
  'join_session.ineligible': JOIN,
  'join_session.canceled': JOIN,
  'join_session.expired': JOIN,
  'installation.created': 'installation: itself with no scope',
  'installation.revoked': 'installation: itself with no scope, app_wide',
  'investment.referred': 'referral: code_owner with read:attribution:anonymized',
  'referral_cohorts.published': 'referral: app with no scope, app_wide',
  'intent.approved': 'intent: proposer with no scope',
  'intent.rejected': 'intent: proposer with no scope',
  'intent.expired': 'intent: proposer with no scope',
  'intent.executed': 'intent: proposer with no scope',
  'intent.failed': 'intent: proposer with no scope',
}

describe('the catalogue of events', () => {
  test('has exactly the events of the specification, in its order, and the events of intents', () => {
    expect(EVENT_NAMES).toEqual(Object.keys(SPECIFIED))
    expect(Object.keys(EVENT_DATA)).toEqual(EVENT_NAMES)
    expect(Object.keys(EVENT_EXAMPLES)).toEqual(EVENT_NAMES)
  })

  test.each(EVENT_NAMES)('%s has the specified audience, scope and receiving endpoints', (name) => {
    const { group, audience, endpoints } = EVENT_CATALOGUE[name]
    const receivers = audience.map(({ through, scope }) => `${through} with ${scope ?? 'no scope'}`)
    const limited = endpoints === 'app_wide' ? ', app_wide' : ''
    expect(`${group}: ${receivers.join(', ')}${limited}`).toBe(SPECIFIED[name])
  })

  test.each(EVENT_NAMES)('%s has its own name and a sentence about what happened', (name) => {
    expect(EVENT_CATALOGUE[name].name).toBe(name)
    expect(EVENT_CATALOGUE[name].description).toMatch(/^[A-Z].*\.$/)
  })

  test('occurred_at is present on every investment event except investment.executed', () => {
    const lifecycle = EVENT_NAMES.filter((name) => EVENT_CATALOGUE[name].group === 'investment')
    const without = lifecycle.filter((name) => !EVENT_CATALOGUE[name].occurredAt)
    expect(without).toEqual(['investment.executed'])
  })

  test('events with occurred_at are about investments, memberships, join sessions, installations and intents', () => {
    const groups = new Set(
      EVENT_NAMES.filter((name) => EVENT_CATALOGUE[name].occurredAt).map((name) => EVENT_CATALOGUE[name].group),
    )
    expect(groups).toEqual(new Set(['investment', 'syndicate_member', 'join_session', 'installation', 'intent']))
  })

  test('Every event except referral_cohorts.published carries installation', () => {
    expect(EVENT_NAMES.filter((name) => !carriesInstallation(name))).toEqual(['referral_cohorts.published'])
  })
})
