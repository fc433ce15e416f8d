import { hash } from 'node:crypto'
import { fillRandom } from '#kernel/random.ts'
import { WORLDS, type World } from '#kernel/world.ts'

/**
 * A secret that we generate: kind, world, then 256 random bits: `sk_test_…`. The prefix names the world, so that a
 * secret of one world is never accepted in the other, and lets secret scanners recognize the secret. Only the SHA-256
 * of the secret is stored: 256 random bits cannot be guessed from their digest, and a slow hash would only slow down
 * every request. The kinds:
 * `ok` operator key, `sk` client secret, `at` access token, `ac` authorization code.
 */
export type SecretKind = 'ok' | 'sk' | 'at' | 'ac'

const SECRET_BYTES = 32
const BODY = /^[A-Za-z0-9_-]{43}$/

const prefix = (kind: SecretKind, world: World) => `${kind}_${world}_`

export function newSecret(kind: SecretKind, world: World): string {
  const bytes = Buffer.alloc(SECRET_BYTES)
  fillRandom(bytes)
  return prefix(kind, world) + bytes.toString('base64url')
}

/** Null for text that cannot be a secret of this kind, which saves the database lookup. */
export function worldOfSecret(kind: SecretKind, text: string): World | null {
  const world = WORLDS.find((name) => text.startsWith(prefix(kind, name)))
  return world !== undefined && BODY.test(text.slice(prefix(kind, world).length)) ? world : null
}

export function digestOf(secret: string): Buffer {
  return Buffer.from(hexDigestOf(secret), 'hex')
}

/** The digest in hex: for statements with many digests, and as the key of a credential in rate limits. */
export function hexDigestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}
