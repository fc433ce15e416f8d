import { describe, expect, test } from 'vitest'
import {
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  type PasswordHash,
  passwordHasher,
  passwordSentence,
  rejectBadPassword,
} from './passwords.ts'

const { hash, verify } = passwordHasher()

describe('a password hash', () => {
  test('is argon2id in the PHC form, with a salt: hashing a password twice gives two different hashes', async () => {
    const [one, other] = await Promise.all([hash('correct horse'), hash('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[0-9A-Za-z+/]{22}\$[0-9A-Za-z+/]{43}$/)
    expect(one).not.toBe(other)
  })

  test('verifies only its own password', async () => {
    const stored = await hash('correct horse')
    expect(await verify('correct horse', stored)).toBe(true)
    for (const wrong of ['Correct horse', 'correct horse ', '', 'x'.repeat(10_000)]) {
      expect(await verify(wrong, stored)).toBe(false)
    }
  })

  test('of another implementation is verified with the parameters that it contains', async () => {
    // From the test suite of the reference implementation (phc-winner-argon2, test.c).
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verify('password', reference as PasswordHash)).toBe(true)
    expect(await verify('passwort', reference as PasswordHash)).toBe(false)
  })

  test('verifies composed and decomposed letters alike, because their form depends on the keyboard', async () => {
    expect(await verify('\u0041\u030angstro\u0308m', await hash('\u212bngstr\u00f6m'))).toBe(true)
  })

  test('is computed for an unknown account too: it takes at least a fifth of the processor time of a known account', async () => {
    const stored = await hash('correct horse')
    // Measures processor time, because the clock also counts the time of other processes.
    const work = async (of: PasswordHash | null) => {
      const before = process.cpuUsage()
      expect(await verify('wrong horse', of)).toBe(false)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const [forKnown, forUnknown] = [await work(stored), await work(null)]
    expect(forUnknown).toBeGreaterThan(forKnown / 5)
  })

  test('in any other form causes an internal error whose message does not contain the hash', async () => {
    const error = await verify('x', '$2b$10$abcdefgh' as PasswordHash).catch(String)
    expect(error).toMatch(/not in the argon2id form/)
    expect(error).not.toContain('abcdefgh')
  })
})

describe('hashing', () => {
  test('returns a hash to every waiting caller', async () => {
    const hasher = passwordHasher({ atOnceMax: 2, waitingMax: 10 })
    const hashes = await Promise.all(Array.from({ length: 8 }, (_, at) => hasher.hash(`password ${at}`)))
    expect(new Set(hashes).size).toBe(8)
  })

  test('rejects a request if too many are waiting; the waiting requests still get their hashes', async () => {
    const hasher = passwordHasher({ atOnceMax: 1, waitingMax: 2 })
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('password')))
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(tries.at(-1)).toMatchObject({ reason: { type: 'unavailable' } })
    await expect(hasher.hash('password')).resolves.toMatch(/^\$argon2id/)
  })

  test('that fails frees its slot for the next caller', async () => {
    const hasher = passwordHasher({ atOnceMax: 1 })
    const broken = '$argon2id$v=19$m=1,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    await expect(hasher.verify('x', broken as PasswordHash)).rejects.toThrow()
    await expect(hasher.hash('password')).resolves.toMatch(/^\$argon2id/)
  })
})

describe('a password', () => {
  test.each([
    'kV9#rTq2!mWz',
    Array.from({ length: PASSWORD_CHARS_MAX }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
    '~{}|:?<>_=-;',
    'über drei Brücken',
  ])('may be %j', (password) => {
    expect(() => rejectBadPassword(password)).not.toThrow()
  })

  test.each([
    ['too_short', ''],
    ['too_short', '🔑'.repeat(PASSWORD_CHARS_MIN - 1)],
    ['too_long', 'x'.repeat(PASSWORD_CHARS_MAX + 1)],
    ['too_common', '🔑'.repeat(PASSWORD_CHARS_MIN)],
    ['too_common', ' '.repeat(PASSWORD_CHARS_MIN)],
    ['invalid_text', `${'x'.repeat(PASSWORD_CHARS_MIN)}\ud800`],
  ])('is rejected as %s', (code, password) => {
    const details = { fields: [expect.objectContaining({ field: 'password', code })] }
    expect(() => rejectBadPassword(password)).toThrow(expect.objectContaining({ type: 'validation_error', details }))
  })

  test('that is not valid Unicode gets a message about Unicode, and none about the length', () => {
    const password = `kV9#rTq2!mWz\ud800`
    const message = 'must be valid Unicode: it has one half of a surrogate pair'
    const details = { fields: [{ field: 'password', code: 'invalid_text', message }] }
    expect(() => rejectBadPassword(password)).toThrow(expect.objectContaining({ details }))
    expect(passwordSentence(password)).toMatch(/^This password has a character that is not valid\./)
  })
})
