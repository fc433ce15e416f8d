import { createHmac } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Key, PurposeKeys } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { foldedEmail } from '../email-address.ts'
import type { OpenIdSettings } from '../settings.ts'
import { countAttempt, findUnlock, giveAttemptBack, recordUnlock, resetAttempts } from './store.ts'

type CountedIn = Bucket & { readonly windowEndsAt: string }

export type CountedWindows = readonly CountedIn[]

type Counting =
  /** How many seconds to wait before the next attempt. */
  | { readonly retryAfterSeconds: number }
  /** The windows in which the attempt was counted. For passwords and codes, the first one is that of account and address together. */
  | { readonly counted: readonly CountedIn[] }

/**
 * Counts an attempt before its password is verified. So if one address sends sixteen attempts for one account at once, five are verified and
 * eleven are rejected.
 */
export async function countAttempts(db: PlatformDatabase, keys: PurposeKeys, attempt: Attempt): Promise<Counting> {
  const unlock = await findUnlock(db, unlockBucket(keys.current, foldedEmail(attempt.email)))
  return countIn(db, attemptBuckets(keys.current, attempt, unlock))
}

async function countIn(db: Pick<PlatformDatabase, 'reads'>, buckets: readonly Bucket[]): Promise<Counting> {
  const counted: CountedIn[] = []
  for (const each of buckets) {
    const { attempts, seconds_left, window_ends_at } = await countAttempt(db, each.bucket, each.windowMinutes)
    if (attempts > each.attemptsMax) return { retryAfterSeconds: Math.max(1, seconds_left) }
    counted.push({ ...each, windowEndsAt: window_ends_at })
  }
  return { counted }
}

/**
 * A successful sign-in with a password or a code shows that the failed attempts on this account from this address were the owner's, so
 * they are deleted. Other people share the limits of the address and of the account; from those limits only this attempt is subtracted, so
 * that the people of an office behind one address do not lock each other out. The rows are locked in the order of counting, as in every
 * request. A sign-in with a passkey is counted only toward the limit of the address, so it calls only `giveBackAttempt`.
 */
export async function forgetAttempts(tx: PlatformTx, [pair, ...others]: readonly CountedIn[]): Promise<void> {
  if (pair !== undefined) await resetAttempts(tx, pair.bucket)
  await giveBackAttempt(tx, others)
}

/** For an attempt that was counted only in limits that people share: subtracts this attempt, and leaves the attempts of others. */
export async function giveBackAttempt(tx: PlatformTx, counted: readonly CountedIn[]): Promise<void> {
  for (const { bucket, windowEndsAt } of counted) await giveAttemptBack(tx, bucket, windowEndsAt)
}

/**
 * Sign-in is throttled per account and network address. Each of the three limits prevents another way of guessing:
 *
 * - One address that tries one account: five, enough for a person who mistypes.
 * - An address that tries many accounts: a hundred, because a whole office may share one address.
 * - Many addresses that try one account: fifty, so that a botnet can guess at most 4,800 times a day, and a few strangers, each with
 *   one address, cannot lock out the owner.
 *
 * An attempt that one limit rejects is not counted toward the next limits. So a rejected attempt does not use up a limit that other
 * people share. Only failures stay counted: a successful sign-in subtracts its own attempt.
 */
const WINDOW_MINUTES = 15
/** Wrong passwords for one account from one address. */
export const PAIR_ATTEMPTS_MAX = 5
const ADDRESS_ATTEMPTS_MAX = 100
const ACCOUNT_ATTEMPTS_MAX = 50

type Bucket = { readonly bucket: Buffer; readonly attemptsMax: number; readonly windowMinutes: number }

type Attempt = { readonly email: string; readonly address: string }

/** Keyed hashes of the typed email address and the network address, so that the table does not reveal who tried to sign in. */
function attemptBuckets(key: Key, { email, address }: Attempt, unlock: number): readonly Bucket[] {
  const [account, group] = [foldedEmail(email), addressGroup(address)]
  const since = unlockedSince(unlock)
  const windowMinutes = WINDOW_MINUTES
  return [
    {
      bucket: bucketOf(key, 'account and address', account, group, ...since),
      attemptsMax: PAIR_ATTEMPTS_MAX,
      windowMinutes,
    },
    { bucket: bucketOf(key, 'address', group), attemptsMax: ADDRESS_ATTEMPTS_MAX, windowMinutes },
    { bucket: bucketOf(key, 'account', account, ...since), attemptsMax: ACCOUNT_ATTEMPTS_MAX, windowMinutes },
  ]
}

function bucketOf(key: Key, ...parts: readonly string[]): Buffer {
  return createHmac('sha256', key.secret).update(JSON.stringify(parts)).digest()
}

/**
 * When an operator unlocks an account, its wrong passwords and codes no longer count. The rows do not show to which account they belong, so
 * they cannot be deleted; instead, the account's attempts are counted in other buckets from then on. The count of a network address stays.
 */
export async function forgetAttemptsOf(
  tx: PlatformTx,
  { current: key }: PurposeKeys,
  { id, email }: { readonly id: Id<'account'>; readonly email: string },
): Promise<void> {
  for (const account of [foldedEmail(email), id]) await recordUnlock(tx, unlockBucket(key, account))
}

/**
 * After an unlock, an attacker can guess as often as before it; after a reset of the second factor, only the password protects the account.
 * An attacker may persuade staff to unlock or reset an account, or steal an operator key. So unlocks and resets together are limited to
 * five a day for one account.
 */
export const HELP_MAX = 5
export const HELP_WINDOW_MINUTES = 24 * 60

/** How many seconds staff must wait before they unlock or reset the account again; null if this request is within the limit. */
export async function countHelp(tx: PlatformTx, keys: PurposeKeys, account: Id<'account'>): Promise<number | null> {
  const bucket = bucketOf(keys.current, 'help by staff', account)
  const counting = await countIn({ reads: tx }, [{ bucket, attemptsMax: HELP_MAX, windowMinutes: HELP_WINDOW_MINUTES }])
  return 'retryAfterSeconds' in counting ? counting.retryAfterSeconds : null
}

/** `account` is the typed email address for passwords, and the account's id for codes. */
const unlockBucket = (key: Key, account: string) => bucketOf(key, 'unlock', account)

const unlockedSince = (unlock: number): readonly string[] => (unlock === 0 ? [] : [String(unlock)])

const CODE_ATTEMPTS_MAX = 5
const CODE_ACCOUNT_ATTEMPTS_MAX = 10
const CODE_ACCOUNT_WINDOW_MINUTES = 60

/**
 * Codes of the second step have six digits. An account allows five wrong codes in 15 minutes from one address, and ten an hour from
 * all addresses. So an attacker who knows the password and uses many addresses guesses a code within a day with a chance below one in
 * a thousand. Passkeys cannot be guessed and are not counted here, so the owner can sign in with a passkey while an attacker tries codes.
 */
export async function countCodeAttempts(
  db: PlatformDatabase,
  keys: PurposeKeys,
  { account, address }: { readonly account: Id<'account'>; readonly address: string },
): Promise<Counting> {
  const key = keys.current
  const since = unlockedSince(await findUnlock(db, unlockBucket(key, account)))
  return countIn(db, [
    {
      bucket: bucketOf(key, 'code account and address', account, addressGroup(address), ...since),
      attemptsMax: CODE_ATTEMPTS_MAX,
      windowMinutes: WINDOW_MINUTES,
    },
    {
      bucket: bucketOf(key, 'code account', account, ...since),
      attemptsMax: CODE_ACCOUNT_ATTEMPTS_MAX,
      windowMinutes: CODE_ACCOUNT_WINDOW_MINUTES,
    },
  ])
}

/** Assertions of passkeys cannot be guessed; each costs a lookup and a signature check, so an address has a limit. */
export async function countPasskeyAttempt(db: PlatformDatabase, keys: PurposeKeys, address: string): Promise<Counting> {
  const bucket = bucketOf(keys.current, 'passkey address', addressGroup(address))
  return countIn(db, [{ bucket, attemptsMax: ADDRESS_ATTEMPTS_MAX, windowMinutes: WINDOW_MINUTES }])
}

type CallbackFrom = {
  readonly address: string
  /** The value of this browser's cookie; a browser without a cookie is limited by its address alone. */
  readonly browser: string | null
}

const LIFTED = { perAddress: 0, perBrowser: 0 }

/**
 * Each callback costs requests to the provider, so every callback counts, successful or not. PostgreSQL stores the counts, so all nodes
 * count together. A callback counts toward its browser's limit only if it is within the limit of its network address. Returns the seconds
 * to wait, or null.
 */
export async function countCallback(
  db: PlatformDatabase,
  keys: PurposeKeys,
  { callbackLimits: { perAddress, perBrowser } = LIFTED }: Pick<OpenIdSettings, 'callbackLimits'>,
  { address, browser }: CallbackFrom,
): Promise<number | null> {
  const counts: readonly (readonly [kind: string, value: string | null, max: number])[] = [
    ['openid address', addressGroup(address), perAddress],
    ['openid browser', browser, perBrowser],
  ]
  for (const [kind, value, max] of counts) {
    if (value === null || max === 0) continue
    const bucket = bucketOf(keys.current, kind, value)
    const { attempts, seconds_left } = await countAttempt(db, bucket, WINDOW_MINUTES)
    if (attempts > max) return Math.max(1, seconds_left)
  }
  return null
}

/**
 * Forms that send a mail to a typed address could be used to flood one mailbox, or to send mail in our name to thousands. A request is
 * counted before the account is looked up. Limits per hour: five mails to one address from one source, fifty from one source, ten to one
 * address from all sources.
 */
const MAIL_WINDOW_MINUTES = 60
const PAIR_MAX = 5
const SOURCE_MAX = 50
/** For team invitations the source is an organization, whose open invitations are limited too. */
const TEAM_SOURCE_MAX = 200
const ADDRESS_MAX = 10
/** For one person, in all of their organizations together. */
const ACCOUNT_MAX = 200

type MailRequest = {
  /** Each form has its own count. */
  readonly form: 'sign-up' | 'forgotten password' | 'new address' | 'team invitation'
  readonly email: string
  /** Where the request came from: a network address, or the id of an organization. */
  readonly address: string
  /** The signed-in sender, if one person can send from several sources. */
  readonly account?: Id<'account'>
}

/** The limit that a request exceeds, and how many seconds to wait before the next request. */
type ExceededLimit = { readonly limit: number; readonly retryAfterSeconds: number }

/** How many seconds to wait before the next request; null if this one is within the limits. */
export async function countMailRequest(
  db: Pick<PlatformDatabase, 'reads'>,
  keys: PurposeKeys,
  request: MailRequest,
): Promise<number | null> {
  return (await exceededMailLimit(db, keys, request))?.retryAfterSeconds ?? null
}

async function exceededMailLimit(
  db: Pick<PlatformDatabase, 'reads'>,
  keys: PurposeKeys,
  { form, email, address, account }: MailRequest,
): Promise<ExceededLimit | null> {
  const [recipient, place] = [foldedEmail(email), addressGroup(address)]
  const counts = [
    { parts: ['pair', recipient, place], max: PAIR_MAX },
    { parts: ['place', place], max: form === 'team invitation' ? TEAM_SOURCE_MAX : SOURCE_MAX },
    { parts: ['recipient', recipient], max: ADDRESS_MAX },
    ...(account === undefined ? [] : [{ parts: ['account', account], max: ACCOUNT_MAX }]),
  ]
  for (const { parts, max } of counts) {
    const text = JSON.stringify(['mail', form, ...parts])
    const bucket = createHmac('sha256', keys.current.secret).update(text).digest()
    const { attempts, seconds_left } = await countAttempt(db, bucket, MAIL_WINDOW_MINUTES)
    if (attempts > max) return { limit: max, retryAfterSeconds: Math.max(1, seconds_left) }
  }
  return null
}

type TeamMail = {
  readonly email: string
  readonly organization: Id<'organization'>
  readonly invitedBy: Id<'account'>
}

/** Counts the mails of invitations to teams, in the transaction that creates the invitation. */
export function teamMailCounter(keys: PurposeKeys) {
  return (tx: PlatformTx, { email, organization, invitedBy }: TeamMail): Promise<ExceededLimit | null> =>
    exceededMailLimit({ reads: tx }, keys, {
      form: 'team invitation',
      email,
      address: organization,
      account: invitedBy,
    })
}
