import { passwordHasher } from '#access/accounts/index.ts'

/**
 * Hashes with argon2id at its lowest cost. Tests sign in thousands of people, and the real cost would take most of
 * their time. passwords.test.ts checks the real cost.
 */
export const quickHasher = passwordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 } })
