import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'

export const CODE_STATES = ['active', 'paused'] as const
export type CodeState = (typeof CODE_STATES)[number]

/** A referral code as stored, with the names of its columns. */
export type ReferralCode = {
  readonly id: Id<'referralCode'>
  readonly app_id: Id<'app'>
  /** As the app wrote it. Case does not matter in comparisons. */
  readonly code: string
  readonly name: string
  readonly state: CodeState
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

export const CODE_CHARS = { min: 3, max: 32 } as const

/**
 * Letters, digits and single hyphens between them, so that people can read a code aloud and print it, and a URL needs no
 * encoding. No underscore, so that no code looks like an id.
 */
export const CODE_PATTERN = '^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$'

/** Reserved words: they could be mistaken for the platform, for a missing code, or for a part of the URL. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'api', 'official', 'operator', 'platform', 'portico', 'security', 'staff', 'support'],
  ...['direct', 'false', 'none', 'null', 'organic', 'true', 'undefined', 'unknown'],
  ...['code', 'example', 'live', 'ref', 'referral', 'sandbox', 'test'],
])

/** Case does not matter. The platform's own name (`brand`) is reserved, too. */
export function rejectReserved(code: string, brand: string): void {
  const word = code.toLowerCase()
  if (!RESERVED.has(word) && word !== brand) return
  throw validationError([{ field: 'code', code: 'reserved', message: 'is a word that no app can have as its code' }])
}
