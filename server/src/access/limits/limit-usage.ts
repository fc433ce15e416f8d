import type { LoggedRequest, RequestLogPort } from '#http/ports.ts'
import type { ClientId } from '#kernel/ids.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { Counting, LimitName } from './limit-table.ts'
import { type RecordedLimit, recordUsage, type UsageEntry } from './usage-store.ts'

type Seen = { readonly name: RecordedLimit; readonly key: string; readonly client: ClientId; rejected: number }

/** How many tokens and keys are cached with their client. A rejected request is not looked up, so only this cache knows its client. */
const SEEN_MAX = 20_000

/**
 * The tokens and keys that were counted since the last collection. A request costs only a lookup in a map; `collect` reads the counts from
 * the counter.
 */
export class LimitUsage {
  readonly #counting: Pick<Counting, 'table' | 'counter'>
  readonly #seen = new Map<string, Seen>()
  readonly #touched = new Set<Seen>()

  constructor(counting: Pick<Counting, 'table' | 'counter'>) {
    this.#counting = counting
  }

  counted(name: RecordedLimit, key: string, client: ClientId): void {
    if (this.#counting.table[name] !== null)
      this.#touched.add(this.#find(name, key) ?? this.#add({ name, key, client }))
  }

  /** If `client` is omitted, ignores a key that was never counted here. */
  rejected(name: LimitName, key: string, client?: ClientId): void {
    const seen =
      this.#find(name, key) ?? (client === undefined ? null : this.#add({ name: name as RecordedLimit, key, client }))
    if (seen === null) return
    seen.rejected++
    this.#touched.add(seen)
  }

  #find(name: LimitName, key: string): Seen | null {
    return this.#seen.get(`${name} ${key}`) ?? null
  }

  #add(use: Omit<Seen, 'rejected'>): Seen {
    if (this.#seen.size >= SEEN_MAX) this.#seen.clear()
    const seen = { ...use, rejected: 0 }
    this.#seen.set(`${use.name} ${use.key}`, seen)
    return seen
  }

  /** The use of every token and key since the last collection. */
  async collect(): Promise<readonly UsageEntry[]> {
    const { table, counter } = this.#counting
    const touched = [...this.#touched].flatMap((seen) => {
      const limit = table[seen.name]
      return limit === null ? [] : [{ seen, limit }]
    })
    this.#touched.clear()
    if (touched.length === 0) return []
    const used = await counter.used(touched.map(({ seen: { key }, limit }) => ({ limit, key })))
    return touched.map(({ seen, limit }, at) => {
      const { name, client, rejected } = seen
      seen.rejected = 0
      return { name, client, peak: used[at] ?? 0, allowed: limit.max, rejected }
    })
  }
}

type Deps = { readonly platform: PlatformDatabase; readonly uses: LimitUsage; readonly log: Pick<Log, 'warn'> }

export type LimitUsageRecorder = RequestLogPort & {
  /** Writes the counts that are left, and stops. */
  close(): Promise<void>
}

/** Requests in the last two seconds of a window may be missing, because only the current window is read. */
const WRITTEN_EVERY_MS = 2_000

/** Records in the background how much of their limits apps use. If the process is killed, the counts of the last seconds are lost. */
export function limitUsageRecorder({ platform, uses, log }: Deps): LimitUsageRecorder {
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    writing = writing.then(async () => {
      try {
        const collected = await uses.collect()
        if (collected.length > 0) await recordUsage(platform, collected)
      } catch (error) {
        log.warn({ err: error }, 'the use of limits could not be recorded and is lost')
      }
    })
    return writing
  }
  const timer = setInterval(write, WRITTEN_EVERY_MS).unref()
  return {
    record: (request) => noteRequest(uses, request),
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}

/** Requests with a server key are counted by the code that checks the key. */
function noteRequest(uses: LimitUsage, { credential, credentialDigest, keyId }: LoggedRequest): void {
  if (credentialDigest === null) return
  uses.counted(credential === 'publishable' ? 'publishable_key' : 'access_token', credentialDigest, keyId)
}
