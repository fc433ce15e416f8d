import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from      move     to        when
 * (none)    propose  pending   an app asks
 * pending   approve  approved  a person who may, and who was shown what is there now
 * pending   reject   rejected  a person who may, or whoever proposed it
 * pending   expire   expired   seven days of the world's time, or the app lost its access
 * approved  execute  executed  at once, or by a worker where the process died in between
 * approved  fail     failed    what was approved is no longer possible
 * approved  reopen   pending   what was approved is no longer what would be done: back to review
 *
 * The wire also knows `executing`. Nobody sees one of ours in it: doing it and writing that it was done are one transaction.
 */
export const INTENT_STATES = ['pending', 'approved', 'executed', 'rejected', 'expired', 'failed'] as const
export type IntentState = (typeof INTENT_STATES)[number]

export type IntentMove = 'propose' | 'approve' | 'reject' | 'expire' | 'execute' | 'fail' | 'reopen'

export const INTENT_MACHINE: StateMachine<IntentState, IntentMove, never> = {
  noun: 'intent',
  table: {
    none: { propose: { to: 'pending', events: [] } },
    pending: {
      approve: { to: 'approved', events: [] },
      reject: { to: 'rejected', events: [] },
      expire: { to: 'expired', events: [] },
    },
    approved: {
      execute: { to: 'executed', events: [] },
      fail: { to: 'failed', events: [] },
      reopen: { to: 'pending', events: [] },
    },
    executed: {},
    rejected: {},
    expired: {},
    failed: {},
  },
}
