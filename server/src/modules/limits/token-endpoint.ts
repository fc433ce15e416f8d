import type { ClientId } from '#kernel/client-id.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import { type Counting, count } from './counting.ts'

/** Each throws the 429. */
export type TokenEndpointLimit = {
  /** Before the client is looked up: it has only said who it is. */
  said(client: ClientId, address: string): void | Promise<void>
  /** After it has proved it. */
  proved(client: ClientId): void | Promise<void>
}

/**
 * "Token endpoint per client: 60 requests per hour per client_id." A client id is no secret, so only requests that prove
 * to be the client's count on it, or anybody could use up its hour from elsewhere. Before that they count on the client id
 * together with the address they come from, by the same limit: who is beyond it is refused without a look into the
 * database, and hurts nobody but their own address.
 */
export function tokenEndpointLimit(counting: Counting): TokenEndpointLimit {
  const { token_client: limit } = counting.table
  if (limit === null) return { said: () => {}, proved: () => {} }
  const atAddress = { ...limit, name: `${limit.name}_at_address` }
  return {
    said: (client, address) => count(counting, [{ limit: atAddress, key: `${client} ${addressGroup(address)}` }]),
    proved: (client) => count(counting, [{ limit, key: client }]),
  }
}
