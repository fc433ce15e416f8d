import type { LimitPort } from '#http/ports.ts'
import type { Counted } from '#http/rate-limit.ts'
import type { ClientId } from '#kernel/ids.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Refused, WindowCounter } from '#system/counting/local-counter.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import { guessing, webhookTests } from './counted-limits.ts'
import { type Counting, countMore, type LimitSettings, limitTable, refuse } from './limit-table.ts'
import { LimitUsage } from './limit-usage.ts'
import { type OperatorKeys, requestLimits } from './request-limits.ts'

export type LimitsParts = {
  readonly settings: LimitSettings
  readonly counter: WindowCounter
  readonly onRefused?: (name: string) => void
  /** Absent if the host platform sends no requests. */
  readonly operatorKeys?: OperatorKeys
}

/** All limits, with one counter. */
export type Limits = {
  readonly requests: LimitPort
  readonly client: ClientLimit
  /** "Webhook test sends: 10 per minute per endpoint." Throws the 429. */
  readonly countTest: (endpoint: string, counted: Counted | null) => Promise<void>
  readonly pendingIntents: PendingIntents
  readonly counting: Counting
  /** How much of their limits apps use. */
  readonly uses: LimitUsage
}

export function openLimits({ settings, counter, ...around }: LimitsParts): Limits {
  const { onRefused = () => {}, operatorKeys = async () => false } = around
  const counting: Counting = { table: limitTable(settings), counter, onRefused }
  const uses = new LimitUsage(counting)
  const { unknown_token: unknown } = counting.table
  const guard = unknown === null ? null : guessing(unknown, counter)
  const tests = webhookTests(counting)
  return {
    requests: requestLimits({ counting, uses, guard, webhookTests: tests, operatorKeys }),
    client: clientLimit(counting, uses),
    countTest: tests.count,
    pendingIntents: pendingIntents(counting),
    counting,
    uses,
  }
}

type Proposal<T> = {
  /** The existing pending intent, if this request only repeats it. */
  pending(): Promise<T | null>
  create(): Promise<T>
}

type PendingIntents = { propose<T>(tokenDigest: string, proposal: Proposal<T>): Promise<T> }

/**
 * "10 new pending intents per hour per token … replaying an existing pending intent (same idempotency key, or repeated
 * deal close) is not counted." A rejected proposal does not count for this limit either.
 */
function pendingIntents(counting: Counting): PendingIntents {
  const { pending_intent: limit } = counting.table
  return {
    async propose(key, { pending, create }) {
      const existing = await pending()
      if (existing !== null) return existing
      if (limit === null) return create()
      const count = counting.counter.count([{ limit, key }])
      if (count.answered !== null) await count.answered
      refuse(counting, count.refused, ceilingOf(count.refused))
      try {
        return await create()
      } catch (error) {
        count.giveBack()
        throw error
      }
    },
  }
}

/** "The standard envelope with a message naming the 10-per-hour ceiling." */
function ceilingOf(refused: Refused | null): string {
  return `Too many new pending intents: the ceiling is ${refused?.limit.max} per hour for each token.`
}

/** The client that a request claims to be, and the secret that it sent. */
type ClaimedClient = { readonly client: ClientId; readonly secret: string | null; readonly address: string }

type ClientLimit = {
  /** Called before the client is looked up, when its id is only claimed. Throws the 429. */
  countGuess(claimed: ClaimedClient): Promise<{ proved(): void }>
  /** Counts a token request of the authenticated client. Throws the 429. */
  countTokenRequest(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
  /** Counts an authenticated request with HTTP Basic. Throws the 429. */
  countBasicRequest(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
}

/**
 * "Token endpoint per client: 60 requests per hour per client_id." A client id is public, so only authenticated requests count toward the
 * client's limit; otherwise any caller could use it up. A request that is not authenticated yet counts as a guess, per client id and
 * address, with the same limit. Further guesses are rejected without a query, but only from that address. A secret that was right is cached
 * and no longer counts as a guess.
 */
function clientLimit(counting: Counting, uses: LimitUsage): ClientLimit {
  const { token_client: limit } = counting.table
  const countFor = async (name: 'server_key' | 'token_client', client: ClientId, counted: Counted | null) => {
    const counts = counting.table[name]
    if (counts === null) return UNCOUNTED
    try {
      const own = await countMore(counting, counted, [{ limit: counts, key: client }])
      uses.counted(name, client, client)
      return own
    } catch (error) {
      uses.rejected(name, client, client)
      throw error
    }
  }
  const countBasicRequest: ClientLimit['countBasicRequest'] = (client, counted) =>
    countFor('server_key', client, counted)
  if (limit === null)
    return { countGuess: async () => UNCOUNTED, countTokenRequest: async () => UNCOUNTED, countBasicRequest }
  const guard = guessing({ ...limit, name: `${limit.name}_at_address` }, counting.counter)
  return {
    async countGuess({ client, secret, address }) {
      const digest = secret === null ? '' : hexDigestOf(`${client} ${secret}`)
      const guess = guard.countGuess(`${client} ${addressGroup(address)}`, digest)
      if (guess !== null && guess.answered !== null) await guess.answered
      refuse(counting, guess?.refused ?? null)
      const proved = () => {
        guess?.giveBack()
        // A public key has no secret to cache.
        if (secret !== null) guard.isHeld(digest)
      }
      return { proved }
    },
    countTokenRequest: (client, counted) => countFor('token_client', client, counted),
    countBasicRequest,
  }
}

const UNCOUNTED = { proved() {}, giveBack() {} }
