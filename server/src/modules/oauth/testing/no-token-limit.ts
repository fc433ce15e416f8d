import type { TokenLimit } from '../token/token-limit.ts'

/** For tests of something else. */
export const NO_TOKEN_LIMIT: TokenLimit = { said: () => {}, proved: () => {} }
