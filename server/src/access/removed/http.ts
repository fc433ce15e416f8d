import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Method, type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'

/** A removed endpoint, with the sentence that names its replacement. */
type RemovedEndpoint = {
  readonly operation: string
  readonly method: Method
  readonly path: string
  readonly instead: string
}

/** "Attribution-related endpoints removed on 2026-10-14." */
const REMOVED_ON = '2026-10-14'

const CAMPAIGN = '/campaigns/:campaign_id/attribution'
const SUBSCRIPTIONS = `${CAMPAIGN}/webhooks`
const SUBSCRIPTION = `${SUBSCRIPTIONS}/:webhook_id`

const STATS = 'GET /referral_codes/{id}/stats has the weekly statistics of each of the app’s referral codes.'
const ROWS =
  'On a company where an installation of the app holds read:attribution:anonymized, GET /referral_codes/{id}/stats has these rows, and the event investment.referred brings each as it happens.'
const SUBSCRIBE =
  'Use POST /webhook_endpoints with the event investment.referred; an installation on the company that holds read:attribution:anonymized receives it.'
const ENDPOINT = 'GET /webhook_endpoints lists the app’s endpoints, and GET /webhook_endpoints/{id} reads one.'
const PROGRAM = 'Ask for the marketing partner program in the portal: POST /portal/api/apps/{app_id}/program_requests.'
const INSTALLATIONS = 'GET /installations lists the companies and syndicates on which the app is installed.'
const INSTALL =
  'Send the founder to the app’s install link, /apps/{client_id}/install: an installation on the company takes the place of an accepted invite.'

export const REMOVED_ENDPOINTS: readonly RemovedEndpoint[] = [
  { operation: 'getAttributionStats', method: 'GET', path: `${CAMPAIGN}/stats`, instead: STATS },
  { operation: 'listAttributedInvestments', method: 'GET', path: `${CAMPAIGN}/investments`, instead: ROWS },
  { operation: 'listWebhookSubscriptions', method: 'GET', path: SUBSCRIPTIONS, instead: ENDPOINT },
  { operation: 'createWebhookSubscription', method: 'POST', path: SUBSCRIPTIONS, instead: SUBSCRIBE },
  { operation: 'getWebhookSubscription', method: 'GET', path: SUBSCRIPTION, instead: ENDPOINT },
  {
    operation: 'deleteWebhookSubscription',
    method: 'DELETE',
    path: SUBSCRIPTION,
    instead: 'Use DELETE /webhook_endpoints/{id}. The old subscriptions receive nothing.',
  },
  {
    operation: 'testWebhookSubscription',
    method: 'POST',
    path: `${SUBSCRIPTION}/test`,
    instead: 'Use POST /webhook_endpoints/{id}/test.',
  },
  {
    operation: 'regenerateWebhookSecret',
    method: 'POST',
    path: `${SUBSCRIPTION}/regenerate_secret`,
    instead: 'Use POST /webhook_endpoints/{id}/rotate_secret. The old secret keeps signing for 24 hours.',
  },
  {
    operation: 'reactivateWebhookSubscription',
    method: 'POST',
    path: `${SUBSCRIPTION}/reactivate`,
    instead: 'Use POST /webhook_endpoints/{id}/reenable.',
  },
  {
    operation: 'getAttributionMe',
    method: 'GET',
    path: '/attribution/me',
    instead: `GET /users/me says who the user is. ${INSTALLATIONS}`,
  },
  { operation: 'listAttributionCampaigns', method: 'GET', path: '/attribution/campaigns', instead: INSTALLATIONS },
  { operation: 'registerAsPartner', method: 'POST', path: '/attribution/partners/register', instead: PROGRAM },
  { operation: 'listPartnerInvites', method: 'GET', path: '/attribution/invites', instead: INSTALLATIONS },
  { operation: 'createPartnerInvite', method: 'POST', path: '/attribution/invites', instead: INSTALL },
  {
    operation: 'revokePartnerInvite',
    method: 'DELETE',
    path: '/attribution/invites/:token',
    instead: 'No invite is open any more. DELETE /installations/{id} ends an installation.',
  },
]

export const REMOVED_TAG = 'Removed'

/**
 * Every caller gets 410, in every version and under `/api/v2`, too. The access is open and the body is ignored: otherwise an app
 * with an expired token or without a scope would request another token, which would not help.
 */
export const removedRoutes: readonly Route[] = REMOVED_ENDPOINTS.map((endpoint) =>
  route({
    operation: endpoint.operation,
    method: endpoint.method,
    path: endpoint.path,
    summary: `Use the replacement (removed ${REMOVED_ON})`,
    description: `Removed on ${REMOVED_ON}: answers 410 to every caller. ${endpoint.instead}`,
    tag: REMOVED_TAG,
    removed: true,
    access: open('Removed endpoint: answers 410 to every caller.'),
    bodyAs: 'unread',
    schema: { ...pathParams(endpoint.path), response: {} },
    handler: async () => {
      throw endpointRemoved(endpoint)
    },
  }),
)

/** Only for the API reference: the values are ignored. */
function pathParams(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const anything = Type.String({ description: 'Ignored.' })
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names.map((name) => [name, anything]))) }
}

function endpointRemoved({ method, path, instead }: RemovedEndpoint): ApiError {
  const named = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  return new ApiError('endpoint_removed', {
    public: `${named} was removed on ${REMOVED_ON}.`,
    remediation: `${instead} What changed: /docs/changelog.`,
    details: { removed_on: REMOVED_ON },
  })
}
