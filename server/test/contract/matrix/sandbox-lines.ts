import { INVALID, type Lines, NOT_FOUND, TOKENS } from './line.ts'

/** Every token of the test world may cause any event of the test world. Tokens of the live world may not. */
const SANDBOX = {
  serves: [...TOKENS, 'operator'],
  needs: [],
  answers: NOT_FOUND,
  only: 'test',
  role: 'support',
} as const

/** An operator has to give a reason for changing a person's records, but not for changing an offering. */
const MOVE = { ...SANDBOX, about: 'person' } as const

/**
 * The sandbox operations for partners. They are called with unknown ids and without a body, so an admitted caller gets
 * 404, or the name of the missing field.
 */
export const SANDBOX_LINES: Lines = {
  'POST /sandbox/investments': { ...MOVE, answers: INVALID },
  'POST /sandbox/investments/:id/pay': MOVE,
  'POST /sandbox/investments/:id/verify_identity': MOVE,
  'POST /sandbox/investments/:id/sign': MOVE,
  'POST /sandbox/investments/:id/confirm': MOVE,
  'POST /sandbox/investments/:id/change_amount': { ...MOVE, answers: INVALID },
  'POST /sandbox/investments/:id/cancel': MOVE,
  'POST /sandbox/investments/:id/reinstate': MOVE,
  'POST /sandbox/investments/:id/execute': MOVE,
  'POST /sandbox/investments/:id/convert': MOVE,
  'POST /sandbox/investments/:id/move': { ...MOVE, answers: INVALID },
  'POST /sandbox/investments/:id/refund': MOVE,
  'POST /sandbox/investments/:id/hide': MOVE,
  'POST /sandbox/investments/:id/unhide': MOVE,

  'POST /sandbox/users/:id/deactivate': MOVE,
  'POST /sandbox/users/:id/visit': { ...MOVE, answers: INVALID },

  'POST /sandbox/offerings/:id/open': SANDBOX,
  'POST /sandbox/offerings/:id/closing': SANDBOX,
  'POST /sandbox/offerings/:id/close': SANDBOX,
  'POST /sandbox/offerings/:id/cancel': SANDBOX,

  'POST /sandbox/syndicates/:id/invite': { ...MOVE, answers: INVALID },
  'POST /sandbox/syndicates/:id/reinvite': { ...MOVE, answers: INVALID },
  'POST /sandbox/syndicates/:id/apply': { ...MOVE, answers: INVALID },
  'POST /sandbox/syndicates/:id/join': { ...MOVE, answers: INVALID },

  'POST /sandbox/memberships/:id/approve': MOVE,
  'POST /sandbox/memberships/:id/join': MOVE,
  'POST /sandbox/memberships/:id/leave': MOVE,
  'POST /sandbox/memberships/:id/remove': MOVE,
  'POST /sandbox/memberships/:id/fail_payment': MOVE,
  'POST /sandbox/memberships/:id/decline': MOVE,
  'POST /sandbox/memberships/:id/withdraw': MOVE,

  'POST /sandbox/join_sessions': { ...MOVE, answers: INVALID },
  'POST /sandbox/join_sessions/:id/sign_in': { ...MOVE, answers: INVALID },
  'POST /sandbox/join_sessions/:id/await_approval': MOVE,
  'POST /sandbox/join_sessions/:id/complete': MOVE,
  'POST /sandbox/join_sessions/:id/reject': MOVE,
  'POST /sandbox/join_sessions/:id/mark_ineligible': { ...MOVE, answers: INVALID },
  'POST /sandbox/join_sessions/:id/cancel': MOVE,
  'POST /sandbox/join_sessions/:id/expire': MOVE,

  'POST /sandbox/investment_sessions': { ...MOVE, answers: INVALID },
  'POST /sandbox/investment_sessions/:id/start': MOVE,
  'POST /sandbox/investment_sessions/:id/complete': MOVE,
  'POST /sandbox/investment_sessions/:id/abandon': MOVE,
  'POST /sandbox/investment_sessions/:id/resume': MOVE,
  'POST /sandbox/investment_sessions/:id/expire': MOVE,
  'POST /sandbox/investment_sessions/:id/cancel': MOVE,

  // An installation gives access to records, so only the operator may create one. Apps cannot install themselves.
  'POST /sandbox/installations': { ...SANDBOX, serves: ['operator'], about: 'partner', answers: INVALID },

  'GET /sandbox/clock': { ...SANDBOX, answers: '200' },
  // "The test world's can be advanced (operator's test key …)". No other caller may advance it.
  'POST /sandbox/clock': { ...SANDBOX, serves: ['operator'], answers: INVALID },
}
