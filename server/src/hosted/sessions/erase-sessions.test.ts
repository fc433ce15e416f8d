import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressesOf } from '#access/people/index.ts'
import { newId } from '#kernel/ids.ts'
import { deactivateInvestor } from '#market/investments/index.ts'
import { eraseMember } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeInvestmentSession, makeJoinSession } from '#test/sessions.ts'
import { cancelJoinSession, completeJoinSession, expireJoinSession, rejectJoinSession } from './join-session.ts'
import { eraseSessions } from './session-jobs.ts'
import { readInvestmentSession } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

describe('eraseSessions', () => {
  test('removes the person’s address; a session that had only the address then has the id of the user', async () => {
    const { userId, byAddress, byAccount, others } = await run(async (tx) => {
      const byAddress = await makeInvestmentSession(tx, { email: 'Ada@Example.org' })
      const userId = await makeUser(tx, { email: 'ada@example.org' })
      const byAccount = await makeInvestmentSession(tx, { userId, email: 'ada@work.example.org' })
      return { userId, byAddress, byAccount, others: await makeInvestmentSession(tx) }
    })
    await run(async (tx) => eraseSessions(tx, userId, await addressesOf(tx, userId)))
    const reads = db.databases.test.reads
    expect(await readInvestmentSession(reads, byAddress)).toMatchObject({ email: null, user: userId })
    expect(await readInvestmentSession(reads, byAccount)).toMatchObject({ email: null, user: userId })
    expect(await readInvestmentSession(reads, others)).toMatchObject({ email: 'investor@example.org', user: null })
    await run(async (tx) => eraseSessions(tx, userId, await addressesOf(tx, userId)))
  })

  test('does not deadlock with a concurrent move of a session and its membership, and no later event has the person’s name', async () => {
    for (const move of [completeJoinSession, rejectJoinSession, cancelJoinSession, expireJoinSession]) {
      const { id, userId, approvedBy } = await run(async (tx) => {
        const [userId, approvedBy] = [await makeUser(tx), await makeUser(tx)]
        return { id: await makeJoinSession(tx, { userId, status: 'pending_approval' }), userId, approvedBy }
      })
      const erasing = run(async (tx) => {
        await eraseMember(tx, userId, await addressesOf(tx, userId))
        await eraseSessions(tx, userId, await addressesOf(tx, userId))
        await deactivateInvestor(tx, { id: userId, addresses: [] }, occasionAt())
      })
      const moving = run((tx) => move(tx, { id, approvedBy }, occasionAt()))
      const [erased, moved] = await Promise.allSettled([erasing, moving])
      expect(erased.status).toBe('fulfilled')
      // Completing may be rejected, because a deactivated person never becomes a member. The session may be rejected,
      // canceled or expired before or after the erasure.
      if (moved.status === 'rejected') expect(await refusalOf(Promise.reject(moved.reason))).toBe('user deactivated')
      const named = await db.sql('select name from test.events where user_id = $1 and identity ? $2', [userId, 'user'])
      expect(named).toEqual([])
    }
  })

  test('is rejected for an unknown user', async () => {
    const id = newId('user')
    expect(await refusalOf(run(async (tx) => eraseSessions(tx, id, await addressesOf(tx, id))))).toBe(
      `unknown id ${id}`,
    )
  })
})
