import { passwordHasher } from '#access/accounts/index.ts'

/**
 * argon2id at its lowest cost. Tests sign in thousands of people; the real cost, which password-hasher.test.ts checks, would
 * take most of their time.
 */
export const quickHasher = passwordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 } })
