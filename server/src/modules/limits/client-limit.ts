import type { Counted } from '#http/counted.ts'
import type { ClientId } from '#kernel/client-id.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import { type Counting, countMore, refuse } from './counting.ts'
import { guessing } from './guessing.ts'

/** Who a request says it is of, and what it sent to prove it. */
export type SaidClient = { readonly client: ClientId; readonly secret: string | null; readonly address: string }

export type ClientLimit = {
  /** Before the client is looked up: it has only said who it is. Throws the 429. */
  tries(said: SaidClient): Promise<{ proved(): void }>
  /** A request for a token that proved to be the client's. Throws the 429. */
  asks(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
  /** A request with HTTP Basic that proved to be the key's. Throws the 429. */
  calls(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
}

/**
 * "Token endpoint per client: 60 requests per hour per client_id." A client id is no secret, so only requests that prove
 * to be the client's count on it, or anybody could use up its hour from elsewhere. Before that they are guesses, counted on
 * the client id together with the address they come from, by the same limit: who is beyond it is refused without a look into
 * the database, and hurts nobody but their own address. A secret that proved right is known from then on.
 */
export function clientLimit(counting: Counting): ClientLimit {
  const { token_client: limit, server_key: perKey } = counting.table
  const calls: ClientLimit['calls'] = async (client, counted) =>
    perKey === null ? UNCOUNTED : countMore(counting, counted, [{ limit: perKey, key: client }])
  if (limit === null) return { tries: async () => UNCOUNTED, asks: async () => UNCOUNTED, calls }
  const guard = guessing({ ...limit, name: `${limit.name}_at_address` }, counting.counter)
  return {
    async tries({ client, secret, address }) {
      const digest = secret === null ? '' : hexDigestOf(`${client} ${secret}`)
      const guess = guard.tries(`${client} ${addressGroup(address)}`, digest)
      if (guess !== null && guess.answered !== null) await guess.answered
      refuse(counting, guess?.refused ?? null)
      const proved = () => {
        guess?.giveBack()
        // What is public proves nothing the next time.
        if (secret !== null) guard.isHeld(digest)
      }
      return { proved }
    },
    asks: (client, counted) => countMore(counting, counted, [{ limit, key: client }]),
    calls,
  }
}

const UNCOUNTED = { proved() {}, giveBack() {} }
