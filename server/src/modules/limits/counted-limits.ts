import type { Counted, SentCredential } from '#http/counted.ts'
import type { Count, Hit, WindowCounter, WindowLimit } from '#system/counting/window-counter.ts'
import { type Counting, countMore } from './limit-table.ts'

const KNOWN_MAX = 50_000

/** Of one kind of credential. */
export type Guessing = {
  /**
   * A credential is about to be looked up for somebody (an address, say). Counts it as a guess, which may be one too many;
   * null where it is known to be none. The verdict is there when `answered` resolves.
   */
  tries(by: string, digest: string): Count | null
  /** Somebody holds it, or did once. */
  isHeld(digest: string): void
}

/**
 * "Addresses that keep sending bad tokens are refused before the database is asked, so that guessing is slow and cheap to
 * refuse." Whatever is not known here counts as a guess until it was looked up, and is given back when somebody holds it or
 * ever did: so many at once are no more than so many one after the other. What was held once is known from then on, so
 * whoever shares the address and has been calling goes on; a guess never gets known. Guesses are counted where all limits are
 * counted: in Redis several nodes share one count, so that a guesser does not get the limit once per node.
 */
export function guessing(limit: WindowLimit, counter: WindowCounter): Guessing {
  const known = new RecentlySeen(KNOWN_MAX)
  return {
    tries: (by, digest) => (known.has(digest) ? null : counter.count([{ limit, key: by }])),
    isHeld: (digest) => known.note(digest),
  }
}

/**
 * Which of the last so many different texts were seen: at least `textsMax`, at most twice as many, and never more memory
 * than for those. Nothing is measured or swept: when one half is full, the older one is dropped, but for what was asked for
 * meanwhile.
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
  /** For when the request arrives. */
  look(endpoint: string, by: SentCredential): Hit | null
  /** After the endpoint was found to be the caller's. Throws the 429. */
  count(endpoint: string, counted: Counted | null): Promise<void>
}

/**
 * "Webhook test sends: 10 per minute per endpoint." Whose an endpoint is, nobody knows before it was looked up, and whoever
 * has only heard of one must neither use up its tests nor learn of them. So the tests of each token on each endpoint are
 * counted beside those of the endpoint: a token that has used them all up is refused when its request arrives, others after
 * the endpoint was found to be theirs.
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
