import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { type Follow, followCompany, unfollowCompany } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const day = (day: number) => ({ occurredAt: worldTime(`2026-03-0${day}T00:00:00.000000Z`) })
const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const follow = (pair: Follow, on = 1) => inTest((tx) => followCompany(tx, pair, day(on)))
const unfollow = (pair: Follow) => inTest((tx) => unfollowCompany(tx, pair))
const aPair = () => inTest(async (tx) => ({ company: await makeCompany(tx), user: await makeUser(tx) }))

async function followedOn({ user, company }: Follow): Promise<string | undefined> {
  const [row] = await db.sql<{ day: string }>(
    `select to_char(followed_at at time zone 'utc', 'DD') as day from test.follows
     where user_id = $1 and company_id = $2`,
    [user, company],
  )
  return row?.day
}

describe('following a company', () => {
  test('a follow starts at the time of the fact; a second follow changes nothing and returns changed: false', async () => {
    const pair = await aPair()
    expect(await follow(pair, 1)).toEqual({ followed: true, changed: true })
    expect(await follow(pair, 2)).toEqual({ followed: true, changed: false })
    expect(await followedOn(pair)).toBe('01')
  })

  test('unfollowing removes the follow and may be repeated; afterwards the user can follow again', async () => {
    const pair = await aPair()
    expect(await unfollow(pair)).toEqual({ followed: false, changed: false })
    await follow(pair, 1)
    expect(await unfollow(pair)).toEqual({ followed: false, changed: true })
    expect(await unfollow(pair)).toEqual({ followed: false, changed: false })
    expect(await followedOn(pair)).toBeUndefined()
    await follow(pair, 3)
    expect(await followedOn(pair)).toBe('03')
  })

  test('of ten follows at the same time only one changes something', async () => {
    const pair = await aPair()
    const states = await Promise.all(Array.from({ length: 10 }, () => follow(pair)))
    expect(states.filter(({ changed }) => changed)).toHaveLength(1)
  })

  test('following and unfollowing are rejected for an unknown company or user', async () => {
    const pair = await aPair()
    const [company, user] = [newId('company'), newId('user')]
    for (const move of [follow, unfollow]) {
      expect(await refusalOf(move({ ...pair, company }))).toBe(`unknown company ${company}`)
      expect(await refusalOf(move({ ...pair, user }))).toBe(`unknown user ${user}`)
    }
  })

  test('a deactivated user cannot follow; an existing follow can still be removed', async () => {
    const pair = await aPair()
    await follow(pair)
    await inTest((tx) => deactivateUser(tx, pair.user, day(2)))
    expect(await refusalOf(follow(pair))).toBe('user deactivated')
    expect(await unfollow(pair)).toEqual({ followed: false, changed: true })
  })
})
