import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { disableAccount } from '../administration/administer.ts'
import { createAccount, type PasswordHash } from '../index.ts'
import { signInWithPassword } from './sign-in.ts'
import { endSession, purgeSignIns, signIns, startSession } from './sign-ins.ts'
import { findSession } from './store.ts'
import { PAIR_ATTEMPTS_MAX } from './throttle.ts'

const PASSWORD = 'correct horse'
const hasher = quickHasher
const keys = keyring(randomBytes(32).toString('hex'))
const origin = () => 'http://portico.example'

let db: TestDatabase
let hash: PasswordHash
beforeAll(async () => {
  db = await testDatabase()
  hash = await hasher.hash(PASSWORD)
})
afterAll(() => db.close())

const anAccount = async (email = `${newId('account')}@example.org`, passwordHash: PasswordHash | null = hash) => ({
  email,
  id: await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash })),
})
const start = (account: Id<'account'>, before: string | null = null) =>
  db.databases.platform.transaction((tx) => startSession(tx, account, before, { userAgent: undefined }))
const started = async (account: Id<'account'>, before: string | null = null) => {
  const value = await start(account, before)
  if (value === null) throw new Error('not signed in')
  return value
}
const find = (value: string) => signIns(db.databases).find(value)
const disable = (id: string) => db.sql('update platform.accounts set disabled_at = now() where id = $1', [id])

let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`
const tryPassword = (email: string, password: string, address = anAddress()) =>
  signInWithPassword(
    { platform: db.databases.platform, hasher, keys, origin },
    { email, password, address, cookieBefore: null },
  )
const kindsOf = async (tries: readonly ReturnType<typeof tryPassword>[]) =>
  (await Promise.all(tries)).map(({ kind }) => kind)

describe('a sign-in session', () => {
  test('is found by its cookie; the database has only the digest of the cookie', async () => {
    const { id, email } = await anAccount()
    const value = await started(id)
    expect(value).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const sessionHash = digestOf(value)
    expect(await find(value)).toEqual({
      kind: 'account',
      accountId: id,
      name: 'Ada',
      email,
      sessionHash,
      provenSecondsAgo: 0,
    })
    const rows = await db.sql<{ row: string }>('select s::text as row from platform.sign_in_sessions s')
    expect(JSON.stringify(rows)).not.toContain(value)
  })

  test.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['the right length', 'A'.repeat(43)],
    ['endless text', 'A'.repeat(10_000)],
  ])('is not found by a cookie of %s', async (_, value) => {
    expect(await find(value)).toBeNull()
  })

  test('replaces the session of this browser and leaves the sessions of other browsers', async () => {
    const { id } = await anAccount()
    const [here, there] = [await started(id), await started(id)]
    const again = await started(id, here)
    expect(again).not.toBe(here)
    expect(await find(here)).toBeNull()
    expect([await find(again), await find(there)]).not.toContain(null)
  })

  test('ends in this browser only, when the person signs out there', async () => {
    const { id } = await anAccount()
    const [here, there] = [await started(id), await started(id)]
    await db.databases.platform.transaction((tx) => endSession(tx, here))
    expect(await find(here)).toBeNull()
    expect(await find(there)).not.toBeNull()
  })

  test('ends 8 hours after its last use or 7 days after the sign-in, if that is earlier', async () => {
    const { id } = await anAccount()
    const value = await started(id)
    const age = (seen: string, created = seen) =>
      db.sql(
        `update platform.sign_in_sessions
            set created_at = created_at - $2::interval, seen_at = seen_at - $3::interval,
                expires_at = expires_at - $3::interval
          where hash = $1`,
        [digestOf(value), created, seen],
      )
    const expires = async () => {
      const [row] = await db.sql<{ idle: boolean; altogether: boolean }>(
        `select expires_at between now() + interval '7 hours 59 minutes' and now() + interval '8 hours' as idle,
                expires_at = created_at + interval '7 days' as altogether
           from platform.sign_in_sessions where hash = $1`,
        [digestOf(value)],
      )
      return row
    }
    expect(await expires()).toEqual({ idle: true, altogether: false })
    await age('7 hours 50 minutes', '6 days 12 hours')
    expect(await find(value)).not.toBeNull()
    await expect.poll(expires).toEqual({ idle: true, altogether: false })
    await age('6 hours')
    expect(await find(value)).not.toBeNull()
    await expect.poll(expires).toEqual({ idle: false, altogether: true })
    await age('7 hours')
    expect(await find(value)).toBeNull()
  })

  test('that was not used for 8 hours has ended, and a later use does not restore it', async () => {
    const { id } = await anAccount()
    const value = await started(id)
    await db.sql(
      `update platform.sign_in_sessions set created_at = now() - interval '9 hours', seen_at = now() - interval '8 hours',
              expires_at = now() where hash = $1`,
      [digestOf(value)],
    )
    expect([await find(value), await find(value)]).toEqual([null, null])
  })

  test('records its last use at most every five minutes', async () => {
    const { id } = await anAccount()
    const value = await started(id)
    const aged = (by: string) =>
      db.sql('update platform.sign_in_sessions set seen_at = now() - $2::interval where hash = $1', [
        digestOf(value),
        by,
      ])
    await aged('4 minutes')
    expect(await findSession(db.databases.live, digestOf(value))).toMatchObject({ unseen_lately: false })
    await aged('6 minutes')
    expect(await find(value)).not.toBeNull()
    await expect.poll(() => findSession(db.databases.live, digestOf(value))).toMatchObject({ unseen_lately: false })
  })

  test('stays valid if its last use cannot be recorded', async () => {
    const { id } = await anAccount()
    const value = await started(id)
    await db.sql(`update platform.sign_in_sessions set seen_at = now() - interval '1 hour' where hash = $1`, [
      digestOf(value),
    ])
    const { live } = db.databases
    const failing = { ...live, reads: { ...live.reads, run: () => Promise.reject(new Error('no')) } }
    expect(await signIns({ live: failing }).find(value)).toMatchObject({ accountId: id })
  })

  test('of a disabled account is rejected on the next request, and no new session begins', async () => {
    const { id } = await anAccount()
    const value = await started(id)
    await disable(id)
    expect(await find(value)).toBeNull()
    expect(await start(id)).toBeNull()
  })

  test('does not begin for a person who signs in while the account is being disabled', async () => {
    const { id } = await anAccount()
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const disabling = db.databases.platform.transaction(async (tx) => {
      await disableAccount(tx, id, 'system')
      hold()
      await done
    })
    await held
    const starting = start(id)
    await db.untilTransactionWaits()
    finish()
    await disabling
    expect(await starting).toBeNull()
  })
})

describe('signing in with a password', () => {
  test('begins a session; the case of the address and a space after the address do not matter', async () => {
    const { id } = await anAccount('Mixed.Case@example.org')
    const outcome = await tryPassword(' mixed.case@EXAMPLE.org ', PASSWORD)
    if (outcome.kind !== 'signed_in') throw new Error(outcome.kind)
    expect(await find(outcome.cookieValue)).toMatchObject({ accountId: id })
  })

  test('gives the same outcome for a wrong password, an unknown address and an account without a password', async () => {
    const [{ email }, elsewhere] = [await anAccount(), await anAccount(undefined, null)]
    expect(await tryPassword(email, 'wrong horse')).toEqual({ kind: 'wrong' })
    expect(await tryPassword('nobody@example.org', PASSWORD)).toEqual({ kind: 'wrong' })
    expect(await tryPassword(elsewhere.email, PASSWORD)).toEqual({ kind: 'wrong' })
  })

  test('verifies an empty text instead of a password longer than the maximum, so a long password costs no more work', async () => {
    const verified: [password: string, hash: PasswordHash | null][] = []
    const counting = {
      ...hasher,
      verify: (password: string, hash: PasswordHash | null) => {
        verified.push([password, hash])
        return hasher.verify(password, hash)
      },
    }
    const longest = '🐴'.repeat(200)
    const { email } = await anAccount(undefined, await hasher.hash(longest))
    const tryIt = (password: string) =>
      signInWithPassword(
        { platform: db.databases.platform, hasher: counting, keys, origin },
        { email, password, address: anAddress(), cookieBefore: null },
      )
    for (const password of [`${longest}x`, 'x'.repeat(201), 'ﷺ'.repeat(300_000)]) {
      expect(await tryIt(password)).toEqual({ kind: 'wrong' })
    }
    expect(verified).toEqual([
      ['', null],
      ['', null],
      ['', null],
    ])
    expect(await tryIt(longest)).toMatchObject({ kind: 'signed_in' })
  })

  test('reports that an account is disabled only to a person who knows the password', async () => {
    const { id, email } = await anAccount()
    await disable(id)
    expect(await tryPassword(email, 'wrong horse')).toEqual({ kind: 'wrong' })
    expect(await tryPassword(email, PASSWORD)).toEqual({ kind: 'disabled' })
  })
})

describe('the throttle', () => {
  test('verifies exactly five of sixteen passwords at once, with or without an account', async () => {
    for (const email of [(await anAccount()).email, 'nobody-at-all@example.org']) {
      let verified = 0
      const counting = { ...hasher, verify: async () => ++verified < 0 }
      const address = anAddress()
      const tries = Array.from({ length: 16 }, () =>
        signInWithPassword(
          { platform: db.databases.platform, hasher: counting, keys, origin },
          { email, password: 'x', address, cookieBefore: null },
        ),
      )
      const kinds = await kindsOf(tries)
      expect(verified).toBe(PAIR_ATTEMPTS_MAX)
      expect(kinds.toSorted()).toEqual([...Array(11).fill('too_many'), ...Array(5).fill('wrong')])
    }
  })

  test('rejects even the right password, and returns the time to wait', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    for (let i = 0; i < PAIR_ATTEMPTS_MAX; i++) await tryPassword(email, 'wrong', address)
    const rejected = await tryPassword(email, PASSWORD, address)
    if (rejected.kind !== 'too_many') throw new Error(rejected.kind)
    expect(rejected.retryAfterSeconds).toBeGreaterThan(14 * 60)
    expect(rejected.retryAfterSeconds).toBeLessThanOrEqual(15 * 60)
    expect(await tryPassword(email, PASSWORD)).toMatchObject({ kind: 'signed_in' })
  })

  test('starts to count again when its window has ended', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    for (let i = 0; i <= PAIR_ATTEMPTS_MAX; i++) await tryPassword(email, 'wrong', address)
    await db.sql(`update platform.sign_in_attempts set window_ends_at = now() where attempts > $1`, [PAIR_ATTEMPTS_MAX])
    expect(await tryPassword(email, PASSWORD, address)).toMatchObject({ kind: 'signed_in' })
  })

  test('deletes the attempts of a person who signed in', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < PAIR_ATTEMPTS_MAX - 1; i++) await tryPassword(email, 'wrong', address)
      expect(await tryPassword(email, PASSWORD, address)).toMatchObject({ kind: 'signed_in' })
    }
  })

  test('counts all addresses of an IPv6 /64 as one', async () => {
    const { email } = await anAccount()
    for (let i = 0; i < PAIR_ATTEMPTS_MAX; i++) await tryPassword(email, 'wrong', `2001:db8::${i}`)
    expect(await tryPassword(email, PASSWORD, '2001:db8:0:0:ffff::1')).toMatchObject({ kind: 'too_many' })
    expect(await tryPassword(email, PASSWORD, '2001:db8:0:1::1')).toMatchObject({ kind: 'signed_in' })
  })

  test('allows fifty attempts on one account from many addresses, and a hundred attempts from one address', async () => {
    const quick = { ...hasher, verify: async () => false }
    const tryQuickly = (email: string, address: string) =>
      signInWithPassword(
        { platform: db.databases.platform, hasher: quick, keys, origin },
        { email, password: 'x', address, cookieBefore: null },
      )
    const { email } = await anAccount()
    const fromMany = await kindsOf(Array.from({ length: 60 }, (_, i) => tryQuickly(email, `203.0.113.${i}`)))
    expect(fromMany.filter((kind) => kind === 'wrong')).toHaveLength(50)
    const address = anAddress()
    const manyAccounts = Array.from({ length: 110 }, (_, i) => tryQuickly(`victim-${i}@example.org`, address))
    expect((await kindsOf(manyAccounts)).filter((kind) => kind === 'wrong')).toHaveLength(100)
  })

  const knowing = { ...hasher, verify: async (password: string) => password === PASSWORD }
  const tryKnowing = (email: string, password: string, address: string) =>
    signInWithPassword(
      { platform: db.databases.platform, hasher: knowing, keys, origin },
      { email, password, address, cookieBefore: null },
    )

  test('does not count successful sign-ins, whether an office shares one address or a person uses many addresses', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    const office = await Promise.all(Array.from({ length: 10 }, () => anAccount()))
    for (let day = 0; day < 12; day++) {
      const kinds = await kindsOf(office.map((each) => tryKnowing(each.email, PASSWORD, address)))
      expect(new Set(kinds)).toEqual(new Set(['signed_in']))
    }
    for (let i = 0; i < 60; i++) {
      expect(await tryKnowing(email, PASSWORD, `192.0.2.${i}`)).toMatchObject({ kind: 'signed_in' })
    }
  })

  test('allows one address a hundred failed attempts, no matter how many people sign in from it meanwhile', async () => {
    const [friend, address] = [await anAccount(), anAddress()]
    let wrong = 0
    for (let i = 0; i < 110; i++) {
      if (i % 10 === 0) await tryKnowing(friend.email, PASSWORD, address)
      const { kind } = await tryKnowing(`guessed-${i}@example.org`, 'wrong', address)
      if (kind === 'wrong') wrong++
    }
    expect(wrong).toBe(100)
  })

  test('subtracts a successful attempt only from the window in which it was counted', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    await db.sql('delete from platform.sign_in_attempts')
    const moving = {
      ...hasher,
      verify: async () => {
        await db.sql(`update platform.sign_in_attempts set window_ends_at = window_ends_at + interval '1 minute'`)
        return true
      },
    }
    await tryKnowing(email, PASSWORD, address)
    const counts = () => db.sql<{ attempts: number }>('select attempts from platform.sign_in_attempts')
    expect(await counts()).toEqual([{ attempts: 0 }, { attempts: 0 }])
    await signInWithPassword(
      { platform: db.databases.platform, hasher: moving, keys, origin },
      { email, password: PASSWORD, address, cookieBefore: null },
    )
    expect(await counts()).toEqual([{ attempts: 1 }, { attempts: 1 }])
  })

  test('verifies only five of sixteen attempts that send one account’s right password at once; the others are rejected', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    const { promise: open, resolve } = Promise.withResolvers<void>()
    let verified = 0
    const waiting = {
      ...hasher,
      verify: async () => {
        verified++
        await open
        return true
      },
    }
    const tries = Array.from({ length: 16 }, () =>
      signInWithPassword(
        { platform: db.databases.platform, hasher: waiting, keys, origin },
        { email, password: PASSWORD, address, cookieBefore: null },
      ),
    )
    let rejected = 0
    for (const each of tries) void each.then(({ kind }) => kind === 'too_many' && rejected++)
    await expect.poll(() => rejected).toBe(11)
    await expect.poll(() => verified).toBe(PAIR_ATTEMPTS_MAX)
    resolve()
    expect((await kindsOf(tries)).filter((kind) => kind === 'signed_in')).toHaveLength(PAIR_ATTEMPTS_MAX)
  })

  test('counts a rejected attempt toward no other limit, so that it cannot lock out an owner', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    const kinds = await kindsOf(Array.from({ length: 80 }, () => tryPassword(email, 'wrong', address)))
    expect(kinds.filter((kind) => kind === 'too_many')).toHaveLength(75)
    expect(await tryPassword(email, PASSWORD)).toMatchObject({ kind: 'signed_in' })
  })

  test('stores no data that shows who tried which account', async () => {
    const [{ email }, address] = [await anAccount(), anAddress()]
    await tryPassword(email, 'wrong', address)
    const rows = await db.sql<{ row: string }>('select a::text as row from platform.sign_in_attempts a')
    const columns = await db.sql<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'sign_in_attempts' order by 1`,
    )
    expect(columns.map(({ name }) => name)).toEqual(['attempts', 'bucket', 'window_ends_at'])
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${email}|${address}`))
  })
})

describe('cleaning up', () => {
  test('deletes expired sessions and windows in small batches, but none that are still in force', async () => {
    const { id } = await anAccount()
    const remaining = await started(id)
    for (let i = 0; i < 7; i++) await started(id)
    await db.sql(
      `update platform.sign_in_sessions set created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'
        where account_id = $1 and hash <> $2`,
      [id, digestOf(remaining)],
    )
    await db.sql('delete from platform.sign_in_attempts')
    await db.sql('delete from platform.sign_in_sessions where account_id <> $1', [id])
    await tryPassword('a@example.org', 'x')
    await db.sql(`update platform.sign_in_attempts set window_ends_at = now()`)
    await tryPassword('b@example.org', 'x')
    const purge = (limit: number) => db.databases.platform.transaction((tx) => purgeSignIns(tx, limit))
    expect([await purge(4), await purge(4), await purge(4), await purge(4)]).toEqual([4, 4, 2, 0])
    expect(await find(remaining)).not.toBeNull()
    expect(await db.sql('select from platform.sign_in_attempts')).toHaveLength(3)
  })
})
