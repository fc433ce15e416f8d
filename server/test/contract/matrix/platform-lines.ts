import type { PlatformRole } from '#kernel/caller.ts'
import { INVALID, type Lines, NOT_FOUND } from './line.ts'

/** "The host platform's side at /platform/*" takes an operator key; no scope of an app's credential opens it. */
const operator = (role: PlatformRole) => ({ serves: ['operator'], needs: [], answers: NOT_FOUND, role }) as const

/** What concerns both worlds is not for a key of the test world to decide. */
const live = (role: PlatformRole) => ({ ...operator(role), only: 'live' }) as const

/** What the host platform calls. Ids nobody has, and no body: an admitted caller gets 404, or the name of the missing field. */
export const PLATFORM_LINES: Lines = {
  'POST /platform/facts': { ...operator('admin'), answers: '400 invalid_request' },
  'GET /platform/facts/:id': operator('support'),
  'GET /platform/installations/:id': operator('viewer'),
  'DELETE /platform/installations/:id': operator('compliance'),

  'POST /platform/accounts': { ...live('support'), answers: INVALID },
  'POST /platform/accounts/invitations': { ...live('support'), answers: INVALID },
  'GET /platform/accounts': { ...live('support'), answers: '200' },
  'GET /platform/accounts/:id': live('support'),
  'PUT /platform/accounts/:id/password': { ...live('admin'), answers: INVALID },
  'POST /platform/accounts/:id/sign_in_link': live('support'),
  'POST /platform/accounts/:id/password_link': live('support'),
  'POST /platform/accounts/:id/factors/reset': live('support'),
  'PUT /platform/accounts/:id/users/:mode': { ...live('support'), answers: INVALID },
  'POST /platform/accounts/:id/disable': live('support'),
  'POST /platform/accounts/:id/enable': live('support'),

  'GET /platform/me': { ...operator('viewer'), answers: '200' },
  'GET /platform/staff': { ...live('support'), answers: '200' },
  'PUT /platform/accounts/:id/staff_role': { ...live('admin'), answers: INVALID },
  'DELETE /platform/accounts/:id/staff_role': live('admin'),

  'GET /platform/apps': { ...operator('viewer'), answers: '200' },
  'GET /platform/apps/:app_id': operator('viewer'),
  'GET /platform/apps/:app_id/history': operator('viewer'),
  'POST /platform/apps/:app_id/suspend': { ...live('compliance'), answers: INVALID },
  'POST /platform/apps/:app_id/lift': live('compliance'),
  'POST /platform/apps/:app_id/approve': live('compliance'),
  'POST /platform/apps/:app_id/unapprove': live('compliance'),
  'POST /platform/apps/:app_id/pii_approval': live('compliance'),
  'DELETE /platform/apps/:app_id/pii_approval': live('compliance'),
  'POST /platform/apps/:app_id/programs': { ...live('compliance'), answers: INVALID },
  'DELETE /platform/apps/:app_id/programs/:program': live('compliance'),
  'POST /platform/apps/:app_id/scopes': { ...live('compliance'), answers: INVALID },
  'POST /platform/apps/:app_id/scopes/remove': { ...live('compliance'), answers: INVALID },

  'GET /platform/organizations': { ...operator('viewer'), answers: '200' },
  'GET /platform/organizations/:organization_id': operator('viewer'),
  'POST /platform/organizations/:organization_id/end': { ...live('admin'), answers: INVALID },
}
