import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { deactivateUser, lockActiveUser, type NewUser, registerUser, type UserChanges, updateUser } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const NOW = worldTime('2026-03-01T12:00:00.123456Z')
const LATER = worldTime('2026-03-01T12:00:00.123457Z')
const at = { occurredAt: NOW }

const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const register = (user: NewUser) => inTest((tx) => registerUser(tx, user, at))
const update = (changes: UserChanges) => inTest((tx) => updateUser(tx, changes, at))
const deactivate = (id: Id<'user'>) => inTest((tx) => deactivateUser(tx, id, at))
const aUser = (overrides: Partial<NewUser> = {}) => inTest((tx) => makeUser(tx, overrides))

async function rowOf(id: Id<'user'>): Promise<Record<string, unknown>> {
  const [row] = await db.sql<{ user: Record<string, unknown> }>(
    'select to_jsonb(u) as user from test.users u where id = $1',
    [id],
  )
  return row?.user ?? {}
}

async function changesOf(id: Id<'user'>): Promise<string[]> {
  const rows = await db.sql<{ kind: string }>('select kind from test.investment_changes where id = $1', [id])
  return rows.map(({ kind }) => kind)
}

const EVERYTHING = {
  name: 'Ada Lovelace',
  first_name: 'Ada',
  legal_name: 'Augusta Ada King',
  email: 'Ada@Example.org',
  username: 'Ada.L',
  bio: 'Numbers.\nAnd what they mean.',
  avatar_url: '/avatars/ada.png',
  city: 'London',
  state: 'England',
  country: 'GB',
  location_hidden: true,
  address: { line1: '12 St James’s Square', city: 'London' },
  accreditation: 'verified',
  certified_at: worldTime('2025-12-01T00:00:00.000001Z'),
} as const

describe('registering a user', () => {
  test('stores every field of the fact, with the time of the event', async () => {
    const id = newId('user')
    await register({ id, ...EVERYTHING })
    expect(await rowOf(id)).toEqual({
      id,
      ...EVERYTHING,
      certified_at: '2025-12-01T00:00:00.000001+00:00',
      created_at: '2026-03-01T12:00:00.123456+00:00',
      deactivated_at: null,
    })
    expect(await changesOf(id)).toEqual([])
    await deactivate(id)
  })

  test('needs only a name and an address', async () => {
    const id = await aUser()
    expect(await rowOf(id)).toMatchObject({ accreditation: 'none', location_hidden: false, username: null })
  })

  test('is rejected if the id exists already, even if all other fields are new', async () => {
    const id = await aUser({ name: 'First' })
    expect(await refusalOf(register({ id, name: 'Second', email: 'second@example.org' }))).toBe('id already_exists')
    expect(await rowOf(id)).toMatchObject({ name: 'First' })
  })

  test('is rejected for an address or username of another person, in upper or lower case', async () => {
    await aUser({ email: 'Taken@example.org', username: 'Taken' })
    const id = newId('user')
    expect(await refusalOf(register({ id, name: 'B', email: 'tAKEN@EXAMPLE.ORG' }))).toBe('email taken')
    expect(await refusalOf(register({ id, name: 'B', email: 'b@example.org', username: 'taken' }))).toBe(
      'username taken',
    )
    expect(await rowOf(id)).toEqual({})
  })

  test('ignores the case of ASCII letters in addresses, but not of other letters, such as Ä and ä', async () => {
    await aUser({ email: 'Ä@example.org' })
    await expect(aUser({ email: 'ä@example.org' })).resolves.toMatch(/^usr_/)
  })

  test('ten requests at once with one address register one user', async () => {
    const tries = Array.from({ length: 10 }, () =>
      register({ id: newId('user'), name: 'C', email: 'Race@example.org' }),
    )
    const refusals = await Promise.all(tries.map((each) => refusalOf(each).catch(() => 'registered')))
    expect(refusals.toSorted()).toEqual([...Array(9).fill('email taken'), 'registered'])
  })

  test('rejects a certification later than the fact', async () => {
    const user = { id: newId('user'), name: 'D', email: 'd@example.org', certified_at: LATER }
    expect(await refusalOf(register(user))).toBe('certified_at in_the_future')
  })

  test('registers the user in one world; the other world may have another user with the same id', async () => {
    const user = { id: newId('user'), name: 'E', email: 'e@example.org' }
    await register(user)
    await db.databases.live.transaction(async (tx) => {
      expect(await refusalOf(lockActiveUser(tx, 'investor', user.id))).toBe(`unknown investor ${user.id}`)
      await registerUser(tx, { ...user, name: 'Another E' }, at)
    })
    const names = WORLDS.map((world) => db.sql(`select name from ${world}.users where id = $1`, [user.id]))
    expect(await Promise.all(names)).toEqual([[{ name: 'E' }], [{ name: 'Another E' }]])
  })
})

describe('updating a user', () => {
  test('changes only the given fields; null clears a field', async () => {
    const id = await aUser({ ...EVERYTHING, email: 'ada2@example.org', username: 'ada2' })
    const before = await rowOf(id)
    await update({ id, city: 'Paris', state: null, location_hidden: false })
    expect(await rowOf(id)).toEqual({ ...before, city: 'Paris', state: null, location_hidden: false })
  })

  test.each([
    ['name', { name: 'Ada King' }],
    ['legal_name', { legal_name: 'Ada King' }],
    ['email', { email: `${newId('user')}@example.net` }],
    ['address', { address: { line1: 'Elsewhere' } }],
    ['bio', { bio: 'Numbers.' }],
  ])('adds the investor to the publisher’s change queue if their %s changed', async (_field, changes) => {
    const id = await aUser()
    await update({ id, ...changes })
    expect(await changesOf(id)).toEqual(['investor'])
  })

  test('adds nothing to the publisher’s change queue when no record changes', async () => {
    const id = await aUser({ bio: 'Numbers.', address: { line1: 'Here', city: 'London' } })
    await update({ id, username: `u${Date.now()}`, city: 'Rome', accreditation: 'verified', certified_at: NOW })
    await update({ id, bio: 'Numbers.', address: { city: 'London', line1: 'Here' } })
    await update({ id })
    expect(await changesOf(id)).toEqual([])
  })

  test('may change the case of letters in the user’s own address', async () => {
    const id = await aUser({ email: 'case@example.org' })
    await update({ id, email: 'Case@Example.org' })
    expect(await rowOf(id)).toMatchObject({ email: 'Case@Example.org' })
  })

  test('is rejected for another person’s address or username, and changes nothing', async () => {
    await aUser({ email: 'owner@example.org', username: 'owner' })
    const id = await aUser({ bio: 'Before' })
    const before = await rowOf(id)
    expect(await refusalOf(update({ id, bio: 'After', email: 'OWNER@example.org' }))).toBe('email taken')
    expect(await refusalOf(update({ id, bio: 'After', username: 'Owner' }))).toBe('username taken')
    expect(await refusalOf(update({ id, bio: 'After', certified_at: LATER }))).toBe('certified_at in_the_future')
    expect([await rowOf(id), await changesOf(id)]).toEqual([before, []])
  })

  test('gives an address to exactly one of two users if both requests run at once', async () => {
    const ids = [await aUser(), await aUser()]
    const both = ids.map((id) => refusalOf(update({ id, email: 'both@example.org' })).catch(() => 'updated'))
    expect((await Promise.all(both)).toSorted()).toEqual(['email taken', 'updated'])
  })

  test('loses no change if two requests change different fields at once', async () => {
    const id = await aUser()
    await Promise.all([update({ id, city: 'Oslo' }), update({ id, bio: 'Both' }), update({ id, country: 'NO' })])
    expect(await rowOf(id)).toMatchObject({ city: 'Oslo', bio: 'Both', country: 'NO' })
  })

  test('is rejected for an unknown user', async () => {
    const id = newId('user')
    expect(await refusalOf(update({ id, name: 'Nobody' }))).toBe(`unknown id ${id}`)
  })
})

describe('deactivating a user', () => {
  test('leaves no data that identifies the person', async () => {
    const id = await aUser({ ...EVERYTHING, email: 'gone@example.org', username: 'gone' })
    expect(await deactivate(id)).toBe(true)
    const KEPT = ['location_hidden', 'accreditation', 'certified_at']
    const erased = Object.keys(EVERYTHING).filter((field) => !KEPT.includes(field))
    expect(await rowOf(id)).toMatchObject({
      ...Object.fromEntries(erased.map((field) => [field, null])),
      deactivated_at: '2026-03-01T12:00:00.123456+00:00',
    })
  })

  test('changes nothing the second time, not even the time of the deactivation', async () => {
    const id = await aUser()
    await deactivate(id)
    const before = await rowOf(id)
    expect(await inTest((tx) => deactivateUser(tx, id, { occurredAt: LATER }))).toBe(false)
    expect(await rowOf(id)).toEqual(before)
  })

  test('is final; every later update is rejected', async () => {
    const id = await aUser()
    await deactivate(id)
    for (const changes of [{ name: 'Back' }, { city: 'Oslo' }, {}]) {
      expect(await refusalOf(update({ id, ...changes }))).toBe('id deactivated')
    }
    expect(await refusalOf(register({ id, name: 'Back', email: 'back@example.org' }))).toBe('id already_exists')
    expect(await rowOf(id)).toMatchObject({ name: null, city: null })
  })

  test('makes the address and the username available to other people', async () => {
    const id = await aUser({ email: 'free@example.org', username: 'free' })
    await deactivate(id)
    await expect(aUser({ email: 'free@example.org', username: 'free' })).resolves.toMatch(/^usr_/)
  })

  test('leaves no personal data in the row even if an update runs at the same time', async () => {
    const id = await aUser()
    await Promise.all([update({ id, name: 'Still here' }).catch(() => {}), deactivate(id)])
    expect(await rowOf(id)).toMatchObject({ name: null, email: null })
  })

  test('is rejected for an unknown user', async () => {
    const id = newId('user')
    expect(await refusalOf(deactivate(id))).toBe(`unknown id ${id}`)
  })
})

describe('lockActiveUser', () => {
  test('returns an active user; for a deactivated user the error names the caller’s field', async () => {
    const [active, gone] = [await aUser({ name: 'Active' }), await aUser()]
    await deactivate(gone)
    await inTest(async (tx) => {
      expect(await lockActiveUser(tx, 'author', active)).toMatchObject({ id: active, name: 'Active', address: null })
      expect(await refusalOf(lockActiveUser(tx, 'author', gone))).toBe('author deactivated')
    })
  })
})
