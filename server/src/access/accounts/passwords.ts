import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError, validationError } from '#kernel/errors.ts'
import { isCommonPassword } from './password-rules.ts'

export type PasswordHasher = {
  hash(password: string): Promise<PasswordHash>
  /** If `hash` is null (no such account, or an account without a password), returns false after the same time as with a hash. */
  verify(password: string, hash: PasswordHash | null): Promise<boolean>
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. About 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Each hash occupies one of Node's four worker threads. Two of them stay free, because reading files needs threads too. */
const AT_ONCE_MAX = 2
const WAITING_MAX = 100

type HasherSettings = {
  readonly atOnceMax?: number
  readonly waitingMax?: number
  /** Tests that sign in many people use a lower cost. */
  readonly cost?: typeof COST
}

export function passwordHasher({
  atOnceMax = AT_ONCE_MAX,
  waitingMax = WAITING_MAX,
  cost = COST,
}: HasherSettings = {}): PasswordHasher {
  const takeTurn = turns(atOnceMax, waitingMax)
  const derive = promisify(argon2)
  const tag = (password: string, parameters: Omit<Argon2Parameters, 'message'>) =>
    // The same password typed on two keyboards may be different code points (NIST SP 800-63B 3.1.1.2).
    takeTurn(() => derive('argon2id', { ...parameters, message: password.normalize('NFKC') }))
  const dummy = { ...cost, nonce: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }

  return {
    async hash(password) {
      const parameters = { ...cost, nonce: randomBytes(SALT_BYTES), tagLength: TAG_BYTES }
      return encodePhc({ ...parameters, tag: await tag(password, parameters) })
    },
    async verify(password, hash) {
      const { tag: expected, ...parameters } = hash === null ? dummy : decodePhc(hash)
      const found = await tag(password, { ...parameters, tagLength: expected.length })
      return timingSafeEqual(found, expected) && hash !== null
    },
  }
}

/** Runs at most `atOnceMax` tasks at a time, the others in order of arrival; rejects when the queue is full. */
function turns(atOnceMax: number, waitingMax: number) {
  let working = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (working >= atOnceMax) {
      if (waiting.length >= waitingMax) {
        throw new ApiError('unavailable', { public: 'Too many people are signing in at this moment. Try again soon.' })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else working++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot goes to the next waiter directly, so that a new caller cannot take it in between.
      if (next === undefined) working--
      else next()
    }
  }
}

declare const passwordHash: unique symbol
/** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`: the PHC string format, with the parameters for verifying a password. */
export type PasswordHash = string & { readonly [passwordHash]: true }

type PhcParts = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly nonce: Buffer
  readonly tag: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([0-9A-Za-z+/]+)\$([0-9A-Za-z+/]+)$/

function encodePhc({ memory, passes, parallelism, nonce, tag }: PhcParts): PasswordHash {
  const cost = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${cost}$${unpadded(nonce)}$${unpadded(tag)}` as PasswordHash
}

function decodePhc(hash: PasswordHash): PhcParts {
  const [whole, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(hash) ?? []
  // The message omits the hash, because it may end up in a log.
  if (whole === undefined) throw new TypeError('a stored password hash is not in the argon2id form')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/**
 * We check the length and reject common passwords, and have no rules about kinds of characters (NIST SP 800-63B-4, OWASP ASVS 5,
 * 6.2). ASVS requires at least 8 characters and recommends 15. NIST requires 15 for a password that is the only factor, otherwise
 * 8. We require 12, which is less than NIST requires without a second factor; we limit guesses (sign-in/throttle.ts) and offer
 * second factors. The maximum of 200 limits our work. Only new passwords are checked; older ones still work.
 */
export const PASSWORD_CHARS_MIN = 12
export const PASSWORD_CHARS_MAX = 200

/** A character has at most two UTF-16 units, so a text with more than twice the maximum is too long and is not counted. */
export function isTooLong(password: string): boolean {
  return password.length > 2 * PASSWORD_CHARS_MAX || [...password].length > PASSWORD_CHARS_MAX
}

type PasswordFault = 'too_long' | 'too_short' | 'invalid_text' | 'too_common'

/** What is wrong with a new password, or null. `about`: words of the account, which attackers guess first. */
function passwordFault(password: string, about: readonly string[]): PasswordFault | null {
  if (isTooLong(password)) return 'too_long'
  if ([...password].length < PASSWORD_CHARS_MIN) return 'too_short'
  if (!password.isWellFormed()) return 'invalid_text'
  return isCommonPassword(password, about) ? 'too_common' : null
}

export function rejectBadPassword(password: string, about: readonly string[] = []): void {
  const code = passwordFault(password, about)
  if (code === null) return
  throw validationError([{ field: 'password', code, message: MESSAGES[code] }])
}

const WRONG_LENGTH = `must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`

const MESSAGES: Readonly<Record<PasswordFault, string>> = {
  too_long: WRONG_LENGTH,
  too_short: WRONG_LENGTH,
  invalid_text: 'must be valid Unicode: it has one half of a surrogate pair',
  too_common: 'is easy to guess: it is made of common words, digits or the words of the account',
}

/** The message beside the field of a bad new password; null for a good one. */
export function passwordSentence(password: string, about: readonly string[] = []): string | null {
  if (password === '') return 'Choose a password.'
  const fault = passwordFault(password, about)
  if (fault === null) return null
  if (fault === 'too_long' || fault === 'too_short') {
    return `Choose a password of ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`
  }
  if (fault === 'invalid_text')
    return 'This password has a character that is not valid. Type it again, or choose another.'
  return 'This password is easy to guess: it is made of common words, digits, or your name and address. Choose another, such as several words that do not belong together.'
}
