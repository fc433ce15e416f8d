import type { Counted, Sent } from '../rate-limit.ts'

/** A request that no limit rejects, with the test's changes. */
export function countedAs(sent: Sent, more: Partial<Counted> = {}): Counted {
  const givesBack = { giveBack() {} }
  return {
    sent,
    answered: null,
    requireAllowed() {},
    lookedUp() {},
    issued() {},
    countOn: async () => givesBack,
    ...more,
  }
}
