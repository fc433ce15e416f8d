import { revokePresented } from '#modules/tokens/index.ts'
import { CLIENT_STEPS } from './client/client-steps.ts'
import { required, type TokenRequest } from './token/token-request.ts'

/**
 * RFC 7009, section 2.2: the answer is the same whether the token was the client's, somebody else's or nobody's, since
 * in each case it cannot be used by this client any more. `token_type_hint` would only save a look: our tokens say what
 * they are.
 */
async function revokeToken({ parameters, client, db }: TokenRequest): Promise<void> {
  const token = required(parameters, 'token')
  await db.transaction((tx) => revokePresented(tx, { token, keyId: client.keyId }))
}

/** POST /oauth/revoke, in order. Public keys too: who lost a phone wants its tokens gone. */
export const REVOKE_STEPS = CLIENT_STEPS.step(revokeToken)
