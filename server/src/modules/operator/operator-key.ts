import { createHash, randomBytes } from 'node:crypto'
import { WORLDS, type World } from '#kernel/world.ts'

/**
 * An operator key: `ok_test_` or `ok_live_`, then 256 random bits. Its prefix names the world, so that a key of one
 * world can never open the other, and lets secret scanners know it. Only its SHA-256 is kept: with this much chance in
 * it a key cannot be guessed from its digest, and a slow hash would only slow down every request.
 */
const SECRET_BYTES = 32
const BODY = /^[A-Za-z0-9_-]{43}$/

const prefix = (world: World) => `ok_${world}_`

export function newOperatorKey(world: World): string {
  return prefix(world) + randomBytes(SECRET_BYTES).toString('base64url')
}

/** Null for whatever cannot be an operator key: it is not worth a look into the database. */
export function worldOfKey(bearer: string): World | null {
  const world = WORLDS.find((name) => bearer.startsWith(prefix(name)))
  return world !== undefined && BODY.test(bearer.slice(prefix(world).length)) ? world : null
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
