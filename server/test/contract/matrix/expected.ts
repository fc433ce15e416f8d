import { type Kind, type Line, NOT_FOUND } from './line.ts'
import { opens } from './scope-catalogue.ts'

/** A credential of the matrix; null for an invalid or missing one. */
export type MatrixCredential = {
  readonly kind: Kind
  readonly world: 'test' | 'live'
  readonly scopes: readonly string[]
} | null

/**
 * Returns the expected response of one cell, from the specification's "Errors" and "Missing scope and recovery" and the
 * contract's 403 or 404. The checks have this order: whether the credential is valid (401), whether a sandbox route gets
 * a credential of the test world, the scope, whether the operation serves this kind of credential, and the world.
 */
export function expected(line: Line, credential: MatrixCredential): string {
  if (credential === null) return '401 invalid_token'
  const refusal = expectedRefusal(line, credential)
  if (refusal !== null) return refusal
  // "An id of one world is unknown (404) in the other."
  if (credential.world === 'live' && line.at !== undefined) return NOT_FOUND
  return line.except?.[credential.kind] ?? line.answers
}

/** Returns why a valid credential is rejected for its kind, world and scopes, or null if it is accepted. */
export function expectedRefusal(line: Line, credential: NonNullable<MatrixCredential>): string | null {
  const { kind, world } = credential
  if (line.only === 'test' && world === 'live') return '403 sandbox_only'
  if (!credentialIsEnough(line, credential)) return `403 insufficient_scope ${line.needs.join(' ')}`.trimEnd()
  return !line.serves.includes(kind) || (line.only === 'live' && world === 'test') ? '403 forbidden' : null
}

function credentialIsEnough({ serves, needs }: Line, { kind, scopes }: NonNullable<MatrixCredential>): boolean {
  if (kind === 'operator') return true
  // Kinds without a user can never have a user's scope.
  const isOfUser = needs.length === 0 && serves.includes('user') && !serves.includes(kind)
  if (isOfUser && (kind === 'client' || kind === 'publishable')) return false
  if (needs.length === 0) return true
  // "A publishable key holds read:public only", so no scope helps where publishable keys are not accepted.
  if (kind === 'publishable' && !serves.includes(kind)) return false
  return needs.some((needed) => opens(scopes, needed))
}
