/**
 * The routes that take no bearer, by name: a route that declares itself open, or for people, must have been thought of
 * here too.
 */

/** Gone since 2026-10-14, and they say so to everybody: 410. */
const REMOVED: readonly string[] = [
  'GET /campaigns/:campaign_id/attribution/stats',
  'GET /campaigns/:campaign_id/attribution/investments',
  'GET /campaigns/:campaign_id/attribution/webhooks',
  'POST /campaigns/:campaign_id/attribution/webhooks',
  'GET /campaigns/:campaign_id/attribution/webhooks/:webhook_id',
  'DELETE /campaigns/:campaign_id/attribution/webhooks/:webhook_id',
  'POST /campaigns/:campaign_id/attribution/webhooks/:webhook_id/test',
  'POST /campaigns/:campaign_id/attribution/webhooks/:webhook_id/regenerate_secret',
  'POST /campaigns/:campaign_id/attribution/webhooks/:webhook_id/reactivate',
  'GET /attribution/me',
  'GET /attribution/campaigns',
  'POST /attribution/partners/register',
  'GET /attribution/invites',
  'POST /attribution/invites',
  'DELETE /attribution/invites/:token',
]

/** Nobody's data: pages and documents for everybody, and the OAuth endpoints, where clients authenticate themselves. */
export const OPEN: readonly string[] = [
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
  'POST /portal/api/session',
  'GET /.well-known/oauth-authorization-server',
  'GET /conditions',
  'GET /conditions/:version',
  'GET /join/:link/form',
  'GET /join/:link/form/theme.css',
  'GET /assets/apps/:app_id/logo',
  'GET /assets/logos/:file',
  'GET /assets/pages.css',
  'GET /assets/passkeys.js',
  'GET /favicon.svg',
  'GET /favicon.ico',
  'GET /demo/mail',
  'GET /demo/mail/:file',
  'GET /demo/mail/:file/body',
  'GET /status',
  'GET /status.json',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/changelog',
  'GET /docs/reference.css',
  'GET /docs/reference.js',
  ...REMOVED,
]

/** Where people come before they have signed in. */
export const FOR_VISITORS: readonly string[] = [
  'GET /',
  'GET /c/:slug',
  'GET /sandbox/c/:slug',
  'GET /oauth/authorize',
  'POST /oauth/authorize',
  'GET /apps/:client_id/install',
  'POST /apps/:client_id/install',
  'GET /invest/session/:link',
  'POST /invest/session/:link',
  'GET /i/:link',
  'POST /i/:link',
  'GET /join/:link',
  'POST /join/:link',
  'GET /sign-in',
  'POST /sign-in',
  'POST /sign-in/passkey',
  'GET /sign-in/second-step',
  'POST /sign-in/second-step',
  'POST /sign-out',
  'GET /sign-up',
  'POST /sign-up',
  'GET /syndicate-invitations/:link',
  'POST /syndicate-invitations/:link',
  'GET /invitations/:token',
  'POST /invitations/:token/sign-up',
  'GET /forgot-password',
  'POST /forgot-password',
  'GET /confirm-email/:token',
  'POST /confirm-email/:token',
  'GET /sign-up/link/:token',
  'POST /sign-up/link/:token',
  'GET /sign-in/link/:token',
  'POST /sign-in/link/:token',
  'GET /sign-in/openid',
  'GET /sign-in/openid/callback',
  'GET /sign-in/openid/link',
  'POST /sign-in/openid/link',
]

/** Everything else that people see or press begins with these, and is only for who has signed in. */
export const SIGNED_IN =
  /^\w+ \/((settings|portal|command-line)(\/|$)|sign-in\/confirm(\/form)?$|intents\/:intent_id\/review$|invitations\/:token$)/
