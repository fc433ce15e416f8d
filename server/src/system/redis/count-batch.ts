import { createHmac } from 'node:crypto'
import type { Hit, Refused, WindowLimit } from '#system/counting/local-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'

/** A key's name in Redis, with its number in the current batch. Cached, because most callers call again. */
type NamedKey = {
  limit: WindowLimit
  readonly key: string
  readonly name: string
  batch: object | null
  number: number
  group: Group | null
}

const DIGEST_CHARS = 22
const CACHED_MAX = 20_000

/**
 * A reader of Redis must not see the addresses and credentials of requests. So keys are HMAC-SHA256 under our secret,
 * which is the same on every node. Half a digest is long enough to be unique. The names of each limit are cached.
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
    if (keys.size >= CACHED_MAX) keys.clear()
    keys.set(key, made)
    return made
  }

  #keysOf(limit: string): Map<string, NamedKey> {
    const namedKeys = this.#known.get(limit)
    if (namedKeys !== undefined) return namedKeys
    const fresh = new Map<string, NamedKey>()
    this.#known.set(limit, fresh)
    return fresh
  }
}

/** Requests of the same moment that count toward the same keys, and their result. */
export type Group = {
  readonly hits: readonly Hit[]
  /** The numbers of their keys, in the order of the hits; negative for a key that is only checked. */
  readonly numbers: readonly number[]
  /** The number of requests. */
  size: number
  /** How many of the requests were counted. These are the first ones; the later ones are rejected. */
  counted: number
  refused: Refused | null
}

/**
 * The Redis command for many requests at once, and the parser of its reply (count-script.ts). Requests of the same moment
 * mostly share an address and a token: every key is sent, read and written once, and equal requests form a group.
 */
export class CountBatch {
  /** Resolves when Redis has replied, or when `failed` is set. */
  readonly answered: Promise<void>
  size = 0
  /** The time of the count, by Redis's clock. */
  countedAtMs = 0
  /** True if the command failed or Redis did not reply in time. Redis may still have counted the requests. */
  failed = false
  readonly #settle: () => void
  readonly #names: KeyNames
  readonly #keys: NamedKey[] = []
  readonly #groups: Group[] = []
  #counts: readonly number[] = []

  constructor(names: KeyNames) {
    this.#names = names
    const { promise, resolve } = Promise.withResolvers<void>()
    this.answered = promise
    this.#settle = resolve
  }

  /** Adds the request to the end of its group. */
  add(hits: readonly Hit[]): Group {
    this.size++
    const group = this.#groupOf(hits)
    group.size++
    return group
  }

  #groupOf(hits: readonly Hit[]): Group {
    let last: NamedKey | null = null
    for (const { limit, key } of hits) last = this.#numbered(this.#names.of(limit, key), limit)
    // The last key is usually the most specific one: a token rather than an address.
    const group = last?.group ?? null
    return group !== null && isEqual(group.hits, hits) ? group : this.#begin(hits, last)
  }

  #begin(hits: readonly Hit[], last: NamedKey | null): Group {
    const numbers = hits.map(({ limit, key, look }) => this.#names.of(limit, key).number * (look === true ? -1 : 1))
    const group = { hits, numbers, size: 0, counted: 0, refused: null }
    this.#groups.push(group)
    if (last !== null) last.group = group
    return group
  }

  /** A key's number is its number in the newest batch, because no request joins an earlier batch. */
  #numbered(key: NamedKey, limit: WindowLimit): NamedKey {
    if (key.batch === this) return key
    key.batch = this
    key.limit = limit
    key.group = null
    key.number = this.#keys.push(key)
    return key
  }

  get keys(): readonly string[] {
    return this.#keys.map(({ name }) => name)
  }

  get args(): readonly number[] {
    const args: number[] = []
    for (const { limit } of this.#keys) args.push(limit.max, limit.periodSeconds * 1_000)
    for (const { numbers, size } of this.#groups) {
      args.push(size, numbers.length)
      for (const number of numbers) args.push(number)
    }
    return args
  }

  /** The keys that the group was counted on, and when their windows end. */
  windowsOf({ numbers }: Group): { readonly keys: readonly string[]; readonly ends: readonly number[] } {
    const [keys, ends]: [string[], number[]] = [[], []]
    for (const number of numbers) {
      const key = this.#keys[number - 1]
      if (key === undefined) continue
      const periodMs = key.limit.periodSeconds * 1_000
      keys.push(key.name)
      ends.push((Math.floor(this.countedAtMs / periodMs) + 1) * periodMs)
    }
    return { keys, ends }
  }

  /** The count of every key after this batch, once Redis has replied. */
  eachCount(use: (limit: WindowLimit, key: string, count: number) => void): void {
    for (const [at, count] of this.#counts.entries()) {
      const key = this.#keys[at]
      if (key !== undefined) use(key.limit, key.key, count)
    }
  }

  /** Reads Redis's reply: the time, the count of every key, then the rejections. A reply after `fail` is ignored. */
  answer(response: unknown): void {
    if (this.failed) return
    if (!Array.isArray(response) || response.length <= this.#keys.length)
      throw new Error('Redis replied for other keys')
    const numbers = response.map(Number)
    const refusalsAt = this.#keys.length + 1
    for (const group of this.#groups) group.counted = group.size
    this.countedAtMs = numbers[0] ?? 0
    this.#readRefusals(numbers.slice(refusalsAt))
    this.#counts = numbers.slice(1, refusalsAt)
    this.#end()
  }

  fail(): void {
    this.failed = true
    this.#end()
  }

  #end(): void {
    // A cached name must not keep a reference to its last batch.
    for (const key of this.#keys) {
      if (key.batch !== this) continue
      key.batch = null
      key.group = null
    }
    this.#settle()
  }

  #readRefusals(refusals: readonly number[]): void {
    for (let at = 0; at < refusals.length; at += 4) {
      const [number = 0, counted = 0, key = 0, leftMs = 0] = refusals.slice(at, at + 4)
      const [group, limit] = [this.#groups[number - 1], this.#keys[key - 1]?.limit]
      if (group === undefined || limit === undefined) throw new Error('Redis replied for other keys')
      group.counted = counted
      group.refused = refusedFor(limit, this.countedAtMs, leftMs)
    }
  }
}

function refusedFor(limit: WindowLimit, nowMs: number, leftMs: number): Refused {
  const resetAt = Math.round((nowMs + leftMs) / 1_000)
  return { limit, resetAt, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) }
}

function isEqual(one: readonly Hit[], other: readonly Hit[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at], other[at]]
    if (a?.limit.name !== b?.limit.name || a?.key !== b?.key || a?.look !== b?.look) return false
  }
  return true
}
