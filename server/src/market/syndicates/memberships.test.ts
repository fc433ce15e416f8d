import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { A_FUND, makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { readMembership } from './membership-store.ts'
import {
  applyForMembership,
  approveApplication,
  declineApplication,
  failPayment,
  joinSyndicate,
  leaveSyndicate,
  removeMember,
  setManager,
  withdrawApplication,
} from './memberships.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const read = (id: Id<'membership'>) => readMembership(db.databases.test.reads, id)

/** Runs a move and returns the name and data of each event that it caused, checked against the catalogue. */
async function caused(move: (tx: Tx, occasion: ReturnType<typeof occasionAt>) => Promise<unknown>, at?: string) {
  const occasion = occasionAt(at)
  await run((tx) => move(tx, occasion))
  return causedBy(db.databases.test.reads, occasion)
}

/** A syndicate, a person who wants to join, and the manager who decides. */
const people = (settings: Parameters<typeof makeSyndicate>[1] = {}) =>
  run(async (tx) => ({
    syndicateId: await makeSyndicate(tx, settings),
    userId: await makeUser(tx, { name: 'Ada Lovelace' }),
    approvedBy: await makeUser(tx, { name: 'Mary Manager' }),
    id: newId('membership'),
  }))

describe('syndicate_member.applied', () => {
  test('the event has id, status pending, user.id, user.name, user.email, and approved_by null', async () => {
    const person = await people()
    const [event, ...others] = await caused(
      (tx, on) => applyForMembership(tx, person, on),
      '2026-06-01T12:00:00.000001Z',
    )
    expect(others).toEqual([])
    expect(event).toEqual({
      event: 'syndicate_member.applied',
      data: {
        id: person.id,
        syndicate: person.syndicateId,
        status: 'pending',
        user: { id: person.userId, name: 'Ada Lovelace', email: `${person.userId}@example.org` },
        approved_by: null,
        occurred_at: '2026-06-01T12:00:00.000001Z',
      },
    })
  })

  test('the event stores names and email addresses in a separate column; its other data has only the ids of people', async () => {
    const person = await people()
    await caused((tx, on) => applyForMembership(tx, person, on))
    const [row] = await db.sql<{ data: object; identity: object }>(
      'select data, identity from test.events where membership_id = $1',
      [person.id],
    )
    expect(row?.identity).toEqual({ user: { name: 'Ada Lovelace', email: `${person.userId}@example.org` } })
    expect(JSON.stringify(row?.data)).not.toMatch(/Ada|example\.org/)
    expect(row?.data).toMatchObject({ user: { id: person.userId, name: '[deleted user]' } })
  })

  test('applying again before a decision is rejected, so applied never repeats for the same request', async () => {
    const person = await people()
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    expect(await refusalOf(run((tx) => applyForMembership(tx, person, occasionAt())))).toBe('illegal_transition')
  })

  test('applied repeats when a rejected investor applies again, under the same id and without approver', async () => {
    const person = await people({ fund: A_FUND })
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    await run((tx) => approveApplication(tx, person, occasionAt()))
    await run((tx) => declineApplication(tx, person, occasionAt()))
    const [event] = await caused((tx, on) => applyForMembership(tx, person, on))
    expect(event?.data).toMatchObject({ id: person.id, status: 'pending', approved_by: null })
  })

  test('a second membership id for a person in a syndicate is rejected, and the second membership is not created', async () => {
    const person = await people()
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    const other = newId('membership')
    expect(await refusalOf(run((tx) => applyForMembership(tx, { ...person, id: other }, occasionAt())))).toBe(
      'id already_exists',
    )
    expect(await read(other)).toBeNull()
  })

  test('applying with the id of another person’s membership is rejected', async () => {
    const [person, other] = [await people(), await people()]
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    const taken = refusalOf(run((tx) => applyForMembership(tx, { ...other, id: person.id }, occasionAt())))
    expect(await taken).toBe('id already_exists')
    expect(await read(person.id)).toMatchObject({ user: person.userId })
  })

  test('applying is rejected for an unknown user or syndicate, and for a deactivated person', async () => {
    const person = await people()
    const [unknownUser, unknownSyndicate] = [newId('user'), newId('syndicate')]
    const attempt = (change: object) =>
      refusalOf(run((tx) => applyForMembership(tx, { ...person, ...change }, occasionAt())))
    expect(await attempt({ userId: unknownUser })).toBe(`unknown user ${unknownUser}`)
    expect(await attempt({ syndicateId: unknownSyndicate })).toBe(`unknown syndicate ${unknownSyndicate}`)
    await run((tx) => deactivateUser(tx, person.userId, occasionAt()))
    expect(await attempt({})).toBe('user deactivated')
  })
})

describe('syndicate_member.approved and joined', () => {
  test('an approval makes the person a member: it sends approved, then joined a microsecond later', async () => {
    const person = await people()
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    const events = await caused((tx, on) => approveApplication(tx, person, on), '2026-06-02T00:00:00.000000Z')
    const approved_by = { id: person.approvedBy, name: 'Mary Manager' }
    expect(events).toMatchObject([
      {
        event: 'syndicate_member.approved',
        data: { status: 'approved', approved_by, occurred_at: '2026-06-02T00:00:00.000000Z' },
      },
      {
        event: 'syndicate_member.joined',
        data: { status: 'member', approved_by, occurred_at: '2026-06-02T00:00:00.000001Z' },
      },
    ])
    const membership = { status: 'member', approved_by: person.approvedBy, joined_at: '2026-06-02T00:00:00.000001Z' }
    expect(await read(person.id)).toMatchObject(membership)
  })

  test('In a fund syndicate approved and joined are separate events', async () => {
    const person = await people({ fund: A_FUND })
    await run((tx) => applyForMembership(tx, person, occasionAt()))
    const approved = await caused((tx, on) => approveApplication(tx, person, on))
    expect(approved.map(({ event }) => event)).toEqual(['syndicate_member.approved'])
    const joined = await caused((tx, on) => joinSyndicate(tx, { id: person.id }, on))
    expect(joined).toMatchObject([
      { event: 'syndicate_member.joined', data: { status: 'member', approved_by: { id: person.approvedBy } } },
    ])
  })

  test('an approval is rejected for an unknown approver, and for a membership that is not an application', async () => {
    const id = await run((tx) => makeMembership(tx))
    const unknownUser = newId('user')
    expect(await refusalOf(run((tx) => approveApplication(tx, { id, approvedBy: unknownUser }, occasionAt())))).toBe(
      `unknown approved_by ${unknownUser}`,
    )
    expect(await read(id)).toMatchObject({ status: 'pending', approved_by: null })
    const member = await run((tx) => makeMembership(tx, { status: 'member' }))
    const again = run((tx) => approveApplication(tx, { id: member, approvedBy: unknownUser }, occasionAt()))
    await expect(again).rejects.toMatchObject({
      type: 'illegal_transition',
      details: { from: 'member', event: 'approve', allowed: ['leave', 'remove', 'fail_payment'] },
    })
  })
})

describe('a direct join', () => {
  test.each([
    ['the syndicate approves everyone', { auto_approval: true }, {}],
    [
      'the syndicate approves accredited people, and the person is accredited',
      { auto_accept_accredited_members: true },
      { accreditation: 'verified' },
    ],
  ] as const)('a direct join sends only joined, with approved_by null: %s', async (_, settings, about) => {
    const { syndicateId, userId } = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx, settings),
      userId: await makeUser(tx, about),
    }))
    const events = await caused((tx, on) => joinSyndicate(tx, { syndicateId, userId }, on))
    expect(events).toMatchObject([
      { event: 'syndicate_member.joined', data: { status: 'member', approved_by: null, user: { id: userId } } },
    ])
  })

  test('a manager of the syndicate can join directly', async () => {
    const { syndicateId, userId } = await people()
    await run((tx) => setManager(tx, { syndicateId, userId, permission: 'operator' }, occasionAt()))
    const events = await caused((tx, on) => joinSyndicate(tx, { syndicateId, userId }, on))
    expect(events.map(({ event }) => event)).toEqual(['syndicate_member.joined'])
  })

  test('a direct join without approval or invitation is rejected with the reason, and creates no membership', async () => {
    const person = await people({ auto_accept_accredited_members: true })
    await expect(run((tx) => joinSyndicate(tx, person, occasionAt()))).rejects.toMatchObject({
      type: 'illegal_transition',
      public: expect.stringContaining('does not approve automatically and has not invited'),
      details: { from: 'none', event: 'join' },
    })
    expect(await read(person.id)).toBeNull()
  })

  test('a direct join is rejected for an unknown id, and for an id that does not fit the person or the syndicate', async () => {
    const person = await people({ auto_approval: true })
    expect(await refusalOf(run((tx) => joinSyndicate(tx, { id: person.id }, occasionAt())))).toBe(
      `unknown id ${person.id}`,
    )
    const member = await run((tx) => makeMembership(tx, { status: 'approved' }))
    const { id, syndicateId, userId } = { ...person, id: member }
    expect(await refusalOf(run((tx) => joinSyndicate(tx, { id, userId }, occasionAt())))).toBe('user immutable')
    expect(await refusalOf(run((tx) => joinSyndicate(tx, { id, syndicateId }, occasionAt())))).toBe(
      'syndicate immutable',
    )
  })
})

describe('syndicate_member.left', () => {
  test.each([
    ['left', leaveSyndicate],
    ['removed', removeMember],
    ['payment_failed', failPayment],
  ])('the event syndicate_member.left has the status %s and the same approved_by as before', async (status, end) => {
    const id = await run((tx) => makeMembership(tx, { status: 'member' }))
    const approver = (await read(id))?.approved_by
    const events = await caused((tx, on) => end(tx, { id }, on))
    expect(events).toMatchObject([{ event: 'syndicate_member.left', data: { status, approved_by: { id: approver } } }])
    expect(await read(id)).toMatchObject({ status, approved_by: approver })
  })

  test('a member who left can return under the same id', async () => {
    const id = await run((tx) => makeMembership(tx, { status: 'member' }))
    await run((tx) => leaveSyndicate(tx, { id }, occasionAt()))
    const events = await caused((tx, on) => joinSyndicate(tx, { id }, on))
    expect(events).toMatchObject([{ event: 'syndicate_member.joined', data: { id, status: 'member' } }])
  })

  test('after a failed payment the approval stays, and a later successful payment sends joined', async () => {
    const id = await run((tx) => makeMembership(tx, { status: 'approved' }))
    await run((tx) => failPayment(tx, { id }, occasionAt()))
    const events = await caused((tx, on) => joinSyndicate(tx, { id }, on))
    expect(events).toMatchObject([
      { event: 'syndicate_member.joined', data: { approved_by: { name: 'Mary Manager' } } },
    ])
  })
})

describe('syndicate_member.declined', () => {
  test.each([
    ['declined', declineApplication],
    ['withdrawn', withdrawApplication],
  ])('the event declined closes the application, with the status %s', async (status, close) => {
    const id = await run((tx) => makeMembership(tx))
    const events = await caused((tx, on) => close(tx, { id }, on))
    expect(events).toMatchObject([{ event: 'syndicate_member.declined', data: { status, approved_by: null } }])
    expect(await refusalOf(run((tx) => close(tx, { id }, occasionAt())))).toBe('illegal_transition')
  })
})

describe('a person who was deactivated', () => {
  test('the event syndicate_member.left of a deactivated person contains no name, and the person cannot return', async () => {
    const id = await run((tx) => makeMembership(tx, { status: 'member' }))
    const user = (await read(id))?.user
    if (user === undefined) throw new Error('no member')
    await run((tx) => deactivateUser(tx, user, occasionAt()))
    const events = await caused((tx, on) => leaveSyndicate(tx, { id }, on))
    expect(events).toMatchObject([{ data: { user: { id: user, name: '[deleted user]', email: '' } } }])
    expect(await refusalOf(run((tx) => joinSyndicate(tx, { id }, occasionAt())))).toBe('user deactivated')
    expect(await read(id)).toMatchObject({ status: 'left' })
  })
})

describe('occurred_at', () => {
  test('each event of a membership is later than the one before, even if the facts have the same or an earlier time', async () => {
    const person = await people()
    const at = '2026-06-01T12:00:00.000000Z'
    const times = [
      ...(await caused((tx, on) => applyForMembership(tx, person, on), at)),
      ...(await caused((tx, on) => approveApplication(tx, person, on), at)),
      ...(await caused((tx, on) => leaveSyndicate(tx, person, on), '2026-01-01T00:00:00.000000Z')),
    ].map(({ data }) => data['occurred_at'])
    expect(times).toEqual([at, ...[1, 2, 3].map((micros) => at.replace('000000Z', `00000${micros}Z`))])
  })
})

test('a move of a membership of the other world is rejected as unknown', async () => {
  const id = await run((tx) => makeMembership(tx))
  const inLive = db.databases.live.transaction((tx) => declineApplication(tx, { id }, occasionAt()))
  expect(await refusalOf(inLive)).toBe(`unknown id ${id}`)
})
