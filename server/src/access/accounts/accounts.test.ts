import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import {
  type AccountLink,
  createAccount,
  findAccountByEmail,
  findUserOf,
  linkAccount,
  type NewAccount,
  type PasswordHash,
} from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc' as PasswordHash
const at = { occurredAt: worldTime('2026-03-01T00:00:00.000000Z') }

const create = (account: NewAccount) => db.databases.platform.transaction((tx) => createAccount(tx, account))
const link = (link: AccountLink) => db.databases.platform.transaction((tx) => linkAccount(tx, link))
const find = (email: string) => findAccountByEmail(db.databases.platform.reads, email)
const userOf = (account: Id<'account'>, world: World) => findUserOf(db.databases.platform.reads, account, world)
const anAccount = () => create({ email: `${newId('account')}@example.org`, name: 'Dev', passwordHash: null })
const aUser = (world: World = 'test') => db.databases[world].transaction((tx) => makeUser(tx))

describe('creating an account', () => {
  test('stores a hash of the password, and no hash for a person who signs in at the provider', async () => {
    const id = await create({ email: 'Ada@Example.org', name: 'Ada', passwordHash: HASH })
    const account = { id, email: 'Ada@Example.org', name: 'Ada', password_hash: HASH, disabled_at: null }
    expect(await find('ada@example.ORG')).toEqual({
      ...account,
      email_verified_at: expect.stringMatching(/Z$/),
      staff_role: null,
    })
    await create({ email: 'sso@example.org', name: 'Ada', passwordHash: null })
    expect(await find('sso@example.org')).toMatchObject({ password_hash: null })
  })

  test('is rejected if another account has the id or the address, in upper or lower case', async () => {
    const id = await create({ email: 'Taken@example.org', name: 'First', passwordHash: null })
    const second = { name: 'Second', passwordHash: HASH }
    expect(await refusalOf(create({ ...second, email: 'tAKEN@EXAMPLE.ORG' }))).toBe('email taken')
    expect(await refusalOf(create({ ...second, id, email: 'other@example.org' }))).toBe('id already_exists')
    expect(await find('taken@example.org')).toMatchObject({ id, name: 'First' })
    expect(await find('other@example.org')).toBeNull()
  })

  test('ten requests at once with one address create one account', async () => {
    const tries = Array.from({ length: 10 }, () => create({ email: 'Race@example.org', name: 'R', passwordHash: null }))
    const refusals = await Promise.all(tries.map((each) => refusalOf(each).catch(() => 'created')))
    expect(refusals.toSorted()).toEqual(['created', ...Array(9).fill('email taken')])
  })

  test('ignores the case of ASCII letters in addresses, but not of other letters', async () => {
    await create({ email: 'Ö@example.org', name: 'Ö', passwordHash: null })
    expect(await find('ö@example.org')).toBeNull()
    expect(await find('Ö@EXAMPLE.org')).not.toBeNull()
  })
})

describe('linking an account', () => {
  test('links the account to one user of each world', async () => {
    const [account, user, liveUser] = [await anAccount(), await aUser(), await aUser('live')]
    await link({ account, world: 'test', user })
    expect([await userOf(account, 'test'), await userOf(account, 'live')]).toEqual([user, null])
    await link({ account, world: 'live', user: liveUser })
    expect([await userOf(account, 'test'), await userOf(account, 'live')]).toEqual([user, liveUser])
  })

  test('a second link to the same user changes nothing; a link to another user of that world is rejected', async () => {
    const [account, user, another] = [await anAccount(), await aUser(), await aUser()]
    await link({ account, world: 'test', user })
    await link({ account, world: 'test', user })
    expect(await refusalOf(link({ account, world: 'test', user: another }))).toBe('account already_linked')
    expect(await userOf(account, 'test')).toBe(user)
  })

  test('is rejected for a user who is linked to another account', async () => {
    const [account, another, user] = [await anAccount(), await anAccount(), await aUser()]
    await link({ account, world: 'test', user })
    expect(await refusalOf(link({ account: another, world: 'test', user }))).toBe('user already_linked')
    expect(await userOf(another, 'test')).toBeNull()
  })

  test('is rejected for a user of the other world, as for an unknown user', async () => {
    const [account, user, liveUser] = [await anAccount(), await aUser(), await aUser('live')]
    expect(await refusalOf(link({ account, world: 'live', user }))).toBe(`unknown user ${user}`)
    expect(await refusalOf(link({ account, world: 'test', user: liveUser }))).toBe(`unknown user ${liveUser}`)
  })

  test('is rejected for an unknown account, and for a deactivated user', async () => {
    const [account, user, unknown] = [await anAccount(), await aUser(), newId('account')]
    expect(await refusalOf(link({ account: unknown, world: 'test', user }))).toBe(`unknown account ${unknown}`)
    await db.databases.test.transaction((tx) => deactivateUser(tx, user, at))
    expect(await refusalOf(link({ account, world: 'test', user }))).toBe('user deactivated')
  })

  test('concurrent requests link a user to one account only, and an account to one user only', async () => {
    const [user, account] = [await aUser(), await anAccount()]
    const accounts = await Promise.all(Array.from({ length: 5 }, anAccount))
    const users = await Promise.all(Array.from({ length: 5 }, () => aUser()))
    const winners = async (links: AccountLink[]) =>
      (await Promise.allSettled(links.map(link))).filter(({ status }) => status === 'fulfilled').length
    expect(await winners(accounts.map((account) => ({ account, world: 'test', user })))).toBe(1)
    expect(await winners(users.map((user) => ({ account, world: 'test', user })))).toBe(1)
  })
})
