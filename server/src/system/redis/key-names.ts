import { createHmac } from 'node:crypto'
import type { Hit, Refused, WindowLimit } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'

/** A key as Redis knows it, with its place in the batch that is being made: most callers call again. */
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
 * Who reads Redis does not learn from where, or with what, requests came: keys are HMAC-SHA256 under a secret of ours, the same
 * on every node. Half a digest is long enough never to meet another. Those of each limit are cached.
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

/** Requests of one moment that count on the same keys, and what came of them. */
export type Group = {
  readonly hits: readonly Hit[]
  /** Of their keys, in the order of the hits; below zero what is only looked at. */
  readonly numbers: readonly number[]
  /** How many they are. */
  size: number
  /** So many of them were counted, the first ones; the others are rejected. */
  counted: number
  refused: Refused | null
}
