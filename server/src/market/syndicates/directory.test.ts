import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeMembership } from '#test/syndicates.ts'
import { changeProfile, hideMember, restoreMember } from './directory.ts'
import { readMembership } from './membership-store.ts'
import { demoteMember, promoteMember, setManager } from './memberships.ts'
import type { DirectoryChanges } from './syndicate.ts'

let db: TestDatabase
let member: Id<'membership'>
beforeAll(async () => {
  db = await testDatabase()
  member = await run((tx) => makeMembership(tx, { status: 'member' }))
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const read = (id = member) => readMembership(db.databases.test.reads, id)
const change = (changes: DirectoryChanges, id = member) =>
  run((tx) => changeProfile(tx, { id, changes }, occasionAt('2026-08-01T00:00:00.000000Z')))

describe('a member’s entry in the directory', () => {
  test('a change of an entry changes only the fields in it, and clears those that are null', async () => {
    await change({ title: 'Scout', carry_discount_percentage: 12.5, profile: { bio: 'Builds.', tags: ['law'] } })
    await change({ sort_order: 3, private_tags: ['early'], profile: { bio: null, website: 'https://ada.example.org' } })
    expect(await read()).toMatchObject({
      title: 'Scout',
      sort_order: 3,
      carry_discount_percentage: 12.5,
      private_tags: ['early'],
      profile: { tags: ['law'], website: 'https://ada.example.org' },
      status: 'member',
      updated_at: '2026-08-01T00:00:00.000000Z',
    })
    expect((await read())?.profile).not.toHaveProperty('bio')
  })

  test.each([
    ['a third decimal', { carry_discount_percentage: 12.345 }, 'carry_discount_percentage too_precise'],
    ['labels beyond 5,000 bytes', { private_tags: Array(50).fill('é'.repeat(51)) }, 'private_tags too_long'],
    ['texts beyond 20,000 bytes', { profile: { bio: '🜚'.repeat(5000), about: 'x' } }, 'profile too_long'],
  ])('a change with %s is rejected, and the entry does not change', async (_, changes, refusal) => {
    const before = await read()
    expect(await refusalOf(change({ ...changes, title: 'Other' }))).toBe(refusal)
    expect(await read()).toEqual(before)
  })

  test('two changes of different fields at the same time both succeed', async () => {
    await Promise.all([change({ title: 'Both' }), change({ profile: { thesis: 'Both' } })])
    expect(await read()).toMatchObject({ title: 'Both', profile: { thesis: 'Both' } })
  })

  test('a change of the entry of a deactivated person, or of an unknown membership, is rejected', async () => {
    const id = await run((tx) => makeMembership(tx))
    const user = (await read(id))?.user
    if (user !== undefined) await run((tx) => deactivateUser(tx, user, occasionAt()))
    expect(await refusalOf(change({ title: 'Ghost' }, id))).toBe('id deactivated')
    const unknownId = newId('membership')
    expect(await refusalOf(change({ title: 'Nobody' }, unknownId))).toBe(`unknown id ${unknownId}`)
  })
})

describe('hide and restore', () => {
  test('hideMember and restoreMember change only what the directory shows, and send no event', async () => {
    const before = await read()
    const occasion = occasionAt()
    await run((tx) => hideMember(tx, { id: member }, occasion))
    await run((tx) => hideMember(tx, { id: member }, occasion))
    expect(await read()).toEqual({ ...before, directory_hidden: true })
    await run((tx) => restoreMember(tx, { id: member }, occasion))
    expect(await read()).toEqual(before)
    expect(occasion.caused).toEqual([])
  })

  test('hideMember and restoreMember are rejected for an unknown membership', async () => {
    const id = newId('membership')
    for (const move of [hideMember, restoreMember]) {
      expect(await refusalOf(run((tx) => move(tx, { id }, occasionAt())))).toBe(`unknown id ${id}`)
    }
  })
})

describe('promote and demote', () => {
  test('promoteMember and demoteMember change only the permission, and send no event', async () => {
    const occasion = occasionAt()
    await run((tx) => promoteMember(tx, { id: member }, occasion))
    expect(await read()).toMatchObject({ permission: 'full_access', status: 'member' })
    await run((tx) => demoteMember(tx, { id: member }))
    expect(await read()).toMatchObject({ permission: 'operator', status: 'member' })
    expect(occasion.caused).toEqual([])
  })

  test('only a member can be promoted, and only a manager with full access can be demoted', async () => {
    const id = await run((tx) => makeMembership(tx))
    expect(await refusalOf(run((tx) => promoteMember(tx, { id }, occasionAt())))).toBe('id not_a_member')
    expect(await refusalOf(run((tx) => demoteMember(tx, { id })))).toBe('id not_full_access')
    const { syndicate: syndicateId, user: userId } = (await read(id)) ?? {}
    if (syndicateId === undefined || userId === undefined) throw new Error('no membership')
    await run((tx) => setManager(tx, { syndicateId, userId, permission: 'operator' }, occasionAt()))
    expect(await refusalOf(run((tx) => demoteMember(tx, { id })))).toBe('id not_full_access')
  })
})
