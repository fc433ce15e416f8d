import type { Counted } from '#http/counted.ts'
import { type ClientId, parseClientId } from '#kernel/client-id.ts'
import type { Credentials } from './read-credentials.ts'

/** How often clients may be guessed at, and ask for tokens. */
export type ClientLimit = {
  /** A request says that it is this client's. Throws `rateLimited(…)`; is told if it has proved it. */
  tries(said: { readonly client: ClientId; readonly secret: string | null; readonly address: string }): Promise<Attempt>
  /** One that asks for a token has proved it. Throws `rateLimited(…)`. */
  asks(client: ClientId, counted: Counted | null): Promise<{ giveBack(): void }>
}

export type Attempt = { proved(): void }

/** What counting needs to know of a request. */
export type Limited = { readonly limit: ClientLimit; readonly address: string; readonly counted: Counted | null }

const NO_ATTEMPT: Attempt = { proved() {} }

/** Before the client is looked up. What cannot be a client id is not looked up either, and the next step says so. */
export async function countAttempt(
  request: Limited & { readonly credentials: Credentials },
): Promise<{ readonly attempt: Attempt }> {
  const { limit, address, credentials } = request
  const client = parseClientId(credentials.clientId)
  if (client === null) return { attempt: NO_ATTEMPT }
  return { attempt: await limit.tries({ client: client.id, secret: credentials.secret, address }) }
}

/** It is the client's, or of a public one, which has nothing to prove there. */
export function noteProved({ attempt }: { readonly attempt: Attempt }): void {
  attempt.proved()
}
