import type { Counted, SentCredential } from '#http/counted.ts'
import type { Hit } from '#system/counting/window-counter.ts'
import { type Counting, countMore } from './counting.ts'

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
