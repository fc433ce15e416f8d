import type { StrictClient } from './client.ts'
import { anything, flag, listOf, object, oneOf, optional, text, whole } from './decode.ts'
import { ERROR, page, single } from './older-envelopes.ts'
import * as records from './older-records.ts'
import * as syndicates from './older-syndicates.ts'

const MEMBER = single(syndicates.MEMBER)

/** A syndicate's manager: settings, members, deals, portfolio, and what only a person may do. */
export async function manageSyndicate(
  client: StrictClient,
  bearer: string,
  syndicate: string,
  key: string,
): Promise<void> {
  const home = `/syndicates/${syndicate}`
  const one = single(syndicates.SYNDICATE)
  await client.call('listSyndicates', 'GET', '/syndicates?per_page=1', { bearer, as: page(syndicates.SYNDICATE) })
  await client.call('getSyndicate', 'GET', home, { bearer, as: one })
  const tagline = { syndicate: { tagline: 'Visits before investing.' } }
  await client.call('updateSyndicate', 'PATCH', home, { bearer, body: tagline, as: one })

  const members = `${home}/members`
  const listed = await client.call('listSyndicateMembers', 'GET', `${members}?per_page=100`, {
    bearer,
    as: page(syndicates.MEMBER),
  })
  const withRole = (role: string) => listed.list.find(({ attributes }) => attributes['role'] === role)?.id
  const member = withRole('member')
  // A library for a dynamic language sends numbers as text.
  const change = { member: { title: 'Scout', carry_percentage_override: '20.0' } }
  await client.call('updateSyndicateMember', 'PATCH', `${members}/${member}`, { bearer, body: change, as: MEMBER })
  await client.call('hideSyndicateMember', 'POST', `${members}/${member}/hide`, { bearer, as: MEMBER })
  await client.call('restoreSyndicateMember', 'POST', `${members}/${member}/restore`, { bearer, as: MEMBER })
  const removed = await client.call('removeSyndicateMember', 'DELETE', `${members}/${member}`, {
    bearer,
    status: 422,
    as: ERROR,
  })
  if (removed.error.type !== 'use_intents') client.faults.push(`removeSyndicateMember: ${removed.error.type}`)
  await client.call('listSyndicateMemberInvestments', 'GET', `${members}/${member}/investments`, {
    bearer,
    as: object({ data: listOf(syndicates.MEMBER_INVESTMENT), meta: object({ count: whole, total_amount: text }) }),
  })
  await client.call('reorderSyndicateMembers', 'POST', `${members}/reorder`, { bearer, body: { member_ids: [member] } })
  await client.call('exportSyndicateMembersCsv', 'POST', `${members}/export_csv`, { bearer })
  const invitation = { email: `${key}@example.com`, name: 'Grace Hopper' }
  const invited = await client.call('inviteSyndicateMember', 'POST', `${members}/invite`, {
    bearer,
    body: invitation,
    status: 201,
    as: MEMBER,
  })
  await client.call('resendSyndicateInvite', 'POST', `${members}/${invited.data.id}/resend_invite`, {
    bearer,
    as: MEMBER,
  })
  const applicant = withRole('applicant')
  if (applicant !== undefined) {
    await client.call('approveSyndicateMember', 'POST', `${members}/${applicant}/approve`, { bearer, as: MEMBER })
  }

  const deals = `${home}/deals`
  const running = await client.call('listSyndicateDeals', 'GET', `${deals}?per_page=50`, {
    bearer,
    as: page(syndicates.DEAL),
  })
  const deal = `${deals}/${running.list[0]?.id}`
  await client.call('getSyndicateDeal', 'GET', deal, { bearer, as: single(syndicates.DEAL) })
  const totals = { count: whole, total_count: whole, offset: whole, per_page: whole, has_more: flag }
  await client.call('listSyndicateDealInvestors', 'GET', `${deal}/investors?offset=0&per_page=5`, {
    bearer,
    as: object({ data: listOf(syndicates.DEAL_INVESTOR), meta: object(totals) }),
  })
  await client.call('getSyndicateStatistics', 'GET', `${home}/statistics`, {
    bearer,
    as: single(syndicates.SYNDICATE_STATISTICS),
  })
  await client.call('getSyndicatePortfolio', 'GET', `${home}/portfolio`, {
    bearer,
    as: single(syndicates.SYNDICATE_PORTFOLIO),
  })
  await client.call('listSyndicatePortfolioPositions', 'GET', `${home}/portfolio/positions?per_page=1`, {
    bearer,
    as: page(syndicates.SYNDICATE_POSITION, whole),
  })
  await propose(client, bearer, { syndicate, deal, member: member ?? '', key })
}

type Proposal = { readonly syndicate: string; readonly deal: string; readonly member: string; readonly key: string }

/** Intents: a body field carries the idempotency key, and a repeat is 200. */
async function propose(
  client: StrictClient,
  bearer: string,
  { syndicate, deal, member, key }: Proposal,
): Promise<void> {
  const closing = (name: string) =>
    object({ data: syndicates.DEAL, meta: object({ [name]: syndicates.INTENT_REVIEW }) })
  await client.call('closeSyndicateDeal', 'POST', `${deal}/close`, { bearer, as: closing('close_deal_intent') })
  const content = {
    action_name: 'syndicates.remove_member',
    resource_type: 'Club',
    resource_id: syndicate,
    params: { member_id: member },
  }
  await client.call('previewIntent', 'POST', '/intents/preview', {
    bearer,
    body: content,
    as: single(syndicates.INTENT_PREVIEW),
  })
  const body = { ...content, idempotency_key: key, requested_by_agent: 'Fieldbook' }
  const as = single(syndicates.INTENT)
  const made = await client.call('createIntent', 'POST', '/intents', { bearer, body, status: 201, as })
  const repeated = await client.call('createIntent', 'POST', '/intents', { bearer, body, as })
  if (repeated.data.id !== made.data.id) client.faults.push('createIntent: a repeated key made another intent')
  await client.call('getIntent', 'GET', `/intents/${made.data.id}`, { bearer, as })
  await client.call('listIntents', 'GET', '/intents?per_page=1', { bearer, as: page(syndicates.INTENT) })
}

/** The app's team and its webhook endpoints. */
export async function manageEndpoints(client: StrictClient, bearer: string, url: string): Promise<void> {
  const meta = { request_id: text }
  const one = object({ data: records.WEBHOOK_ENDPOINT, meta: object(meta) })
  const body = { url, events: ['investment.created', 'offering.opened'], mode: 'test' }
  const made = await client.call('createWebhookEndpoint', 'POST', '/webhook_endpoints', {
    bearer,
    body,
    status: 201,
    as: one,
  })
  if (typeof made.data.attributes['secret'] !== 'string') client.faults.push('createWebhookEndpoint: no secret')
  const list = object({
    data: listOf(records.WEBHOOK_ENDPOINT),
    meta: object({ ...meta, count: whole, quota: whole }),
  })
  await client.call('listWebhookEndpoints', 'GET', '/webhook_endpoints', { bearer, as: list })
  const path = `/webhook_endpoints/${made.data.id}`
  await client.call('getWebhookEndpoint', 'GET', path, { bearer, as: one })
  await client.call('updateWebhookEndpoint', 'PATCH', path, {
    bearer,
    body: { events: ['investment.created'] },
    as: one,
  })
  await client.call('updateWebhookEndpoint', 'PATCH', path, { bearer, body: { events: [] }, status: 422, as: ERROR })
  await client.call('rotateWebhookEndpointSecret', 'POST', `${path}/rotate_secret`, { bearer, as: one })
  await client.call('reenableWebhookEndpoint', 'POST', `${path}/reenable`, { bearer, as: one })
  const tested = object({ data: records.WEBHOOK_TEST, meta: object(meta) })
  await client.call('testWebhookEndpoint', 'POST', `${path}/test`, { bearer, as: tested })
  const gone = object({ id: text, type: oneOf('webhook_endpoint'), removed: flag })
  await client.call('deleteWebhookEndpoint', 'DELETE', path, {
    bearer,
    as: object({ data: gone, meta: optional(anything) }),
  })
}

/** Last, because it ends the token that asks. The integer id of the list is accepted in the path. */
export async function disconnect(client: StrictClient, bearer: string, app: string): Promise<void> {
  const listed = await client.call('listConnectedApps', 'GET', '/connected-apps', {
    bearer,
    as: object({ data: listOf(records.CONNECTED_APP) }),
  })
  const own = listed.list.find(({ attributes }) => attributes['name'] === app)
  const revoked = single(object({ revoked: flag, tokens_revoked: whole }))
  await client.call('revokeConnectedApp', 'DELETE', `/connected-apps/${own?.id}`, { bearer, as: revoked })
  await client.call('getCurrentUser', 'GET', '/users/me', { bearer, status: 401, as: ERROR })
}
