import type { Counted, SentCredential } from '#http/rate-limit.ts'
import type { Count, Hit, WindowCounter, WindowLimit } from '#system/counting/local-counter.ts'
import { type Counting, countMore } from './limit-table.ts'

const KNOWN_MAX = 50_000

/** Counts guesses of one kind of credential. */
export type Guessing = {
  /**
   * The caller calls this before it looks up a credential. `by` is the IP address, for example. Counts a guess, or returns null for a
   * credential in the cache. The verdict is available when `answered` resolves.
   */
  countGuess(by: string, digest: string): Count | null
  /** Caches that the credential is stored, valid or not, or was just issued. */
  isHeld(digest: string): void
}

/**
 * "Addresses that keep sending bad tokens are rejected before the database is asked, so that guessing is slow and cheap to
 * reject." A credential counts as a guess before it is looked up, so that concurrent requests are limited like sequential ones;
 * the caller takes the count back if the credential is stored, valid or not. Such credentials are cached, so that they keep working
 * when other callers at their address guess; wrong ones are never cached. With Redis, all nodes share one count.
 */
export function guessing(limit: WindowLimit, counter: WindowCounter): Guessing {
  const recentlySeen = new RecentlySeen(KNOWN_MAX)
  return {
    countGuess: (by, digest) => (recentlySeen.has(digest) ? null : counter.count([{ limit, key: by }])),
    isHeld: (digest) => recentlySeen.note(digest),
  }
}

/**
 * A set of the most recently seen texts: at least `textsMax`, at most twice as many. When the newer half is full, the older
 * half is dropped; texts that were looked up meanwhile have moved to the newer half.
 */
export class RecentlySeen {
  readonly #textsMax: number
  #newer = new Set<string>()
  #older: ReadonlySet<string> = new Set()

  constructor(textsMax: number) {
    this.#textsMax = textsMax
  }

  has(text: string): boolean {
    if (this.#newer.has(text)) return true
    if (!this.#older.has(text)) return false
    this.note(text)
    return true
  }

  note(text: string): void {
    if (this.#newer.size >= this.#textsMax && !this.#newer.has(text)) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(text)
  }
}

export type WebhookTests = {
  /** Called when the request arrives, before the endpoint is looked up. Reads the counts without adding to them. */
  look(endpoint: string, by: SentCredential): Hit | null
  /** Called after the lookup has shown that the endpoint is the caller's. Throws the 429. */
  count(endpoint: string, counted: Counted | null): Promise<void>
}

/**
 * "Webhook test sends: 10 per minute per endpoint." Only the lookup shows who owns an endpoint. Until then, a caller that knows only the id
 * must not use up the endpoint's tests or learn how many were sent. So tests are also counted per token and endpoint. A token over that
 * limit is rejected on arrival; the endpoint's own limit is applied after the lookup has shown that the token's app owns the endpoint.
 */
export function webhookTests(counting: Counting): WebhookTests {
  const { webhook_test: limit } = counting.table
  if (limit === null) return { look: () => null, count: async () => {} }
  const ofToken = { ...limit, name: `${limit.name}_of_token` }
  const hitOfToken = (endpoint: string, { digest }: SentCredential): Hit => ({
    limit: ofToken,
    key: `${endpoint} ${digest}`,
  })
  return {
    look: (endpoint, by) => ({ ...hitOfToken(endpoint, by), look: true }),
    async count(endpoint, counted) {
      const by = counted?.sent.credential ?? null
      const onEndpoint = { limit, key: endpoint }
      await countMore(counting, counted, by === null ? [onEndpoint] : [onEndpoint, hitOfToken(endpoint, by)])
    },
  }
}
