import type { ClientLimit } from '../client-authentication.ts'

/** For tests that are not about limits. */
export const NO_CLIENT_LIMIT: ClientLimit = {
  tries: async () => ({ proved() {} }),
  asks: async () => ({ giveBack() {} }),
}
