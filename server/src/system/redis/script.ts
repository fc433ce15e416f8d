import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

export type Script = (redis: Redis, keys: readonly string[], args: readonly number[]) => Promise<unknown>

/** Sent by its digest; in full when the server does not know it, as after its restart. */
export function script(lua: string): Script {
  const digest = hash('sha1', lua, 'hex')
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, keys.length, ...keys, ...args)
    }
  }
}
