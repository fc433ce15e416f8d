import { expect, test } from 'vitest'
import { rateLimited } from './rate-limit.ts'

test.each([
  [1, 'Wait 1 second, then'],
  [2, 'Wait 2 seconds, then'],
])('the remediation names the wait of %i s', (retryAfterSeconds, words) => {
  const refusal = { limit: 60, periodSeconds: 60, retryAfterSeconds, resetAt: 1_800_000_000 }
  expect(rateLimited(refusal).remediation).toContain(words)
})
