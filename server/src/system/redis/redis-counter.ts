import type { Redis } from 'ioredis'
import type { Count, Hit, Refused, WindowCounter } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import { CountBatch } from './count-batch.ts'
import { COUNT, GIVE_BACK } from './count-script.ts'
import type { Group } from './group.ts'
import { KeyNames } from './key-names.ts'
import { script } from './script.ts'
import { Turns } from './turns.ts'

const countIn = script(COUNT)
const giveBackIn = script(GIVE_BACK)

/** Nobody waits longer for their count than this, their time in the queue included. */
const WAIT_MS_MAX = 200

export type RedisCounterParts = {
  readonly redis: Redis
  readonly secret: Key
  /** Counts what Redis does not. */
  readonly instead: WindowCounter
  /** Told of every batch that Redis did not count, or not in time. */
  readonly onFailed: (error: unknown) => void
  readonly waitMsMax?: number
}

export type RedisCounter = {
  count(hits: readonly Hit[]): RedisCount
  used(hits: readonly Hit[]): Promise<readonly number[]>
}

/** Counting in Redis: one round trip for all of a request's limits, and for all requests of the same moment. */
export function redisCounter({
  redis,
  secret,
  instead,
  onFailed,
  waitMsMax = WAIT_MS_MAX,
}: RedisCounterParts): RedisCounter {
  const names = new KeyNames(secret)

  function fail(batch: CountBatch, error: unknown): void {
    if (batch.failed) return
    batch.fail()
    onFailed(error)
  }

  function fresh(): CountBatch {
    const batch = new CountBatch(names)
    const late = () => fail(batch, new Error(`no answer within ${waitMsMax} ms`))
    // After a stall of ours the answer may lie in the socket: it is read before `setImmediate`.
    const timer = setTimeout(() => setImmediate(() => batch.countedAtMs === 0 && late()), waitMsMax).unref()
    void batch.answered.then(() => clearTimeout(timer))
    return batch
  }

  async function send(batch: CountBatch): Promise<void> {
    if (batch.failed) return
    try {
      batch.answer(await countIn(redis, batch.keys, batch.args))
    } catch (error) {
      fail(batch, error)
    }
  }

  const parts: Parts = {
    instead,
    giveBack: (keys, ends) => void giveBackIn(redis, keys, ends).catch(() => {}),
  }
  const turns = new Turns(fresh, send)
  return {
    count: (hits) => new RedisCount(parts, turns.next(), hits),
    used: async (hits) => {
      if (hits.length === 0) return []
      return (await redis.mget(hits.map(({ limit, key }) => names.of(limit, key).name))).map(Number)
    },
  }
}

type Parts = {
  readonly instead: WindowCounter
  readonly giveBack: (keys: readonly string[], ends: readonly number[]) => void
}

/** One request in a batch. What Redis did not count is counted instead when somebody asks. */
class RedisCount implements Count {
  readonly #parts: Parts
  readonly #batch: CountBatch
  readonly #group: Group
  readonly #place: number
  readonly #hits: readonly Hit[]
  #instead: Count | null = null
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
    this.#instead ??= this.#parts.instead.count(this.#hits)
    return this.#instead.refused
  }

  giveBack(): void {
    if (this.refused !== null || this.#isGivenBack) return
    this.#isGivenBack = true
    if (this.#instead !== null) {
      this.#instead.giveBack()
      return
    }
    const { keys, ends } = this.#batch.windowsOf(this.#group)
    if (keys.length > 0) this.#parts.giveBack(keys, ends)
  }
}
