import { createHmac } from 'node:crypto'
import type { Hit, Refused, WindowLimit } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'

/** A key's name in Redis, with its number in the current batch: most callers call again. */
export type NamedKey = {
  limit: WindowLimit
  readonly key: string
  readonly name: string
  batch: object | null
  number: number
  group: Group | null
}

const DIGEST_CHARS = 22
const REMEMBERED_MAX = 20_000

/**
 * A reader of Redis must not learn the addresses and credentials of requests: keys are HMAC-SHA256 under our secret, the same
 * on every node. Half a digest is long enough to be unique. The names of each limit are cached.
 */
export class KeyNames {
  readonly #secret: Key['secret']
  readonly #known = new Map<string, Map<string, NamedKey>>()

  constructor({ secret }: Key) {
    this.#secret = secret
  }

  of(limit: WindowLimit, key: string): NamedKey {
    return this.#keysOf(limit.name).get(key) ?? this.#make(limit, key)
  }

  #make(limit: WindowLimit, key: string): NamedKey {
    const digest = createHmac('sha256', this.#secret).update(key).digest('base64url').slice(0, DIGEST_CHARS)
    const made = { limit, key, name: `portico:limit:${limit.name}:${digest}`, batch: null, number: 0, group: null }
    const keys = this.#keysOf(limit.name)
    if (keys.size >= REMEMBERED_MAX) keys.clear()
    keys.set(key, made)
    return made
  }

  #keysOf(limit: string): Map<string, NamedKey> {
    const known = this.#known.get(limit)
    if (known !== undefined) return known
    const fresh = new Map<string, NamedKey>()
    this.#known.set(limit, fresh)
    return fresh
  }
}

/** Requests of the same moment that count on the same keys, and their result. */
export type Group = {
  readonly hits: readonly Hit[]
  /** The numbers of their keys, in the order of the hits; negative for a key that is only checked. */
  readonly numbers: readonly number[]
  /** The number of requests. */
  size: number
  /** How many of them were counted, the first ones; the others are rejected. */
  counted: number
  refused: Refused | null
}
