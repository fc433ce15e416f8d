import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { Fields } from '../sender.ts'
import type { Person } from '../stage.ts'
import { type Envelope, type EventStage, eventsIn, type Listener, named, openEventStage } from './stage.ts'

/** The specification's "Syndicate member events" and "Join session events (beta)", from the facts to the receiver. */

let stage: EventStage
let manager: Person
let person: Person
beforeAll(async () => {
  stage = await openEventStage()
  manager = await stage.person()
  person = await stage.person()
})
afterAll(() => stage.close())

let syndicate: string
let listener: Listener
beforeEach(async () => {
  syndicate = await stage.syndicate(manager)
  listener = await listenOn(syndicate, ['read:syndicates'])
})

async function listenOn(target_id: string, scopes: readonly string[]): Promise<Listener> {
  const app = await stage.partner(scopes)
  await stage.install(app, manager, { target_type: 'syndicate', target_id })
  return stage.listen(app)
}

const MEMBER_EVENTS = [
  'syndicate_member.invited',
  'syndicate_member.reinvited',
  'syndicate_member.applied',
  'syndicate_member.approved',
  'syndicate_member.joined',
  'syndicate_member.left',
  'syndicate_member.declined',
] as const
const SESSION_EVENTS = [
  'join_session.pending_approval',
  'join_session.completed',
  'join_session.rejected',
  'join_session.ineligible',
  'join_session.canceled',
  'join_session.expired',
] as const

const members = async () => named(await listener.received(), ...MEMBER_EVENTS)
const sessions = async () => named(await listener.received(), ...SESSION_EVENTS)
const user = ({ user: id, email }: Person) => ({ id, name: 'Ada Lovelace', email })
const userData = ({ user: id }: Person) => ({ id, name: 'Ada Lovelace' })
const eventAndStatus = ({ event, data }: Envelope) => [event, data['status']]

async function applied(who = person): Promise<string> {
  const id = newId('membership')
  await stage.sendFact('membership.applied', { id, syndicate, user: who.user })
  return id
}

describe('Syndicate member events', () => {
  test('are delivered to apps installed on the syndicate (requires read:syndicates)', async () => {
    const without = await listenOn(syndicate, ['read:companies'])
    const other = await listenOn(await stage.syndicate(manager), ['read:syndicates'])
    await applied()
    expect(eventsIn(await members())).toEqual(['syndicate_member.applied'])
    for (const deaf of [without, other]) expect(named(await deaf.received(), ...MEMBER_EVENTS)).toEqual([])
  })

  test('invited and reinvited have email, name, invited_by, and a null user if the address has no account', async () => {
    const email = `${syndicate}@example.org`
    const invitation = { syndicate, email, name: 'Guest', invited_by: manager.user }
    await stage.sendFact('membership.invited', invitation)
    await stage.sendFact('membership.reinvited', invitation)
    const seen = await members()
    expect(eventsIn(seen)).toEqual(['syndicate_member.invited', 'syndicate_member.reinvited'])
    for (const { data } of seen) {
      expect(data).toEqual({
        email,
        name: 'Guest',
        user: null,
        invited_by: userData(manager),
        syndicate,
        occurred_at: expect.stringMatching(/\.\d{6}Z$/),
      })
    }
  })

  test('invited has the user’s id if the address has an account', async () => {
    await stage.sendFact('membership.invited', {
      syndicate,
      email: person.email,
      name: 'Ada',
      invited_by: manager.user,
    })
    expect((await members())[0]?.data).toMatchObject({ user: person.user, email: person.email })
  })

  test('applied, approved and joined have id, status, user with the member’s email, and approved_by', async () => {
    const id = await applied()
    await stage.sendFact('membership.approved', { id, approved_by: manager.user })
    const every = { id, syndicate, user: user(person), occurred_at: expect.stringMatching(/\.\d{6}Z$/) }
    expect((await members()).map(({ event, data }) => [event, data])).toEqual([
      ['syndicate_member.applied', { ...every, status: 'pending', approved_by: null }],
      ['syndicate_member.approved', { ...every, status: 'approved', approved_by: userData(manager) }],
      ['syndicate_member.joined', { ...every, status: 'member', approved_by: userData(manager) }],
    ])
  })

  test('approved and joined are separate events in a fund syndicate', async () => {
    await stage.sendFact('syndicate.updated', {
      id: syndicate,
      fund: { type: 'annual_subscription' },
      fund_required: true,
    })
    const id = await applied()
    await stage.sendFact('membership.approved', { id, approved_by: manager.user })
    expect(eventsIn(await members())).toEqual(['syndicate_member.applied', 'syndicate_member.approved'])
    await stage.sendFact('membership.joined', { id })
    expect((await members()).map(eventAndStatus).at(-1)).toEqual(['syndicate_member.joined', 'member'])
    await stage.sendFact('membership.payment_failed', { id })
    expect((await members()).map(eventAndStatus).at(-1)).toEqual(['syndicate_member.left', 'payment_failed'])
    await stage.sendFact('membership.joined', { id })
    expect((await members()).map(eventAndStatus).at(-1)).toEqual(['syndicate_member.joined', 'member'])
  })

  test('a direct join without invitation or approval sends a single joined with a null approved_by', async () => {
    await stage.sendFact('syndicate.updated', { id: syndicate, auto_approval: true })
    await stage.sendFact('membership.joined', { id: newId('membership'), syndicate, user: person.user })
    expect(await members()).toMatchObject([{ event: 'syndicate_member.joined', data: { approved_by: null } }])
  })

  test('joined has the user.email of the earlier invitation', async () => {
    const email = `other-${person.email}`
    await stage.sendFact('membership.invited', { syndicate, email, name: 'Ada', invited_by: manager.user })
    const joined = { id: newId('membership'), syndicate, user: person.user, invited_email: email }
    await stage.sendFact('membership.joined', joined)
    const [invited, came] = await members()
    expect(invited?.data['email']).toBe(email)
    expect(came?.data).toMatchObject({ user: { id: person.user, email }, approved_by: null })
  })

  test('left has the status left or removed, and a member can return under the same id', async () => {
    const id = newId('membership')
    await stage.sendFact('syndicate.updated', { id: syndicate, auto_approval: true })
    await stage.sendFact('membership.joined', { id, syndicate, user: person.user })
    await stage.sendFact('membership.left', { id })
    await stage.sendFact('membership.joined', { id })
    await stage.sendFact('membership.removed', { id })
    const seen = await members()
    expect(seen.map(eventAndStatus)).toEqual([
      ['syndicate_member.joined', 'member'],
      ['syndicate_member.left', 'left'],
      ['syndicate_member.joined', 'member'],
      ['syndicate_member.left', 'removed'],
    ])
    expect(new Set(seen.map(({ data }) => data['id']))).toEqual(new Set([id]))
  })

  test('declined is sent when a manager declines or the applicant withdraws', async () => {
    await stage.sendFact('membership.declined', { id: await applied() })
    await stage.sendFact('membership.withdrawn', { id: await applied(await stage.person()) })
    expect((await members()).map(eventAndStatus)).toEqual([
      ['syndicate_member.applied', 'pending'],
      ['syndicate_member.declined', 'declined'],
      ['syndicate_member.applied', 'pending'],
      ['syndicate_member.declined', 'withdrawn'],
    ])
  })
})

async function opened(more: Fields = {}): Promise<string> {
  const id = newId('joinSession')
  await stage.sendFact('join_session.created', { id, syndicate, expires_at: '2099-01-01T00:00:00Z', ...more })
  return id
}
const HOSTED = { id: null, version: null, override_fingerprint: null }

describe('Join session events', () => {
  test('are delivered to apps installed on the syndicate (requires read:syndicates)', async () => {
    const without = await listenOn(syndicate, ['read:companies'])
    await stage.sendFact('join_session.canceled', { id: await opened() })
    expect(eventsIn(await sessions())).toEqual(['join_session.canceled'])
    expect(named(await without.received(), ...SESSION_EVENTS)).toEqual([])
  })

  test('pending_approval and then completed, with syndicate_member.joined, are sent where a manager approves', async () => {
    const id = await opened({ user: person.user })
    await stage.sendFact('join_session.pending_approval', { id })
    await stage.sendFact('join_session.completed', { id, approved_by: manager.user })
    const every = { id, syndicate, user: userData(person), ineligible_reason: null, theme: HOSTED }
    const occurred_at = expect.stringMatching(/\.\d{6}Z$/)
    expect((await sessions()).map(({ event, data }) => [event, data])).toEqual([
      ['join_session.pending_approval', { ...every, status: 'pending_approval', occurred_at }],
      ['join_session.completed', { ...every, status: 'joined', occurred_at }],
    ])
    expect(eventsIn(await members())).toContain('syndicate_member.joined')
  })

  test('completed is sent directly if no approval is required', async () => {
    await stage.sendFact('syndicate.updated', { id: syndicate, auto_approval: true })
    await stage.sendFact('join_session.completed', { id: await opened(), user: person.user })
    expect((await sessions()).map(eventAndStatus)).toEqual([['join_session.completed', 'joined']])
    expect(eventsIn(await members())).toEqual(['syndicate_member.joined'])
  })

  test('rejected is sent when a manager rejects a session that waits for approval', async () => {
    const id = await opened({ user: person.user })
    await stage.sendFact('join_session.pending_approval', { id })
    await stage.sendFact('join_session.rejected', { id })
    expect((await sessions()).at(-1)).toMatchObject({
      event: 'join_session.rejected',
      data: { status: 'rejected', user: userData(person) },
    })
  })

  test.each(['accreditation_required', 'jurisdiction', 'blocked', 'club_unavailable', 'requires_investment'])(
    'ineligible: %s',
    async (reason) => {
      await stage.sendFact('join_session.ineligible', { id: await opened(), user: person.user, reason })
      expect(await sessions()).toMatchObject([{ data: { status: 'ineligible', ineligible_reason: reason } }])
    },
  )

  test('canceled and expired have a null user if no person signed in', async () => {
    await stage.sendFact('join_session.canceled', { id: await opened() })
    await stage.sendFact('join_session.expired', { id: await opened() })
    await stage.sendFact('join_session.expired', { id: await opened({ user: person.user }) })
    expect(await sessions()).toMatchObject([
      { event: 'join_session.canceled', data: { status: 'canceled', user: null } },
      { event: 'join_session.expired', data: { status: 'expired', user: null } },
      { event: 'join_session.expired', data: { status: 'expired', user: userData(person) } },
    ])
  })

  test('the theme is set for embedded sessions with a partner theme', async () => {
    const theme = { id: 'thm_1', version: 3, override_fingerprint: 'abc' }
    await stage.sendFact('join_session.canceled', { id: await opened({ theme }) })
    expect((await sessions())[0]?.data['theme']).toEqual(theme)
  })
})
