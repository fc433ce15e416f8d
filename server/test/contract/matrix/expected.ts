import { type Kind, type Line, NOT_FOUND } from './line.ts'
import { opens } from './scope-catalogue.ts'

/** A credential as the matrix knows it; null for one that is not in force, or is none. */
export type Known = {
  readonly kind: Kind
  readonly world: 'test' | 'live'
  readonly scopes: readonly string[]
} | null

/**
 * The specification's "Errors" and "Missing scope and recovery", and the contract's 403 or 404, for one cell:
 * 401 for what is not in force; sandbox routes exist in the test world alone; an operator's key and an app's credentials
 * never open each other's routes; then the scope; then whom the operation serves; then whether it is of this world.
 */
export function expected(line: Line, credential: Known): string {
  if (credential === null) return '401 invalid_token'
  const refusal = expectedRefusal(line, credential)
  if (refusal !== null) return refusal
  // "An id of one world is unknown (404) in the other."
  if (credential.world === 'live' && line.at !== undefined) return NOT_FOUND
  return line.except?.[credential.kind] ?? line.answers
}

/** How a credential in force is rejected for its kind, world and scopes; null where it is let in. */
export function expectedRefusal(line: Line, credential: NonNullable<Known>): string | null {
  const { kind, world } = credential
  if (line.only === 'test' && world === 'live') return '403 sandbox_only'
  if (!credentialIsEnough(line, credential)) return `403 insufficient_scope ${line.needs.join(' ')}`.trimEnd()
  return !line.serves.includes(kind) || (line.only === 'live' && world === 'test') ? '403 forbidden' : null
}

function credentialIsEnough({ serves, needs }: Line, { kind, scopes }: NonNullable<Known>): boolean {
  if (kind === 'operator') return true
  // What is about a user, the kinds that act for none can never hold.
  const isOfUser = needs.length === 0 && serves.includes('user') && !serves.includes(kind)
  if (isOfUser && (kind === 'client' || kind === 'publishable')) return false
  if (needs.length === 0) return true
  // "A publishable key holds read:public only": what it may not call, no scope of its own would open.
  if (kind === 'publishable' && !serves.includes(kind)) return false
  return needs.some((needed) => opens(scopes, needed))
}
