import { type Lines, NOT_FOUND } from './line.ts'

/**
 * "User tokens of managers and installation tokens of that syndicate alone". A person may also propose their own
 * comments.
 */
const PROPOSERS = ['user', 'syndicate', 'connection'] as const

/** Responses for an unknown syndicate. An app on a company cannot propose intents. */
const deal = { serves: PROPOSERS, needs: ['write:syndicates'], answers: NOT_FOUND } as const

/** Proposing and reading intents. These routes do not decide intents, because people decide them on a page. */
export const INTENT_LINES: Lines = {
  // "Token must hold that particular action's scope". This line only tests admission, before an intent is proposed.
  'POST /intents': {
    serves: [...PROPOSERS, 'company'],
    needs: ['write:syndicates', 'write:comments'],
    body: {},
    answers: '422 validation_error',
  },
  'POST /intents/preview': {
    serves: [...PROPOSERS, 'company'],
    needs: ['read:explore', 'write:syndicates', 'write:comments'],
    body: {},
    answers: '422 validation_error',
  },
  'GET /intents': { serves: PROPOSERS, needs: ['read:syndicates', 'write:comments'], answers: '200' },
  'GET /intents/:intent_id': { serves: PROPOSERS, needs: ['read:syndicates', 'write:comments'], answers: NOT_FOUND },
  'POST /syndicates/:syndicate_id/deals/:fundraise_id/close': deal,
  'POST /syndicates/:syndicate_id/deals/:fundraise_id/finalize': deal,
}
