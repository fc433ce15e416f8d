import { randomBytes } from 'node:crypto'
import type { SignIns, StaffMember } from '#http/ports.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { personOfCommandLine } from '../command-line/sessions.ts'
import { foldedEmail } from '../email-address.ts'
import { purgeTickets } from '../factors/store.ts'
import { purgeUsedStates } from '../openid/store.ts'
import { STAFF_LIMITS, type StaffLimits } from '../settings.ts'
import { purgeSignUps } from '../sign-up/store.ts'
import { findStaffSession, touchStaffSession } from '../staff/store.ts'
import { findAccountByEmail, purgeLinks } from '../store.ts'
import {
  countDeviceFailure,
  deleteDevice,
  deleteOldestDevices,
  deleteSession,
  findSession,
  insertDevice,
  insertSession,
  purgeAttempts,
  purgeDevices,
  purgeSessions,
  touchSession,
} from './store.ts'

/** Longer than any value of our session cookie. A longer value is rejected without hashing. */
const VALUE_CHARS_MAX = 200

/**
 * Implements the edge's port: `find` returns the person who is signed in with the browser that sends this cookie. `find` does one short
 * read of the platform's tables, which the connection of either world may read. Nothing is cached between requests.
 */
export function signIns(
  { live: db }: { readonly live: WorldDatabase },
  staffLimits: StaffLimits = STAFF_LIMITS,
): Required<SignIns> {
  return {
    findCommandLine: (bearer) => personOfCommandLine(db, bearer),
    findStaff: async (cookieValue) =>
      cookieValue.length > VALUE_CHARS_MAX ? null : findStaffMember(db, digestOf(cookieValue), staffLimits),
    async find(cookieValue) {
      if (cookieValue.length > VALUE_CHARS_MAX) return null
      const hash = digestOf(cookieValue)
      const session = await findSession(db, hash)
      if (session === null) return null
      if (session.unseen_lately) noteUse(db, hash)
      const { account_id: accountId, name, email, proven_seconds_ago: provenSecondsAgo } = session
      return { kind: 'account', accountId, name, email, sessionHash: hash, provenSecondsAgo }
    },
  }
}

/** The request does not wait for this write. If it fails, the next request tries again. */
function noteUse(db: WorldDatabase, hash: Buffer): void {
  touchSession(db, hash).catch(() => {})
}

/**
 * The person of this session, and whether they may act for the platform. Staff use the same session in the portal. To act for the
 * platform, the person needs a staff role and a second factor, must have proved the factor in this session within the hours of
 * `limits`, and must not have paused longer than `limits` allows. Only a request of a person who may act for the platform counts as
 * use, so that rejected requests do not extend that person's time.
 */
async function findStaffMember(
  db: WorldDatabase,
  sessionHash: Buffer,
  limits: StaffLimits,
): Promise<StaffMember | null> {
  const session = await findStaffSession(db, sessionHash, limits)
  if (session === null) return null
  const { account_id: accountId, name, role, has_factor: hasFactor, ends_at: endsAt } = session
  const serves = role !== null && hasFactor && endsAt !== null
  // The request does not wait for this write. If it fails, the next request tries again.
  if (serves && session.unseen_lately) touchStaffSession(db, sessionHash).catch(() => {})
  return { accountId, name, sessionHash, role, hasFactor, endsAt }
}

const VALUE_BYTES = 32

/**
 * Signs one browser in to the account. The cookie value is always new, so a value that an attacker put into the browser before is
 * useless (session fixation). The session that the browser had before ends. Null for a disabled account.
 */
export async function startSession(
  tx: PlatformTx,
  account: Id<'account'>,
  cookieBefore: string | null,
  { userAgent, withFactor = false }: { readonly userAgent: string | undefined; readonly withFactor?: boolean },
): Promise<string | null> {
  const value = randomBytes(VALUE_BYTES).toString('base64url')
  const session = { hash: digestOf(value), account, device: deviceLabel(userAgent), withFactor }
  const isStarted = await insertSession(tx, session)
  if (!isStarted) return null
  if (cookieBefore !== null) await deleteSession(tx, digestOf(cookieBefore))
  return value
}

export async function endSession(tx: PlatformTx, cookieValue: string): Promise<void> {
  await deleteSession(tx, digestOf(cookieValue))
}

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Strangers could lock out an account's owner by using up
 * the account's limit of attempts. So each sign-in gives the browser a sealed cookie, which has its own limit of five wrong passwords for
 * this account. After five wrong passwords, the shared limits apply. The owner's next sign-in in that browser replaces the secret in the
 * cookie, so a stolen cookie allows at most five guesses beyond the shared limits.
 */
export const DEVICE_FAILURES_MAX = 5
const DEVICE_DAYS = 180
/** The cookie of a shared browser lists at most this many accounts, which keeps it well under a browser's limit of 4 KiB. */
const ACCOUNTS_PER_BROWSER = 5
const DEVICES_PER_ACCOUNT = 30

export type Device = { readonly account: Id<'account'>; readonly secret: string }

export type DeviceCookies = {
  /** The devices in a Cookie header. Empty for a cookie that this service did not seal. */
  read(cookieHeader: string | undefined): readonly Device[]
  /** The Set-Cookie header that stores the devices. */
  write(devices: readonly Device[]): string
}

const CONTEXT = 'sign-in devices v1'
const SEALED_CHARS_MAX = 2_000
const SECRET_BYTES = 32
const DAY_SECONDS = 86_400

export function deviceCookies(keys: Keyring, isHttps: () => boolean): DeviceCookies {
  const box = sealedBox(keys('sign-in-devices'))
  const name = () => (isHttps() ? '__Host-portico-device' : 'portico-device')
  return {
    read(header) {
      const begin = `${name()}=`
      const pairs = header?.split(';').map((pair) => pair.trim())
      const sealed = pairs?.find((pair) => pair.startsWith(begin))?.slice(begin.length)
      if (sealed === undefined || sealed.length > SEALED_CHARS_MAX) return []
      const plain = box.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      if (plain === null) return []
      const entries = JSON.parse(plain.toString()) as readonly (readonly [string, string])[]
      return entries.flatMap(([id, secret]) => {
        const account = parseId('account', id)
        return account === null ? [] : [{ account, secret }]
      })
    },
    write(devices) {
      const plain = JSON.stringify(devices.map(({ account, secret }) => [account, secret]))
      const sealed = box.seal(Buffer.from(plain), CONTEXT).toString('base64url')
      const attributes = ['Path=/', `Max-Age=${DEVICE_DAYS * DAY_SECONDS}`, 'HttpOnly', 'SameSite=Lax']
      return [`${name()}=${sealed}`, ...attributes, ...(isHttps() ? ['Secure'] : [])].join('; ')
    },
  }
}

/**
 * The hash of the device if this browser is a known browser of the account with attempts left; else null. Such a browser may try a
 * password although the limit that the account shares with strangers is used up. Counts the attempt as a failure;
 * `uncountDeviceFailure` reverts the count if the password was right.
 */
export async function admitDevice(
  db: PlatformDatabase,
  email: string,
  devices: readonly Device[],
): Promise<Buffer | null> {
  if (devices.length === 0) return null
  const found = await findAccountByEmail(db.reads, foldedEmail(email))
  const device = devices.find(({ account }) => account === found?.id)
  if (device === undefined) return null
  const { account, secret } = device
  const hash = digestOf(secret)
  return (await countDeviceFailure(db, { hash, account, failuresMax: DEVICE_FAILURES_MAX })) ? hash : null
}

/** Records that this browser signed in to the account. Returns the new content of its device cookie. */
export async function rememberDevice(
  tx: PlatformTx,
  account: Id<'account'>,
  devices: readonly Device[],
): Promise<readonly Device[]> {
  const before = devices.find((device) => device.account === account)
  if (before !== undefined) await deleteDevice(tx, digestOf(before.secret))
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await insertDevice(tx, { hash: digestOf(secret), account, days: DEVICE_DAYS })
  await deleteOldestDevices(tx, account, DEVICES_PER_ACCOUNT)
  return [{ account, secret }, ...devices.filter((device) => device !== before)].slice(0, ACCOUNTS_PER_BROWSER)
}

const PURGES = [purgeSessions, purgeAttempts, purgeDevices, purgeLinks, purgeUsedStates, purgeTickets, purgeSignUps]

/** Deletes up to `limit` expired rows. If it returns fewer, only rows that other transactions have locked may be left. */
export async function purgeSignIns(tx: PlatformTx, limit: number): Promise<number> {
  let purged = 0
  for (const purge of PURGES) {
    if (purged < limit) purged += await purge(tx, limit - purged)
  }
  return purged
}

/** The order matters: most browsers also name the browsers that they are compatible with. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const UNKNOWN = 'An unknown browser'
/** Longer than the header of any browser; the rest of a longer header is ignored. */
const USER_AGENT_CHARS_MAX = 500

/**
 * The names of browser and system, for the owner of the session. Only these names are stored: the whole header almost identifies a browser,
 * and a network address would show where the person was.
 */
export function deviceLabel(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_CHARS_MAX)
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0]
  if (browser === undefined) return system === undefined ? UNKNOWN : `${UNKNOWN} on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
