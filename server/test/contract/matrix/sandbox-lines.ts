import { INVALID, type Lines, NOT_FOUND, TOKENS } from './line.ts'

/** Every token of the test world may cause any event of the test world; no token of the live world may. */
const SANDBOX = {
  serves: [...TOKENS, 'operator'],
  needs: [],
  answers: NOT_FOUND,
  only: 'test',
  role: 'support',
} as const

/** What partners call in the sandbox, with unknown ids and without a body: an admitted caller gets 404, or the name of the missing field.
 * */
export const SANDBOX_LINES: Lines = {
  'POST /sandbox/investments': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/investments/:id/pay': SANDBOX,
  'POST /sandbox/investments/:id/verify_identity': SANDBOX,
  'POST /sandbox/investments/:id/sign': SANDBOX,
  'POST /sandbox/investments/:id/confirm': SANDBOX,
  'POST /sandbox/investments/:id/change_amount': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/investments/:id/cancel': SANDBOX,
  'POST /sandbox/investments/:id/reinstate': SANDBOX,
  'POST /sandbox/investments/:id/execute': SANDBOX,
  'POST /sandbox/investments/:id/convert': SANDBOX,
  'POST /sandbox/investments/:id/move': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/investments/:id/refund': SANDBOX,
  'POST /sandbox/investments/:id/hide': SANDBOX,
  'POST /sandbox/investments/:id/unhide': SANDBOX,

  'POST /sandbox/users/:id/deactivate': SANDBOX,
  'POST /sandbox/users/:id/visit': { ...SANDBOX, answers: INVALID },

  'POST /sandbox/offerings/:id/open': SANDBOX,
  'POST /sandbox/offerings/:id/closing': SANDBOX,
  'POST /sandbox/offerings/:id/close': SANDBOX,
  'POST /sandbox/offerings/:id/cancel': SANDBOX,

  'POST /sandbox/syndicates/:id/invite': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/syndicates/:id/reinvite': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/syndicates/:id/apply': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/syndicates/:id/join': { ...SANDBOX, answers: INVALID },

  'POST /sandbox/memberships/:id/approve': SANDBOX,
  'POST /sandbox/memberships/:id/join': SANDBOX,
  'POST /sandbox/memberships/:id/leave': SANDBOX,
  'POST /sandbox/memberships/:id/remove': SANDBOX,
  'POST /sandbox/memberships/:id/fail_payment': SANDBOX,
  'POST /sandbox/memberships/:id/decline': SANDBOX,
  'POST /sandbox/memberships/:id/withdraw': SANDBOX,

  'POST /sandbox/join_sessions': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/join_sessions/:id/sign_in': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/join_sessions/:id/await_approval': SANDBOX,
  'POST /sandbox/join_sessions/:id/complete': SANDBOX,
  'POST /sandbox/join_sessions/:id/reject': SANDBOX,
  'POST /sandbox/join_sessions/:id/mark_ineligible': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/join_sessions/:id/cancel': SANDBOX,
  'POST /sandbox/join_sessions/:id/expire': SANDBOX,

  'POST /sandbox/investment_sessions': { ...SANDBOX, answers: INVALID },
  'POST /sandbox/investment_sessions/:id/start': SANDBOX,
  'POST /sandbox/investment_sessions/:id/complete': SANDBOX,
  'POST /sandbox/investment_sessions/:id/abandon': SANDBOX,
  'POST /sandbox/investment_sessions/:id/resume': SANDBOX,
  'POST /sandbox/investment_sessions/:id/expire': SANDBOX,
  'POST /sandbox/investment_sessions/:id/cancel': SANDBOX,

  // An installation gives access to records, so only the operator may make one: no app installs itself.
  'POST /sandbox/installations': { ...SANDBOX, serves: ['operator'], answers: INVALID },

  'GET /sandbox/clock': { ...SANDBOX, answers: '200' },
  // "The test world's can be advanced (operator's test key …)": no other caller may advance it.
  'POST /sandbox/clock': { ...SANDBOX, serves: ['operator'], answers: INVALID },
}
