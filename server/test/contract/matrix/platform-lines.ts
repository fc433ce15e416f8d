import { INVALID, type Lines, NOT_FOUND } from './line.ts'

/** "The host platform's side at /platform/*" takes an operator key; no scope of an app's credential opens it. */
const OPERATOR = { serves: ['operator'], needs: [], answers: NOT_FOUND } as const

/** What concerns both worlds is not for a key of the test world to decide. */
const LIVE_OPERATOR = { ...OPERATOR, only: 'live' } as const

/** What the host platform calls. Ids nobody has, and no body: an admitted caller gets 404, or the name of the missing field. */
export const PLATFORM_LINES: Lines = {
  'POST /platform/facts': { ...OPERATOR, answers: '400 invalid_request' },
  'GET /platform/facts/:id': OPERATOR,
  'GET /platform/installations/:id': OPERATOR,
  'DELETE /platform/installations/:id': OPERATOR,

  'POST /platform/accounts': { ...LIVE_OPERATOR, answers: INVALID },
  'POST /platform/accounts/invitations': { ...LIVE_OPERATOR, answers: INVALID },
  'GET /platform/accounts': { ...LIVE_OPERATOR, answers: '200' },
  'GET /platform/accounts/:id': LIVE_OPERATOR,
  'PUT /platform/accounts/:id/password': { ...LIVE_OPERATOR, answers: INVALID },
  'POST /platform/accounts/:id/sign_in_link': LIVE_OPERATOR,
  'POST /platform/accounts/:id/password_link': LIVE_OPERATOR,
  'POST /platform/accounts/:id/factors/reset': LIVE_OPERATOR,
  'PUT /platform/accounts/:id/users/:mode': { ...LIVE_OPERATOR, answers: INVALID },
  'POST /platform/accounts/:id/disable': LIVE_OPERATOR,
  'POST /platform/accounts/:id/enable': LIVE_OPERATOR,

  'GET /platform/apps': { ...OPERATOR, answers: '200' },
  'GET /platform/apps/:app_id': OPERATOR,
  'GET /platform/apps/:app_id/history': OPERATOR,
  'POST /platform/apps/:app_id/suspend': { ...LIVE_OPERATOR, answers: INVALID },
  'POST /platform/apps/:app_id/lift': LIVE_OPERATOR,
  'POST /platform/apps/:app_id/approve': LIVE_OPERATOR,
  'POST /platform/apps/:app_id/unapprove': LIVE_OPERATOR,
  'POST /platform/apps/:app_id/pii_approval': LIVE_OPERATOR,
  'DELETE /platform/apps/:app_id/pii_approval': LIVE_OPERATOR,
  'POST /platform/apps/:app_id/programs': { ...LIVE_OPERATOR, answers: INVALID },
  'DELETE /platform/apps/:app_id/programs/:program': LIVE_OPERATOR,
  'POST /platform/apps/:app_id/scopes': { ...LIVE_OPERATOR, answers: INVALID },
  'POST /platform/apps/:app_id/scopes/remove': { ...LIVE_OPERATOR, answers: INVALID },

  'GET /platform/organizations': { ...OPERATOR, answers: '200' },
  'GET /platform/organizations/:organization_id': OPERATOR,
  'POST /platform/organizations/:organization_id/end': { ...LIVE_OPERATOR, answers: INVALID },
}
