import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import {
  applyForMembership,
  approveApplication,
  declineApplication,
  joinSyndicate,
  leaveSyndicate,
  withdrawApplication,
} from './memberships.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

/** Returns how many of ten concurrent attempts succeeded. Expects an ApiError from each of the others. */
async function winners(attempt: (number: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, number) => attempt(number)))
  const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  for (const reason of lost) expect(reason).toMatchObject({ name: 'ApiError' })
  return results.length - lost.length
}

async function eventsOf(id: Id<'membership'>): Promise<string[]> {
  const rows = await db.sql<{ name: string }>(
    'select name from test.events where membership_id = $1 order by occurred_at',
    [id],
  )
  return rows.map(({ name }) => name.replace('syndicate_member.', ''))
}

describe('ten concurrent requests', () => {
  test('of ten approvals of one application, one succeeds', async () => {
    const id = await run((tx) => makeMembership(tx))
    const approvedBy = await run((tx) => makeUser(tx))
    expect(await winners(() => run((tx) => approveApplication(tx, { id, approvedBy }, occasionAt())))).toBe(1)
    expect(await eventsOf(id)).toEqual(['applied', 'approved', 'joined'])
  })

  test('of ten attempts to join after an approval, one succeeds', async () => {
    const id = await run((tx) => makeMembership(tx, { status: 'approved' }))
    expect(await winners(() => run((tx) => joinSyndicate(tx, { id }, occasionAt())))).toBe(1)
    expect(await eventsOf(id)).toEqual(['applied', 'approved', 'joined'])
  })

  test('of ten applications of one person, one creates the membership, even if they contain different ids', async () => {
    const { syndicateId, userId } = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx),
      userId: await makeUser(tx),
    }))
    const ids = Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? newId('membership') : undefined))
    const apply = (number: number) => {
      const id = ids[number]
      const person = { syndicateId, userId, ...(id === undefined ? {} : { id }) }
      return run((tx) => applyForMembership(tx, person, occasionAt()))
    }
    expect(await winners(apply)).toBe(1)
    const rows = await db.sql('select id from test.memberships where syndicate_id = $1', [syndicateId])
    expect(rows).toHaveLength(1)
  })

  test('of ten direct joins, one succeeds', async () => {
    const { syndicateId, userId } = await run(async (tx) => ({
      syndicateId: await makeSyndicate(tx, { auto_approval: true }),
      userId: await makeUser(tx),
    }))
    expect(await winners(() => run((tx) => joinSyndicate(tx, { syndicateId, userId }, occasionAt())))).toBe(1)
  })

  test('of ten people who apply with one membership id, one gets it', async () => {
    const { syndicateId, users } = await run(async (tx) => {
      const users: Id<'user'>[] = []
      for (let count = 0; count < 10; count++) users.push(await makeUser(tx))
      return { syndicateId: await makeSyndicate(tx), users }
    })
    const id = newId('membership')
    const apply = (number: number) => {
      const userId = users[number]
      if (userId === undefined) throw new Error('no user')
      return run((tx) => applyForMembership(tx, { id, syndicateId, userId }, occasionAt()))
    }
    expect(await winners(apply)).toBe(1)
    expect(await eventsOf(id)).toEqual(['applied'])
  })
})

test('of an approval, a decline and a withdrawal at the same time, exactly one succeeds', async () => {
  const id = await run((tx) => makeMembership(tx))
  const approvedBy = await run((tx) => makeUser(tx))
  const moves = [
    (tx: Tx) => approveApplication(tx, { id, approvedBy }, occasionAt()),
    (tx: Tx) => declineApplication(tx, { id }, occasionAt()),
    (tx: Tx) => withdrawApplication(tx, { id }, occasionAt()),
  ]
  const won = await winners((number) => run(moves[number % moves.length] ?? (() => Promise.reject())))
  expect(won).toBe(1)
})

test('the events of joining and leaving in quick succession have different times', async () => {
  const id = await run((tx) => makeMembership(tx, { status: 'member' }))
  for (let round = 0; round < 5; round++) {
    expect(await winners(() => run((tx) => leaveSyndicate(tx, { id }, occasionAt())))).toBe(1)
    expect(await winners(() => run((tx) => joinSyndicate(tx, { id }, occasionAt())))).toBe(1)
  }
  const [row] = await db.sql<{ events: string; moments: string }>(
    'select count(*) as events, count(distinct occurred_at) as moments from test.events where membership_id = $1',
    [id],
  )
  expect([Number(row?.events), Number(row?.moments)]).toEqual([13, 13])
})
