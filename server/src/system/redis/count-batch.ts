import type { Hit, Refused, WindowLimit } from '#system/counting/window-counter.ts'
import type { Group, KeyNames, NamedKey } from './key-names.ts'

/**
 * What Redis is asked for many requests at once, and how its answer is read (count-script.ts). Requests of one moment
 * mostly share an address and a token: every key is named, read and written once, and equal requests are one group.
 */
export class CountBatch {
  /** Resolves when there is a verdict on all of them, from Redis or because of `failed`. */
  readonly answered: Promise<void>
  size = 0
  /** By the clock of Redis. */
  countedAtMs = 0
  /** Redis has not counted them, as far as we know. */
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

  /** The request's group, in which it is the last one for now. */
  add(hits: readonly Hit[]): Group {
    this.size++
    const group = this.#groupOf(hits)
    group.size++
    return group
  }

  #groupOf(hits: readonly Hit[]): Group {
    let last: NamedKey | null = null
    for (const { limit, key } of hits) last = this.#numbered(this.#names.of(limit, key), limit)
    // What stands last tells requests apart best: a token rather than an address.
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

  /** The batch that was begun last has the say in where a key stands: into an earlier one nobody comes any more. */
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

  /** What the group was counted on, and when those windows end. */
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

  /** The count of every key after this batch, once Redis has answered. */
  eachCount(use: (limit: WindowLimit, key: string, count: number) => void): void {
    for (const [at, count] of this.#counts.entries()) {
      const key = this.#keys[at]
      if (key !== undefined) use(key.limit, key.key, count)
    }
  }

  /** Redis has counted them: the time, the count of every key, then the refusals. An answer after `fail` is ignored. */
  answer(answer: unknown): void {
    if (this.failed) return
    if (!Array.isArray(answer) || answer.length <= this.#keys.length) throw new Error('Redis counted something else')
    const numbers = answer.map(Number)
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
    // A name that is remembered must not keep what it was last counted in.
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
      if (group === undefined || limit === undefined) throw new Error('Redis counted something else')
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
