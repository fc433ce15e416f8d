import type { Presented } from '#modules/apps/index.ts'
import type { Attempt, Limited } from '../client/client-limit.ts'
import { OwnGrantRefused } from './grant-outcome.ts'

type Proving = Limited & { readonly client: Presented; readonly attempt: Attempt }

/** A secret proves whose request it is, and a public key has none. */
export async function countProved({ limit, client, attempt, counted }: Proving): Promise<void> {
  if (client.clientType === 'public') return
  attempt.proved()
  await limit.asks(client.keyId, counted)
}

/**
 * What proves that a request is a public key's own is a code or a refresh token of its own, whatever has become of that.
 * Anything else is what anybody could send who has seen the key, and leaves the key's hour as it was. It is counted before
 * the grant is looked at all the same: a request that is one too many must not use up the code it brings.
 */
export async function whileProving<T>(
  { limit, client, attempt, counted }: Proving,
  grant: () => Promise<T>,
): Promise<T> {
  if (client.clientType === 'confidential') return grant()
  const count = await limit.asks(client.keyId, counted)
  try {
    const granted = await grant()
    attempt.proved()
    return granted
  } catch (error) {
    if (error instanceof OwnGrantRefused) attempt.proved()
    else count.giveBack()
    throw error
  }
}
