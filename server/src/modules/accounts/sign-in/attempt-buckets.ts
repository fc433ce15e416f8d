import { createHmac } from 'node:crypto'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Key } from '#system/crypto/keyring.ts'
import { foldedEmail } from './folded-email.ts'

/**
 * Issue: sign-in is throttled per account and address. Three limits, each against another way of guessing:
 *
 * somebody at an address who tries one account: five, enough for a person who mistypes;
 * an address that tries many accounts: a hundred, because a whole office may share one;
 * many addresses that try one account: fifty, so that a botnet guesses at most 4,800 times a day, while a few strangers
 * with an address each cannot keep its owner out.
 *
 * The next bucket is asked only when the one before allowed the attempt: whoever is refused cannot use up what belongs
 * to others. What counts in the end are failures: who gets in gives the attempt back.
 */
export const WINDOW_MINUTES = 15
export const PAIR_ATTEMPTS_MAX = 5
const ADDRESS_ATTEMPTS_MAX = 100
const ACCOUNT_ATTEMPTS_MAX = 50

export type Bucket = { readonly bucket: Buffer; readonly attemptsMax: number }

export type Attempt = { readonly email: string; readonly address: string }

/** Keyed, so that the table tells nobody who tried where; by what was typed, whether there is such an account or not. */
export function attemptBuckets(key: Key, { email, address }: Attempt): readonly Bucket[] {
  const bucket = (...parts: string[]) => createHmac('sha256', key.bytes).update(JSON.stringify(parts)).digest()
  const [account, group] = [foldedEmail(email), addressGroup(address)]
  return [
    { bucket: bucket('account and address', account, group), attemptsMax: PAIR_ATTEMPTS_MAX },
    { bucket: bucket('address', group), attemptsMax: ADDRESS_ATTEMPTS_MAX },
    { bucket: bucket('account', account), attemptsMax: ACCOUNT_ATTEMPTS_MAX },
  ]
}
