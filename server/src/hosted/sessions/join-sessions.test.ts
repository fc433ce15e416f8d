import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { declineApplication, leaveSyndicate, readMembership } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeJoinSession } from '#test/sessions.ts'
import { A_FUND, makeMembership, makeSyndicate } from '#test/syndicates.ts'
import {
  awaitApproval,
  cancelJoinSession,
  completeJoinSession,
  createJoinSession,
  expireJoinSession,
  markIneligible,
  rejectJoinSession,
  signIn,
} from './join-session.ts'
import { readJoinSession } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const read = (id: Id<'joinSession'>) => readJoinSession(db.databases.test.reads, id)
const NOT_THEMED = { id: null, version: null, override_fingerprint: null }

async function caused(move: (tx: Tx, occasion: ReturnType<typeof occasionAt>) => Promise<unknown>, at?: string) {
  const occasion = occasionAt(at)
  await run((tx) => move(tx, occasion))
  return causedBy(db.databases.test.reads, occasion)
}

const names = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event)

const ground = (settings: Parameters<typeof makeSyndicate>[1] = {}) =>
  run(async (tx) => {
    const syndicateId = await makeSyndicate(tx, settings)
    return {
      syndicateId,
      userId: await makeUser(tx, { name: 'Ada Lovelace' }),
      approvedBy: await makeUser(tx, { name: 'Mary Manager' }),
      id: await makeJoinSession(tx, { syndicateId }),
    }
  })

describe('in a syndicate that approves automatically', () => {
  test('a session cannot wait for an approval', async () => {
    const { userId, id } = await ground({ auto_approval: true })
    await expect(run((tx) => awaitApproval(tx, { id, userId }, occasionAt()))).rejects.toMatchObject({
      type: 'illegal_transition',
      details: { from: 'open', event: 'await_approval' },
    })
    expect(await read(id)).toMatchObject({ status: 'open' })
  })
})

describe('the session of a person who is a member already', () => {
  test('cannot wait for an approval', async () => {
    const { syndicateId, userId, id } = await ground()
    await run((tx) => makeMembership(tx, { syndicate: syndicateId, user: userId, status: 'member' }))
    await expect(run((tx) => awaitApproval(tx, { id, userId }, occasionAt()))).rejects.toMatchObject({
      type: 'illegal_transition',
      details: { from: 'member' },
    })
    expect(await read(id)).toMatchObject({ status: 'open' })
  })
})

describe('a join session', () => {
  test('is open until the person finishes, and creating it records no event', async () => {
    const syndicateId = await run((tx) => makeSyndicate(tx))
    const id = newId('joinSession')
    const input = { id, syndicateId, expiresAt: '2026-06-02T00:00:00.000000Z', metadata: { theirs: ['a', 1.5, null] } }
    const occasion = occasionAt('2026-06-01T00:00:00.000000Z')
    await run((tx) => createJoinSession(tx, input, occasion))
    expect(occasion.caused).toEqual([])
    expect(await read(id)).toMatchObject({
      status: 'open',
      user: null,
      theme: NOT_THEMED,
      metadata: { theirs: ['a', 1.5, null] },
      created_at: '2026-06-01T00:00:00.000000Z',
    })
  })

  test('is not created for unknown records, with an expiry in the past, under an existing id, or with invalid metadata', async () => {
    const { syndicateId, id } = await ground()
    const [nowhere, nobody] = [newId('syndicate'), newId('user')]
    const attempt = (change: object) => {
      const input = { id: newId('joinSession'), syndicateId, expiresAt: '2099-01-01T00:00:00Z', ...change }
      return refusalOf(run((tx) => createJoinSession(tx, input, occasionAt())))
    }
    expect(await attempt({ syndicateId: nowhere })).toBe(`unknown syndicate ${nowhere}`)
    expect(await attempt({ userId: nobody })).toBe(`unknown user ${nobody}`)
    expect(await attempt({ expiresAt: '2026-06-01T12:00:00.000000Z' })).toBe('expires_at too_early')
    expect(await attempt({ id })).toBe('id already_exists')
    expect(await attempt({ metadata: { long: Array(70).fill(1e300) } })).toBe('metadata too_long')
    expect(await attempt({ metadata: { nul: '\0' } })).toBe('metadata unstorable')
  })

  test('has a user after a person has signed in, and then rejects every other person', async () => {
    const { id, userId, approvedBy } = await ground()
    await run((tx) => signIn(tx, { id, userId }, occasionAt()))
    await run((tx) => signIn(tx, { id, userId }, occasionAt()))
    expect(await read(id)).toMatchObject({ user: userId, status: 'open' })
    expect(await refusalOf(run((tx) => signIn(tx, { id, userId: approvedBy }, occasionAt())))).toBe(
      'user already_signed_in',
    )
    const other = refusalOf(run((tx) => awaitApproval(tx, { id, userId: approvedBy }, occasionAt())))
    expect(await other).toBe('user already_signed_in')
    await run((tx) => cancelJoinSession(tx, { id }, occasionAt()))
    await expect(run((tx) => signIn(tx, { id, userId }, occasionAt()))).rejects.toMatchObject({
      type: 'illegal_transition',
      details: { from: 'canceled', event: 'sign_in', allowed: [] },
    })
  })

  test('cannot be finished before a person has signed in, or by a deactivated person', async () => {
    const { id, userId } = await ground({ auto_approval: true })
    expect(await refusalOf(run((tx) => awaitApproval(tx, { id }, occasionAt())))).toBe('user required')
    expect(await refusalOf(run((tx) => completeJoinSession(tx, { id }, occasionAt())))).toBe('user required')
    await run((tx) => deactivateUser(tx, userId, occasionAt()))
    expect(await refusalOf(run((tx) => completeJoinSession(tx, { id, userId }, occasionAt())))).toBe('user deactivated')
    expect(await read(id)).toMatchObject({ status: 'open', user: null, membership: null })
  })
})

describe('a manager-approval syndicate emits pending_approval then completed', () => {
  test('pending_approval is accompanied by applied, and completed by approved and joined', async () => {
    const { id, syndicateId, userId, approvedBy } = await ground()
    const membershipId = newId('membership')
    const waiting = await caused(
      (tx, on) => awaitApproval(tx, { id, userId, membershipId }, on),
      '2026-06-01T12:00:00.000000Z',
    )
    expect(names(waiting)).toEqual(['syndicate_member.applied', 'join_session.pending_approval'])
    expect(waiting[1]?.data).toEqual({
      id,
      syndicate: syndicateId,
      status: 'pending_approval',
      user: { id: userId, name: 'Ada Lovelace' },
      ineligible_reason: null,
      theme: NOT_THEMED,
      occurred_at: '2026-06-01T12:00:00.000000Z',
    })
    const done = await caused(
      (tx, on) => completeJoinSession(tx, { id, approvedBy }, on),
      '2026-06-01T12:00:00.000000Z',
    )
    expect(names(done)).toEqual(['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'])
    expect(done[2]?.data).toMatchObject({ status: 'joined', occurred_at: '2026-06-01T12:00:00.000001Z' })
    expect(await read(id)).toMatchObject({ status: 'joined', membership: membershipId, user: userId })
    const member = { status: 'member', approved_by: approvedBy }
    expect(await readMembership(db.databases.test.reads, membershipId)).toMatchObject(member)
  })

  test('in a fund syndicate, completing the session also approves the application and makes the person a member', async () => {
    const { id, userId, approvedBy } = await ground({ fund: A_FUND })
    await run((tx) => awaitApproval(tx, { id, userId }, occasionAt()))
    const done = await caused((tx, on) => completeJoinSession(tx, { id, approvedBy }, on))
    expect(names(done)).toEqual(['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'])
  })

  test('a session cannot be completed before a manager approves the application; nothing changes', async () => {
    const { id, userId } = await ground()
    await run((tx) => awaitApproval(tx, { id, userId }, occasionAt()))
    expect(await refusalOf(run((tx) => completeJoinSession(tx, { id }, occasionAt())))).toBe('illegal_transition')
    expect(await read(id)).toMatchObject({ status: 'pending_approval' })
  })

  test('a person with an open application does not apply again, and a member does not join again', async () => {
    const { id, syndicateId, userId, approvedBy } = await ground()
    const membership = await run((tx) => makeMembership(tx, { syndicate: syndicateId, user: userId }))
    expect(names(await caused((tx, on) => awaitApproval(tx, { id, userId }, on)))).toEqual([
      'join_session.pending_approval',
    ])
    expect(await read(id)).toMatchObject({ membership })
    const second = await run((tx) => makeJoinSession(tx, { syndicateId, userId, status: 'pending_approval' }))
    await run((tx) => completeJoinSession(tx, { id, approvedBy }, occasionAt()))
    const done = await caused((tx, on) => completeJoinSession(tx, { id: second }, on))
    expect(names(done)).toEqual(['join_session.completed'])
  })

  test('a former member joins again without an application', async () => {
    const { id, syndicateId, userId } = await ground()
    const membership = await run((tx) => makeMembership(tx, { syndicate: syndicateId, user: userId, status: 'member' }))
    await run((tx) => leaveSyndicate(tx, { id: membership }, occasionAt()))
    expect(names(await caused((tx, on) => awaitApproval(tx, { id, userId }, on)))).toEqual([
      'join_session.pending_approval',
    ])
    expect(names(await caused((tx, on) => completeJoinSession(tx, { id }, on)))).toEqual([
      'syndicate_member.joined',
      'join_session.completed',
    ])
  })
})

describe('an auto-approving syndicate emits completed directly', () => {
  test('join_session.completed is accompanied by syndicate_member.joined', async () => {
    const { id, userId } = await ground({ auto_approval: true })
    const done = await caused((tx, on) => completeJoinSession(tx, { id, userId }, on))
    expect(names(done)).toEqual(['syndicate_member.joined', 'join_session.completed'])
    expect(done[0]?.data).toMatchObject({ approved_by: null, user: { id: userId } })
  })

  test('the event of an embedded session contains its theme', async () => {
    const { syndicateId, userId } = await ground({ auto_approval: true })
    const theme = { id: 'thm_night', version: 3, override_fingerprint: 'a1b2' }
    const id = await run((tx) => makeJoinSession(tx, { syndicateId, theme }))
    const done = await caused((tx, on) => completeJoinSession(tx, { id, userId }, on))
    expect(done.at(-1)?.data).toMatchObject({ theme })
  })

  test('of ten concurrent completions only one succeeds, and the person joins once', async () => {
    const { id, syndicateId, userId } = await ground({ auto_approval: true })
    const tries = Array.from({ length: 10 }, () => run((tx) => completeJoinSession(tx, { id, userId }, occasionAt())))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const events = await db.sql<{ name: string }>(
      'select name from test.events where syndicate_id = $1 order by name',
      [syndicateId],
    )
    expect(events.map(({ name }) => name)).toEqual(['join_session.completed', 'syndicate_member.joined'])
  })

  test('ten sessions of one person, completed concurrently: all are completed, and the person joins once', async () => {
    const { syndicateId, userId } = await ground({ auto_approval: true })
    const sessions = await run(async (tx) => {
      const ids: Id<'joinSession'>[] = []
      for (let count = 0; count < 10; count++) ids.push(await makeJoinSession(tx, { syndicateId }))
      return ids
    })
    await Promise.all(sessions.map((id) => run((tx) => completeJoinSession(tx, { id, userId }, occasionAt()))))
    const [row] = await db.sql<{ joined: string }>(
      `select count(*) as joined from test.events where syndicate_id = $1 and name = 'syndicate_member.joined'`,
      [syndicateId],
    )
    expect(Number(row?.joined)).toBe(1)
  })
})

describe('outcomes of a session other than joined', () => {
  test('rejected: a manager rejected a session awaiting approval; the application is declined', async () => {
    const id = await run((tx) => makeJoinSession(tx, { status: 'pending_approval' }))
    const events = await caused((tx, on) => rejectJoinSession(tx, { id }, on))
    expect(events).toMatchObject([
      { event: 'syndicate_member.declined', data: { status: 'declined' } },
      { event: 'join_session.rejected', data: { status: 'rejected' } },
    ])
  })

  test('canceled before completion: user null if no person signed in', async () => {
    const id = await run((tx) => makeJoinSession(tx))
    const events = await caused((tx, on) => cancelJoinSession(tx, { id }, on))
    expect(events).toMatchObject([{ event: 'join_session.canceled', data: { status: 'canceled', user: null } }])
  })

  test('canceled while awaiting approval: the application is withdrawn', async () => {
    const id = await run((tx) => makeJoinSession(tx, { status: 'pending_approval' }))
    const events = await caused((tx, on) => cancelJoinSession(tx, { id }, on))
    expect(events).toMatchObject([
      { event: 'syndicate_member.declined', data: { status: 'withdrawn' } },
      { event: 'join_session.canceled', data: { user: { name: 'Ada Lovelace' } } },
    ])
  })

  test('an application that was declined before is not declined again', async () => {
    const id = await run((tx) => makeJoinSession(tx, { status: 'pending_approval' }))
    const membership = (await read(id))?.membership
    if (membership === null || membership === undefined) throw new Error('no membership')
    await run((tx) => declineApplication(tx, { id: membership }, occasionAt()))
    expect(names(await caused((tx, on) => rejectJoinSession(tx, { id }, on)))).toEqual(['join_session.rejected'])
  })

  test('expired: the application stays open', async () => {
    const id = await run((tx) => makeJoinSession(tx, { status: 'pending_approval' }))
    const membership = (await read(id))?.membership
    expect(names(await caused((tx, on) => expireJoinSession(tx, { id }, on)))).toEqual(['join_session.expired'])
    if (membership === null || membership === undefined) throw new Error('no membership')
    expect(await readMembership(db.databases.test.reads, membership)).toMatchObject({ status: 'pending' })
  })

  test.each(['accreditation_required', 'jurisdiction', 'blocked', 'club_unavailable', 'requires_investment'] as const)(
    'ineligible: %s',
    async (reason) => {
      const { id, userId } = await ground()
      const events = await caused((tx, on) => markIneligible(tx, { id, reason, userId }, on))
      expect(events).toMatchObject([
        {
          event: 'join_session.ineligible',
          data: { status: 'ineligible', ineligible_reason: reason, user: { id: userId } },
        },
      ])
      expect(await read(id)).toMatchObject({ status: 'ineligible', ineligible_reason: reason })
    },
  )

  test('an expired session rejects expire, cancel, reject, complete and await_approval; an unknown session rejects cancel', async () => {
    const id = await run((tx) => makeJoinSession(tx))
    await run((tx) => expireJoinSession(tx, { id }, occasionAt()))
    for (const end of [expireJoinSession, cancelJoinSession, rejectJoinSession, completeJoinSession, awaitApproval]) {
      expect(await refusalOf(run((tx) => end(tx, { id }, occasionAt())))).toBe('illegal_transition')
    }
    const other = newId('joinSession')
    expect(await refusalOf(run((tx) => cancelJoinSession(tx, { id: other }, occasionAt())))).toBe(`unknown id ${other}`)
  })
})
