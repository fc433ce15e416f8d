import { randomBytes } from 'node:crypto'
import { csrfToken } from '#http/browser/cookies.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { anAccount } from './apps.ts'
import type { TestDatabase } from './database.ts'

/** The parts of a person's session that decide what the platform's staff may do. */
type NewStaff = {
  readonly role: PlatformRole | null
  /** Whether the account has an authenticator app. */
  readonly hasFactor?: boolean
  /** How long ago the person proved their second factor in this session, or null for never. */
  readonly provenMinutesAgo?: number | null
  /** How long ago the person last sent a request as staff. */
  readonly seenMinutesAgo?: number
  /** The service's keys, from which the CSRF token is computed. Not needed if a portal route can return that token. */
  readonly keys?: Keyring
}

export type Staff = {
  readonly account: Id<'account'>
  readonly cookie: string
  /** The headers of a request from our own page: the cookie, the origin, the CSRF token, and a reason for the audit. */
  readonly headers: Readonly<Record<string, string>>
}

/** Creates a person with a session in the state that a test starts with. Other tests check how people sign in. */
export async function aStaffMember(db: TestDatabase, url: string, staff: NewStaff): Promise<Staff> {
  const { role, hasFactor = true, provenMinutesAgo = 0, seenMinutesAgo = 0, keys } = staff
  const account = await anAccount(db, { name: 'Grace Hopper' })
  await db.sql('update platform.accounts set staff_role = $2 where id = $1', [account, role])
  if (hasFactor) {
    const secret = randomBytes(64)
    await db.sql('insert into platform.account_totp (account_id, secret, last_step) values ($1, $2, 1)', [
      account,
      secret,
    ])
  }
  const value = randomBytes(32).toString('base64url')
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at, factor_at, staff_seen_at)
     values ($1, $2, now() + interval '8 hours', now() - make_interval(mins => $3), now() - make_interval(mins => $4))`,
    [digestOf(value), account, provenMinutesAgo, seenMinutesAgo],
  )
  const cookie = `portico=${value}`
  const csrf = keys === undefined ? await csrfFromPortal(url, cookie) : csrfToken(keys('csrf'), value)
  return { account, cookie, headers: { cookie, origin: url, 'x-portico-csrf': csrf, ...REASON } }
}

const REASON = { 'x-portico-reason': 'A%20test' }

async function csrfFromPortal(url: string, cookie: string): Promise<string> {
  const me = await fetch(`${url}/portal/api/me`, { headers: { cookie } })
  const { meta } = (await me.json()) as { meta?: { csrf?: string } }
  return meta?.csrf ?? ''
}
