import type { Presented } from '#modules/apps/index.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Credentials } from './read-credentials.ts'
import { whyStopped } from './stopped.ts'

/**
 * A confidential key proves itself with a secret, a public one has none to send; "every credential of a suspended,
 * disabled or ended app" is refused. Whether a key exists and whether its secret is right are one answer, and only who
 * has the secret hears about the app's state.
 */
export function judgeClient(client: Presented | null, credentials: Credentials): Presented {
  if (client === null) throw stranger()
  if (client.clientType === 'confidential') {
    if (credentials.method === 'none')
      throw new OAuthError('invalid_client', 'This key is confidential: send its secret.')
    if (!client.secretMatches) throw stranger()
  } else if (credentials.method !== 'none') {
    throw new OAuthError('invalid_client', 'This key is public and has no secret: send client_id alone, in the body.')
  }
  const stopped = whyStopped(client)
  if (stopped !== null) throw new OAuthError('invalid_client', stopped)
  return client
}

export function stranger(): OAuthError {
  return new OAuthError('invalid_client', 'The client is not known, or its secret is wrong.')
}
