import type { Redis } from 'ioredis'
import type { Count, Hit, LocalCounter, Refused } from '#system/counting/local-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import { CountBatch, type Group, KeyNames } from './count-batch.ts'
import { COUNT, GIVE_BACK, script } from './count-script.ts'

const countIn = script(COUNT)
const giveBackIn = script(GIVE_BACK)

/**
 * The longest time that a request waits for its count, including its time in the queue. Stalls of this process do not
 * count.
 */
const WAIT_MS_MAX = 200
/** A connection on which a command has no reply for this long is closed and opened again. */
const SILENCE_MS_MAX = 500

export type RedisCounterParts = {
  readonly redis: Redis
  readonly secret: Key
  /** Counts the requests that Redis does not count, starting from the last count that Redis returned. */
  readonly local: LocalCounter
  /** Called for every batch that Redis did not count in time. */
  readonly onFailed: (error: unknown) => void
}

export type RedisCounter = {
  count(hits: readonly Hit[]): RedisCount
  used(hits: readonly Hit[]): Promise<readonly number[]>
}

/** Counts in Redis: one round trip for all limits of a request, and for all requests of the same moment. */
export function redisCounter({ redis, secret, local, onFailed }: RedisCounterParts): RedisCounter {
  const names = new KeyNames(secret)

  function fail(batch: CountBatch, error: unknown): void {
    if (batch.failed) return
    batch.fail()
    onFailed(error)
  }

  function fresh(): CountBatch {
    const batch = new CountBatch(names)
    const cancel = awakeTimer(WAIT_MS_MAX, () => fail(batch, new Error(`no answer within ${WAIT_MS_MAX} ms`)))
    void batch.answered.then(cancel)
    return batch
  }

  /** Closes the connection if Redis does not reply in time, which rejects the command. */
  async function answerOf<Result>(command: Promise<Result>): Promise<Result> {
    const cancel = awakeTimer(SILENCE_MS_MAX, () => redis.disconnect(true))
    try {
      return await command
    } finally {
      cancel()
    }
  }

  async function send(batch: CountBatch): Promise<void> {
    if (batch.failed) return
    try {
      batch.answer(await answerOf(countIn(redis, batch.keys, batch.args)))
      batch.eachCount((limit, key, count) => local.storeShared({ limit, key, count, atMs: batch.countedAtMs }))
    } catch (error) {
      fail(batch, error)
    }
  }

  const parts: Parts = {
    local,
    giveBack: (keys, ends) => void giveBackIn(redis, keys, ends).catch(() => {}),
  }
  const roundTrips = new RoundTrips(fresh, send)
  return {
    count: (hits) => new RedisCount(parts, roundTrips.next(), hits),
    used: async (hits) => {
      if (hits.length === 0) return []
      const stored = await answerOf(redis.mget(hits.map(({ limit, key }) => names.of(limit, key).name)))
      return stored.map((count) => (count !== null && COUNT_TEXT.test(count) ? Number(count) : 0))
    },
  }
}

/**
 * The form of a count that this service wrote. If a key has any other text, the next request that counts toward the key starts
 * it again at zero (count-script.ts).
 */
const COUNT_TEXT = /^\d{1,15}$/

type Parts = {
  readonly local: LocalCounter
  readonly giveBack: (keys: readonly string[], ends: readonly number[]) => void
}

/** One request in a batch. If Redis did not count it, the local counter counts it. */
class RedisCount implements Count {
  readonly #parts: Parts
  readonly #batch: CountBatch
  readonly #group: Group
  readonly #place: number
  readonly #hits: readonly Hit[]
  #localCount: Count | null = null
  #isGivenBack = false

  constructor(parts: Parts, batch: CountBatch, hits: readonly Hit[]) {
    this.#parts = parts
    this.#batch = batch
    this.#group = batch.add(hits)
    this.#place = this.#group.size
    this.#hits = hits
  }

  get answered(): Promise<void> {
    return this.#batch.answered
  }

  get failed(): boolean {
    return this.#batch.failed
  }

  get refused(): Refused | null {
    if (!this.#batch.failed) return this.#place <= this.#group.counted ? null : this.#group.refused
    this.#localCount ??= this.#parts.local.count(this.#hits)
    return this.#localCount.refused
  }

  giveBack(): void {
    if (this.refused !== null || this.#isGivenBack) return
    this.#isGivenBack = true
    if (this.#localCount !== null) {
      this.#localCount.giveBack()
      return
    }
    const { keys, ends } = this.#batch.windowsOf(this.#group)
    if (keys.length === 0) return
    this.#parts.giveBack(keys, ends)
    this.#parts.local.takeBackShared(this.#hits, this.#batch.countedAtMs)
  }
}

/** How often the event loop checks for an answer. */
const CHECK_EVERY_MS = 10

/**
 * Calls `expired` after the event loop has checked its sockets for `ms`, in steps of 10 ms. Returns a function that
 * cancels the timer.
 *
 * A plain timer measures the wall clock. After a stall of the event loop it fires before the sockets are read: a reply that had
 * come in time would count as missing, and a client that keeps a node busy could disable its shared limits. Here a stall of any
 * length counts as one step: each step is a timer followed by a turn in which the sockets are read (`setImmediate` runs after the
 * poll phase).
 */
export function awakeTimer(ms: number, expired: () => void): () => void {
  let steps = Math.ceil(ms / CHECK_EVERY_MS)
  let timer: NodeJS.Timeout | null = null
  let isCanceled = false

  function wait(): void {
    timer = setTimeout(() => setImmediate(step), CHECK_EVERY_MS).unref()
  }

  function step(): void {
    if (isCanceled) return
    steps--
    if (steps > 0) wait()
    else expired()
  }

  wait()
  return () => {
    isCanceled = true
    if (timer !== null) clearTimeout(timer)
  }
}

const BATCH_MAX = 256

/** Requests that share one round trip. */
type Sized = { readonly size: number }

/**
 * Requests of the same moment share one round trip, and only one round trip is in flight at a time: writing to a socket and
 * waking up for its reply cost more than the command. Later requests join the next round trip.
 */
export class RoundTrips<Batch extends Sized> {
  readonly #fresh: () => Batch
  readonly #send: (batch: Batch) => Promise<void>
  readonly #waiting: Batch[] = []
  #isBusy = false

  /** `send` never rejects. */
  constructor(fresh: () => Batch, send: (batch: Batch) => Promise<void>) {
    this.#fresh = fresh
    this.#send = send
  }

  /** The batch to join: the caller must add its request at once. */
  next(): Batch {
    const last = this.#waiting.at(-1)
    if (last !== undefined && last.size < BATCH_MAX) return last
    const fresh = this.#fresh()
    this.#waiting.push(fresh)
    this.#sendSoon()
    return fresh
  }

  #sendSoon(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#sendAfterTurn(1)
  }

  /** Sends once a turn of the event loop brings no new request: until then requests of the same moment are still being read. */
  #sendAfterTurn(sizeBefore: number): void {
    setImmediate(() => {
      const [first] = this.#waiting
      if (first === undefined) return
      if (first.size > sizeBefore && first.size < BATCH_MAX) this.#sendAfterTurn(first.size)
      else void this.#sendFirst()
    })
  }

  async #sendFirst(): Promise<void> {
    const batch = this.#waiting.shift()
    if (batch !== undefined) await this.#send(batch)
    this.#isBusy = false
    if (this.#waiting.length > 0) this.#sendSoon()
  }
}
