import type { ClientLimit } from '../client-authentication.ts'

/** For tests of something else. */
export const NO_CLIENT_LIMIT: ClientLimit = {
  tries: async () => ({ proved() {} }),
  asks: async () => ({ giveBack() {} }),
}
