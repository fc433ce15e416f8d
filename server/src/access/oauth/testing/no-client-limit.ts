import type { ClientLimit } from '../client-authentication.ts'

/** For tests that are not about limits. */
export const NO_CLIENT_LIMIT: ClientLimit = {
  countGuess: async () => ({ proved() {} }),
  countTokenRequest: async () => ({ giveBack() {} }),
}
