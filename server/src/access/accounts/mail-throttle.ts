import { createHmac } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { foldedEmail } from './email-address.ts'
import { countAttempt } from './sign-in/store.ts'

/**
 * Forms that send a mail to a typed address could be used to bury a person in mail, or to send it from our name to
 * thousands. Counted before anything is looked up, whether the address has an account or not: five an hour for one address
 * from one place, fifty from one place, ten for one address from everywhere.
 */
const WINDOW_MINUTES = 60
const PAIR_MAX = 5
const PLACE_MAX = 50
/** A place is then an organization, and its open invitations are limited too. */
const TEAM_PLACE_MAX = 200
const ADDRESS_MAX = 10
/** Of one person, over all of their organizations. */
const ACCOUNT_MAX = 200

type MailRequest = {
  /** Each form counts by itself. */
  readonly form: 'sign-up' | 'forgotten password' | 'new address' | 'team invitation'
  readonly email: string
  /** Where the request came from: a network address, or the id of an organization. */
  readonly address: string
  /** Who sends it, where a signed-in person does and has more places than one. */
  readonly account?: Id<'account'>
}

/** In how many seconds another request makes sense; null for one that may go on. */
export async function countMailRequest(
  db: Pick<PlatformDatabase, 'reads'>,
  keys: PurposeKeys,
  { form, email, address, account }: MailRequest,
): Promise<number | null> {
  const [recipient, place] = [foldedEmail(email), addressGroup(address)]
  const counts = [
    { parts: ['pair', recipient, place], max: PAIR_MAX },
    { parts: ['place', place], max: form === 'team invitation' ? TEAM_PLACE_MAX : PLACE_MAX },
    { parts: ['recipient', recipient], max: ADDRESS_MAX },
    ...(account === undefined ? [] : [{ parts: ['account', account], max: ACCOUNT_MAX }]),
  ]
  for (const { parts, max } of counts) {
    const text = JSON.stringify(['mail', form, ...parts])
    const bucket = createHmac('sha256', keys.current.secret).update(text).digest()
    const { attempts, seconds_left } = await countAttempt(db, bucket, WINDOW_MINUTES)
    if (attempts > max) return Math.max(1, seconds_left)
  }
  return null
}
