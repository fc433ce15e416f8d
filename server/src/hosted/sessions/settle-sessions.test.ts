import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Occasion } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import {
  approveApplication,
  declineApplication,
  type MovedMembership,
  withdrawApplication,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { makeJoinSession } from '#test/sessions.ts'
import { A_FUND, makeSyndicate } from '#test/syndicates.ts'
import { completeJoinSession } from './join-session.ts'
import { settlingJoinSessions } from './session-jobs.ts'
import { readJoinSession } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

async function waiting(settings: Parameters<typeof makeSyndicate>[1] = {}) {
  const { session, approvedBy } = await run(async (tx) => ({
    session: await makeJoinSession(tx, { syndicateId: await makeSyndicate(tx, settings), status: 'pending_approval' }),
    approvedBy: await makeUser(tx),
  }))
  const membershipId = (await readJoinSession(db.databases.test.reads, session))?.membership
  if (membershipId === null || membershipId === undefined) throw new Error('no membership')
  return { session, membershipId, approvedBy }
}

type Decide = (tx: Tx, on: Occasion) => Promise<MovedMembership>

async function decided(membershipId: Id<'membership'>, decide: Decide) {
  const occasion = occasionAt()
  await run((tx) => settlingJoinSessions(tx, { membershipId, decide: () => decide(tx, occasion) }, occasion))
  return (await causedBy(db.databases.test.reads, occasion)).map(({ event }) => event)
}

describe('a decision about a membership ends the session that waits for the decision', () => {
  test('an approval completes the session; each of the three events is recorded once', async () => {
    const { session, membershipId: id, approvedBy } = await waiting()
    const events = await decided(id, (tx, on) => approveApplication(tx, { id, approvedBy }, on))
    expect(events).toEqual(['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'])
    expect(await readJoinSession(db.databases.test.reads, session)).toMatchObject({ status: 'joined' })
  })

  test('an approval in a fund syndicate does not end the session, which waits until the person joins', async () => {
    const { session, membershipId: id, approvedBy } = await waiting({ fund: A_FUND })
    const events = await decided(id, (tx, on) => approveApplication(tx, { id, approvedBy }, on))
    expect(events).toEqual(['syndicate_member.approved'])
    expect(await readJoinSession(db.databases.test.reads, session)).toMatchObject({ status: 'pending_approval' })
  })

  test('declining the application rejects the session, and withdrawing it cancels the session', async () => {
    const [declined, withdrawn] = [await waiting(), await waiting()]
    const { membershipId: id } = declined
    expect(await decided(id, (tx, on) => declineApplication(tx, { id }, on))).toEqual([
      'syndicate_member.declined',
      'join_session.rejected',
    ])
    const { membershipId: other } = withdrawn
    expect(await decided(other, (tx, on) => withdrawApplication(tx, { id: other }, on))).toEqual([
      'syndicate_member.declined',
      'join_session.canceled',
    ])
  })

  test('an approval concurrent with the completion of the session: no deadlock, and each event is recorded once', async () => {
    for (let round = 0; round < 5; round++) {
      const { session, membershipId: id, approvedBy } = await waiting()
      const both = [
        decided(id, (tx, on) => approveApplication(tx, { id, approvedBy }, on)),
        run((tx) => completeJoinSession(tx, { id: session, approvedBy }, occasionAt())),
      ]
      const results = await Promise.allSettled(both)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const events = await db.sql<{ name: string }>(
        `select name from test.events where membership_id = $1 order by name`,
        [id],
      )
      expect(events.map(({ name }) => name)).toEqual([
        'join_session.completed',
        'join_session.pending_approval',
        'syndicate_member.applied',
        'syndicate_member.approved',
        'syndicate_member.joined',
      ])
    }
  })
})
