import { describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { EVENT_EXAMPLES } from '#events/http.ts'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import { VERSIONS } from '#http/versions.ts'
import { newId } from '#kernel/ids.ts'
import { givesScope, namesGiving, type ProjectedEvent, type ReceivingInstallation } from './entitlement.ts'
import { type Projecting, project, visibleData } from './project.ts'

const app = { id: newId('app'), active: true }
const company = newId('company')
const installation: ReceivingInstallation = {
  id: newId('installation'),
  state: 'active',
  target: { type: 'company', id: company },
  scopes: [...SCOPE_NAMES],
}

function eventOf(name: EventName, about: Partial<ProjectedEvent> = {}): ProjectedEvent {
  const { occurred_at, ...data } = EVENT_EXAMPLES[name] as Readonly<Record<string, unknown>>
  const times = { created_at: '2026-06-01T12:00:00.000001Z', occurred_at: '2026-06-01T12:00:00.000000Z' }
  const nothing = {
    company_id: null,
    syndicate_id: null,
    user_id: null,
    installation_id: null,
    app_id: null,
    hidden: false,
    identity_only: false,
  }
  return { id: newId('event'), name, ...times, ...nothing, data: JSON.stringify(data), identity: null, ...about }
}

const projectionOf = (event: ProjectedEvent, more: Partial<Projecting> = {}) =>
  project({ event, app, installation, version: '2026-11-01', mode: 'live', ...more })

const opened = eventOf('offering.opened', { company_id: company })

describe('receivers that do not get an event, with the reason', () => {
  test.each([
    [
      'a user’s own connection while the user’s account is disabled',
      opened,
      { installation: { ...installation, accountDisabled: true } },
      'account_disabled',
    ],
    ['a suspended or disabled app', opened, { app: { ...app, active: false } }, 'app_inactive'],
    [
      'an installation on another company',
      eventOf('offering.opened', { company_id: newId('company') }),
      {},
      'not_concerned',
    ],
    ['the app without an installation, if the event needs one', opened, { installation: null }, 'not_concerned'],
    [
      'another app than the one whose cohorts were published',
      eventOf('referral_cohorts.published', { app_id: newId('app') }),
      { installation: null },
      'not_concerned',
    ],
    [
      'an installation, if the event is about the app',
      eventOf('referral_cohorts.published', { app_id: app.id }),
      {},
      'not_concerned',
    ],
    ['a revoked installation', opened, { installation: { ...installation, state: 'revoked' } }, 'installation_revoked'],
    [
      'an installation without the scope',
      opened,
      { installation: { ...installation, scopes: ['read:investments'] } },
      'scope_missing',
    ],
    [
      'an installation with only unknown scopes',
      opened,
      { installation: { ...installation, scopes: ['read:unknown'] } },
      'scope_missing',
    ],
    [
      'the company, if the investment is hidden from it',
      eventOf('investment.created', { company_id: company, hidden: true }),
      {},
      'not_visible',
    ],
  ] as const)('%s', (_, event, more, refused) => {
    expect(projectionOf(event, more)).toEqual({ refused })
  })

  test('of a hidden investment the investor gets all events, and the company only investment.changed', () => {
    const user = newId('user')
    const hidden = { company_id: company, user_id: user, hidden: true }
    const own = { ...installation, target: { type: 'user', id: user } } as const
    expect(projectionOf(eventOf('investment.created', hidden), { installation: own })).toHaveProperty('body')
    expect(projectionOf(eventOf('investment.changed', hidden))).toHaveProperty('body')
    expect(projectionOf(eventOf('investment.created', { ...hidden, hidden: false }))).toHaveProperty('body')
  })

  test('a revoked installation gets the event of its revocation', () => {
    const event = eventOf('installation.revoked', { installation_id: installation.id })
    expect(projectionOf(event, { installation: { ...installation, state: 'revoked', scopes: [] } })).toHaveProperty(
      'body',
    )
  })
})

describe('the names that include a scope', () => {
  test('are the scope itself, scopes that imply it, and its retired names', () => {
    expect(new Set(namesGiving('read:companies'))).toEqual(
      new Set(['read:companies', 'write:companies', 'read:offerings', 'write:offerings', 'read:mcp']),
    )
    expect(givesScope(['read:offerings'], 'read:companies')).toBe(true)
    expect(givesScope(['read:companies'], 'read:offerings')).toBe(false)
    expect(givesScope([], 'read:companies')).toBe(false)
  })
})

describe('the data that is sent', () => {
  const rights = { email: true, totals: true, identityFields: true, recipient: true }

  test.each(EVENT_NAMES)('of %s is the same JSON in every version', (name) => {
    const texts = VERSIONS.map((version) => visibleData(eventOf(name), { rights, version }))
    expect(new Set(texts).size).toBe(1)
    const data = JSON.parse(texts[0] ?? '') as object
    expect(Object.keys(data).toSorted()).toEqual(Object.keys(EVENT_EXAMPLES[name]).toSorted())
  })

  test('is converted only for versions older than the conversion, and only for the events that the conversion lists', () => {
    const steps = [
      {
        before: '2026-11-01',
        events: ['offering.opened'],
        data: ({ status, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, state: status }),
      },
    ] as const
    const seen = (name: EventName, version: (typeof VERSIONS)[number]) =>
      JSON.parse(visibleData(eventOf(name), { rights, version, steps }))
    expect(seen('offering.opened', '2025-01-15')).toMatchObject({ state: 'open' })
    expect(seen('offering.opened', '2026-11-01')).toMatchObject({ status: 'open' })
    expect(seen('offering.closed', '2025-01-15')).toMatchObject({ status: 'closed' })
  })

  test('contains names with quotes and backslashes unchanged', () => {
    const identity = JSON.stringify({ investor: { name: 'Ada "Countess" \\ Lovelace\u2028', email: 'a@example.org' } })
    const text = visibleData(eventOf('investment.created', { identity }), { rights, version: '2026-11-01' })
    expect(JSON.parse(text).investor).toMatchObject({ name: 'Ada "Countess" \\ Lovelace\u2028' })
  })
})
