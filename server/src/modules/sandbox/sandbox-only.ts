import { heldBy } from '#http/access.ts'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'

/**
 * Who may make things happen: the operator's test key, and every token of an app. The specification names no scope for
 * this, so none is asked for: what one moves here is nobody's. A publishable key is seen by everybody and moves nothing.
 */
export const SANDBOX_ACCESS = heldBy(['operator', 'client', 'user', 'installation'])

/** Facts come in through the feed and nowhere else, so in the live world nothing is ever made to happen from here. */
export function refuseLive(caller: Caller): void {
  if (caller.world === 'test') return
  throw new ApiError('sandbox_only', {
    public: 'This makes things happen in the test world only, and the credential belongs to the live one.',
    remediation: 'Use a test credential: an operator key that begins with ok_test_, or an access token at_test_….',
  })
}
