import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '#kernel/errors.ts'
import { decodePhc, encodePhc, type PasswordHash } from './password-hash.ts'

export type PasswordHasher = {
  hash(password: string): Promise<PasswordHash>
  /** Without a hash (no such account, or it signs in elsewhere) false, after as long as with one. */
  verify(password: string, hash: PasswordHash | null): Promise<boolean>
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. About 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Each works on one of the four threads that reading files also needs. */
const AT_ONCE_MAX = 2
const WAITING_MAX = 100

export function passwordHasher({ atOnceMax = AT_ONCE_MAX, waitingMax = WAITING_MAX } = {}): PasswordHasher {
  const takeTurn = turns(atOnceMax, waitingMax)
  const derive = promisify(argon2)
  const tag = (password: string, parameters: Omit<Argon2Parameters, 'message'>) =>
    // The same password typed on two keyboards may be different code points (NIST SP 800-63B 3.1.1.2).
    takeTurn(() => derive('argon2id', { ...parameters, message: password.normalize('NFKC') }))
  const nobody = { ...COST, nonce: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }

  return {
    async hash(password) {
      const parameters = { ...COST, nonce: randomBytes(SALT_BYTES), tagLength: TAG_BYTES }
      return encodePhc({ ...parameters, tag: await tag(password, parameters) })
    },
    async verify(password, hash) {
      const { tag: expected, ...parameters } = hash === null ? nobody : decodePhc(hash)
      const found = await tag(password, { ...parameters, tagLength: expected.length })
      return timingSafeEqual(found, expected) && hash !== null
    },
  }
}

/** At most so many at a time, the others in the order of their coming; a queue that is too long is turned away. */
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
      // The turn is handed over, not given back: nobody can slip in between.
      if (next === undefined) working--
      else next()
    }
  }
}
