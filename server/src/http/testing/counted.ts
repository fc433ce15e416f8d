import type { Counted, Sent } from '../counted.ts'

/** A request that no limit rejects, but for what a test puts in place of that. */
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
