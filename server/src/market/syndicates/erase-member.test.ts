import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressesOf, deactivateUser } from '#access/people/index.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { changeProfile, eraseMember } from './directory.ts'
import { inviteMember } from './invitations.ts'
import { readMembership } from './membership-store.ts'
import { joinSyndicate, leaveSyndicate } from './memberships.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const invitedAddresses = async () =>
  (await db.sql<{ email: string }>('select email from test.syndicate_invitations order by email')).map((r) => r.email)

describe('eraseMember', () => {
  test('erasing a person erases the person’s profile and invitations, and no other invitation; the membership stays', async () => {
    const { id, userId } = await run(async (tx) => {
      const [syndicateId, elsewhere, manager] = [await makeSyndicate(tx), await makeSyndicate(tx), await makeUser(tx)]
      const invite = (email: string, where = syndicateId) =>
        inviteMember(tx, { syndicateId: where, email, invitedBy: manager }, occasionAt())
      await invite('others@example.org')
      // The person's two invitations: in another syndicate, and under an address that the account never had.
      await invite('Ada@example.org', elsewhere)
      await invite('ada@work.example.org')
      const userId = await makeUser(tx, { email: 'ada@example.org' })
      const id = newId('membership')
      await joinSyndicate(tx, { id, syndicateId, userId, invitedEmail: 'ada@work.example.org' }, occasionAt())
      const changes = { title: 'Countess', private_tags: ['poet’s daughter'], profile: { bio: 'Analyst' } }
      await changeProfile(tx, { id, changes }, occasionAt())
      return { id, userId }
    })
    expect(await invitedAddresses()).toHaveLength(3)
    await run(async (tx) => eraseMember(tx, userId, await addressesOf(tx, userId)))
    expect(await invitedAddresses()).toEqual(['others@example.org'])
    expect(await readMembership(db.databases.test.reads, id)).toMatchObject({
      status: 'member',
      user: userId,
      invited_email: null,
      title: null,
      private_tags: [],
      profile: {},
    })
    await run(async (tx) => eraseMember(tx, userId, await addressesOf(tx, userId)))
  })

  test('erasing an unknown user is rejected', async () => {
    const id = newId('user')
    expect(await refusalOf(run(async (tx) => eraseMember(tx, id, await addressesOf(tx, id))))).toBe(`unknown id ${id}`)
  })

  test('an event whose identity was erased still matches its schema in the catalogue', async () => {
    const occasion = occasionAt()
    await run(async (tx) => {
      const [syndicateId, invitedBy] = [await makeSyndicate(tx, { auto_approval: true }), await makeUser(tx)]
      await inviteMember(tx, { syndicateId, email: 'whole@example.org', invitedBy }, occasion)
      const { id } = await joinSyndicate(tx, { syndicateId, userId: await makeUser(tx) }, occasion)
      await leaveSyndicate(tx, { id }, occasion)
    })
    await db.sql('update test.events set identity = null')
    expect(await causedBy(db.databases.test.reads, occasion)).toMatchObject([
      { data: { email: '', name: '[deleted user]', invited_by: { name: '[deleted user]' } } },
      { data: { status: 'member', user: { name: '[deleted user]', email: '' } } },
      { data: { status: 'left' } },
    ])
  })

  test('an erasure waits for a concurrent move, and can then read the event of the move', async () => {
    const { id, user } = await newMember()
    const [moved, mayCommit] = [signal(), signal()]
    const leaving = run(async (tx) => {
      await leaveSyndicate(tx, { id }, occasionAt())
      moved.send()
      await mayCommit.received
    })
    await moved.received
    const erasing = run(async (tx) => {
      await eraseMember(tx, user, await addressesOf(tx, user))
      return tx.many(NAMED_EVENTS, [id])
    })
    await db.untilTransactionWaits()
    mayCommit.send()
    await leaving
    expect((await erasing).map(({ name }) => name)).toContain('syndicate_member.left')
  })

  test('a move that starts during an erasure waits for the erasure, and the event of the move contains no name', async () => {
    const { id, user } = await newMember()
    const [erased, mayCommit] = [signal(), signal()]
    const erasing = run(async (tx) => {
      await eraseMember(tx, user, await addressesOf(tx, user))
      await deactivateUser(tx, user, occasionAt())
      erased.send()
      await mayCommit.received
    })
    await erased.received
    const occasion = occasionAt()
    const leaving = run((tx) => leaveSyndicate(tx, { id }, occasion))
    await db.untilTransactionWaits()
    expect(occasion.caused).toEqual([])
    mayCommit.send()
    await Promise.all([erasing, leaving])
    const [event] = await causedBy(db.databases.test.reads, occasion)
    expect(event?.data).toMatchObject({ status: 'left', user: { name: '[deleted user]' } })
  })
})

const NAMED_EVENTS = statement<{ name: string }>(
  'probe.named_events',
  'select name from events where membership_id = $1 and identity is not null',
)

async function newMember() {
  const id = await run((tx) => makeMembership(tx, { status: 'member' }))
  const user = (await readMembership(db.databases.test.reads, id))?.user
  if (user === undefined) throw new Error('no member')
  return { id, user }
}

/** A signal from one concurrent transaction to another. */
function signal() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { received: promise, send: resolve }
}
