import type { Counted, Sent } from '../rate-limit.ts'

/** The counts of a request that no limit rejects. `more` replaces single fields. */
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
