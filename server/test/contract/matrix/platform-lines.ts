import type { PlatformRole } from '#kernel/caller.ts'
import { INVALID, type Line, type Lines, NOT_FOUND } from './line.ts'

type Subject = NonNullable<Line['about']>

/** "The host platform's side at /platform/*" needs an operator key. No scope of an app's credential gives access. */
const operator = (role: PlatformRole, about: Subject) =>
  ({ serves: ['operator'], needs: [], answers: NOT_FOUND, role, about }) as const

/** Operations that concern both worlds reject a key of the test world. */
const live = (role: PlatformRole, about: Subject) => ({ ...operator(role, about), only: 'live' }) as const

/**
 * The operations for the host platform. They are called with unknown ids and without a body, so an admitted caller gets
 * 404, or the name of the missing field.
 */
export const PLATFORM_LINES: Lines = {
  'POST /platform/facts': { ...operator('admin', 'platform'), answers: '400 invalid_request' },
  'GET /platform/facts/:id': operator('support', 'person'),
  'GET /platform/facts': { ...operator('support', 'person'), answers: '200' },
  'GET /platform/refused_facts': { ...operator('support', 'person'), answers: '200' },
  'GET /platform/refused_facts/:refused_id': operator('support', 'person'),
  'POST /platform/refused_facts/:refused_id/send': operator('admin', 'person'),
  'POST /platform/refused_facts/:refused_id/dismiss': operator('compliance', 'person'),
  'GET /platform/installations': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/removal_duties': { ...operator('viewer', 'partner'), answers: '200' },
  'POST /platform/removal_duties/:duty_id/confirm': operator('compliance', 'partner'),
  'GET /platform/installations/:id': operator('viewer', 'partner'),
  'DELETE /platform/installations/:id': operator('compliance', 'partner'),

  'POST /platform/accounts': { ...live('support', 'person'), answers: INVALID },
  'POST /platform/accounts/invitations': { ...live('support', 'person'), answers: INVALID },
  'GET /platform/accounts': { ...live('support', 'person'), answers: '200' },
  'GET /platform/accounts/:id': live('support', 'person'),
  'PUT /platform/accounts/:id/password': { ...live('admin', 'person'), answers: INVALID },
  'POST /platform/accounts/:id/sign_in_link': live('support', 'person'),
  'POST /platform/accounts/:id/password_link': live('support', 'person'),
  'POST /platform/accounts/:id/factors/reset': live('support', 'person'),
  'POST /platform/accounts/:id/unlock': live('support', 'person'),
  'PUT /platform/accounts/:id/users/:mode': { ...live('support', 'person'), answers: INVALID },
  'POST /platform/accounts/:id/disable': live('support', 'person'),
  'POST /platform/accounts/:id/enable': live('support', 'person'),

  'GET /platform/accounts/:id/sessions': live('support', 'person'),
  'DELETE /platform/accounts/:id/sessions/:session_id': live('support', 'person'),
  'POST /platform/accounts/:id/sessions/end': live('support', 'person'),

  'GET /platform/audit': { ...operator('compliance', 'person'), answers: '200' },
  'GET /platform/audit/verification': { ...operator('compliance', 'platform'), answers: '200' },
  'GET /platform/webhook_endpoints': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/webhook_endpoints/:id/deliveries': operator('viewer', 'partner'),
  'GET /platform/apps/:app_id/stop_preview': operator('viewer', 'partner'),
  'GET /platform/organizations/:organization_id/stop_preview': operator('viewer', 'partner'),
  'GET /platform/sandbox_clock': { ...operator('viewer', 'platform'), only: 'test', answers: '200' },

  'GET /platform/queues': { ...operator('viewer', 'platform'), answers: '200' },
  'GET /platform/jobs': { ...operator('viewer', 'platform'), answers: '200' },
  'GET /platform/set_aside': { ...operator('viewer', 'partner'), answers: '200' },
  'POST /platform/set_aside/:kind/:id/retry': operator('support', 'partner'),

  'GET /platform/series': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/exports/:list': { ...operator('viewer', 'partner'), answers: '200' },

  'GET /platform/me': { ...operator('viewer', 'platform'), answers: '200' },
  'GET /platform/staff': { ...live('support', 'person'), answers: '200' },
  'PUT /platform/accounts/:id/staff_role': { ...live('admin', 'person'), answers: INVALID },
  'DELETE /platform/accounts/:id/staff_role': live('admin', 'person'),

  'GET /platform/apps': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/apps/:app_id': operator('viewer', 'partner'),
  'GET /platform/apps/:app_id/history': operator('viewer', 'person'),
  'POST /platform/apps/:app_id/suspend': { ...live('compliance', 'partner'), answers: INVALID },
  'POST /platform/apps/:app_id/lift': live('compliance', 'partner'),
  'POST /platform/apps/:app_id/approve': live('compliance', 'partner'),
  'POST /platform/apps/:app_id/unapprove': live('compliance', 'partner'),
  'POST /platform/apps/:app_id/pii_approval': live('compliance', 'partner'),
  'DELETE /platform/apps/:app_id/pii_approval': live('compliance', 'partner'),
  'POST /platform/apps/:app_id/programs': { ...live('compliance', 'partner'), answers: INVALID },
  'DELETE /platform/apps/:app_id/programs/:program': live('compliance', 'partner'),
  'POST /platform/apps/:app_id/scopes': { ...live('compliance', 'partner'), answers: INVALID },
  'POST /platform/apps/:app_id/scopes/remove': { ...live('compliance', 'partner'), answers: INVALID },

  'POST /platform/apps/:app_id/requests/decline': { ...live('compliance', 'partner'), answers: INVALID },
  'GET /platform/requests': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/partners/search': { ...operator('viewer', 'partner'), query: 'query=Fieldbook', answers: '200' },
  'GET /platform/partners/of_member': {
    ...{ ...operator('support', 'person'), query: 'email=%40example.org', answers: '200' },
  },
  'GET /platform/organizations/:organization_id/history': operator('viewer', 'person'),

  'GET /platform/usage_conditions': { ...operator('viewer', 'partner'), answers: '200' },
  'POST /platform/usage_conditions': { ...live('admin', 'partner'), answers: INVALID },
  'GET /platform/usage_conditions/acceptances': { ...operator('viewer', 'partner'), answers: '200' },

  'GET /platform/organizations': { ...operator('viewer', 'partner'), answers: '200' },
  'GET /platform/organizations/:organization_id': operator('viewer', 'partner'),
  'POST /platform/organizations/:organization_id/end': { ...live('admin', 'partner'), answers: INVALID },
}
