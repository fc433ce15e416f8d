import { type ClientId, parseClientId } from '#kernel/client-id.ts'
import type { Presented } from '#modules/apps/index.ts'
import type { Credentials } from '../client/read-credentials.ts'

/** How often a client may ask for tokens. Each throws `rateLimited(…)`. */
export type TokenLimit = {
  /** A request says that it is this client's. */
  said(client: ClientId, address: string): void | Promise<void>
  /** It has proved it. */
  proved(client: ClientId): void | Promise<void>
}

/** What counting needs to know of a request. */
export type Limited = { readonly limit: TokenLimit; readonly address: string }

/** Before the client is looked up. What cannot be a client id is not looked up either, and the next step says so. */
export function countSaid({ limit, address, credentials }: Limited & { readonly credentials: Credentials }) {
  const client = parseClientId(credentials.clientId)
  if (client !== null) return limit.said(client.id, address)
}

export function countProved({ limit, client }: Limited & { readonly client: Presented }) {
  return limit.proved(client.keyId)
}
