import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Hit, Refused } from '#system/counting/window-counter.ts'
import type { Key } from '#system/crypto/keyring.ts'
import { countBatch } from './count-batch.ts'
import { COUNT, GIVE_BACK } from './count-script.ts'
import { Gathering } from './gathering.ts'
import { script } from './script.ts'

const count = script(COUNT)
const giveBack = script(GIVE_BACK)

const DIGEST_CHARS = 22

/** As `WindowCounter`, but for failing when Redis does not answer. */
export type RedisCounter = {
  hit(hits: readonly Hit[]): Promise<Refused | null>
  giveBack(hits: readonly Hit[]): Promise<void>
  used(hits: readonly Hit[]): Promise<readonly number[]>
}

/** Counting in Redis: one round trip for all of a request's limits, and for all requests of the same moment. */
export function redisCounter(redis: Redis, secret: Key): RedisCounter {
  const nameOf = keyNames(secret)
  const gathering = new Gathering(async (requests: readonly (readonly Hit[])[]) => {
    const batch = countBatch(requests.map((hits) => hits.map((hit) => ({ ...hit, name: nameOf(hit) }))))
    return batch.verdicts(await count(redis, batch.keys, batch.args))
  })
  return {
    hit: async (hits) => (hits.length === 0 ? null : gathering.ask(hits)),
    async giveBack(hits) {
      if (hits.length > 0) await giveBack(redis, hits.map(nameOf), [])
    },
    async used(hits) {
      if (hits.length === 0) return []
      return (await redis.mget(hits.map(nameOf))).map(Number)
    },
  }
}

/**
 * Nobody who reads Redis learns from where, or with what, requests came: keys are digests with a secret of ours in them,
 * the same on every node. Half a digest is long enough never to meet another.
 */
function keyNames(secret: Key): (hit: Hit) => string {
  const before = secret.bytes.toString('base64')
  const hidden = remembered((text) => hash('sha256', before + text, 'base64url').slice(0, DIGEST_CHARS))
  return ({ limit, key }) => `portico:limit:${limit.name}:${hidden(key)}`
}

const REMEMBERED_MAX = 20_000

/** Whoever calls mostly calls again. */
function remembered(digest: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= REMEMBERED_MAX) known.clear()
    const made = digest(text)
    known.set(text, made)
    return made
  }
}
