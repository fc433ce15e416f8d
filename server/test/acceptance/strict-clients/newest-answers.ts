import type { Contract } from './client.ts'
import {
  currency,
  type Decoder,
  date,
  exactly,
  flag,
  freeForm,
  id,
  listOf,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  text,
  utc,
  whole,
} from './decode.ts'
import { errorOf } from './errors.ts'
import * as content from './newest-content.ts'
import * as records from './newest-records.ts'
import * as syndicates from './newest-syndicates.ts'
import { cents, INVESTMENT, OFFERING_STATS } from './newest-terms.ts'
import { created, ok, page, SAME, single } from './same-answers.ts'

/** The response of every operation in version 2026-11-01. */

const named = { request_id: text }
const withRequestId = (data: Decoder): Decoder => object({ data, meta: object(named) })
/** "Offering answers carry meta.fetched_at." */
const withFetchedAt = (data: Decoder): Decoder => object({ data, meta: object({ fetched_at: utc }) })

/** "On sync endpoints next_cursor is always present, including on the last page." */
const sync = {
  mode: oneOf('bootstrap', 'delta'),
  has_more: flag,
  next_cursor: text,
  page_count: whole,
  published_through: optional(utc),
}
const MEMBER = ok(single(syndicates.MEMBER))
const intentOf = (name: string) =>
  ok(object({ data: syndicates.DEAL, meta: object({ [name]: syndicates.INTENT_REVIEW }) }))

/**
 * "lifetime stated as 2 hours": an app pinned to this version gets tokens that expire, with the time of their expiry.
 */
const INSTALLATION_TOKEN = object({
  data: records.INSTALLATION,
  token: object({
    access_token: matching('an access token', /^at_(test|live)_/),
    token_type: oneOf('Bearer'),
    expires_in: exactly(7200),
    scope: text,
    installation: id('inst_'),
    created_at: whole,
  }),
  meta: object({}),
})

const CATALOGUE: Contract = {
  listOfferings: ok(
    page(records.OFFERING, {
      total_count: whole,
      sort: oneOf('most_raised', 'closing_soon', 'newest', 'most_investors'),
      filters: freeForm,
      personalized: optional(exactly(true)),
      fetched_at: utc,
    }),
  ),
  getOffering: ok(withFetchedAt(records.OFFERING)),
  searchCompanies: ok(page(records.SEARCH_RESULT, { query: text, count: whole })),
  getCompany: ok(withFetchedAt(records.COMPANY)),
  getCompanyPitch: ok(withFetchedAt(content.PITCH)),
  getCompanyDisclosures: ok(withFetchedAt(content.DISCLOSURES)),
  listCompanyUpdates: ok(page(content.UPDATE, { company: id('co_') })),
  getCompanyUpdate: ok(single(content.UPDATE)),
  listCompanyQuestions: ok(
    page(content.QUESTION, {
      company: id('co_'),
      sort: oneOf('relevance', 'recent', 'upvoted', 'unanswered', 'search'),
      q: nullable(text),
      unanswered_by_team: flag,
      past_raises: flag,
      questions_since: nullable(date),
      total: whole,
    }),
  ),
}

const ACCOUNT: Contract = {
  getCurrentUser: ok(single(records.USER)),
  updateCurrentUser: ok(single(records.USER)),
  listMyCompanies: ok(page(records.MY_COMPANY, { count: whole })),
  listFollowedCompanies: ok(page(records.FOLLOW)),
  followCompany: ok(single(records.FOLLOW_STATE)),
  unfollowCompany: ok(single(records.FOLLOW_STATE)),
  listActivity: ok(page(records.AUDIT_EVENT)),
  getPortfolio: ok(single(syndicates.PORTFOLIO)),
  listPortfolioPositions: ok(page(syndicates.POSITION)),
  listCampaigns: ok(page(records.CAMPAIGN)),
  listConnectedApps: ok(page(records.CONNECTED_APP)),
  listCompanyFundraises: ok(page(records.FUNDRAISE)),
  listCompanyInvestors: ok(page(records.ROSTER_INVESTOR)),
  listInvestments: ok(object({ data: listOf(INVESTMENT), meta: object(sync) })),
  getInvestment: ok(
    object({
      data: INVESTMENT,
      meta: object({ source: oneOf('current'), published_matches: flag, published_observed_at: optional(utc) }),
    }),
  ),
  listCompanyInvestmentChanges: ok(
    object({ data: listOf(INVESTMENT), meta: object({ ...sync, company_id: id('co_') }) }),
  ),
  getOfferingStats: ok(
    object({ data: OFFERING_STATS, meta: object({ source: oneOf('published'), published_through: utc }) }),
  ),
}

const link = withRequestId(syndicates.INVITE_LINK)
const session = withRequestId(syndicates.INVESTMENT_SESSION)
const endpoint = withRequestId(records.WEBHOOK_ENDPOINT)
const PARTNER: Contract = {
  listEligibleInstallTargets: ok(page(records.ELIGIBLE_TARGET)),
  createInstallation: created(INSTALLATION_TOKEN),
  createInstallationToken: created(INSTALLATION_TOKEN),
  listInstallations: ok(page(records.INSTALLATION, { count: whole })),
  getInstallation: ok(single(records.INSTALLATION)),
  revokeInstallation: ok(single(records.INSTALLATION)),
  createInviteLink: created(link),
  listInviteLinks: ok(page(syndicates.INVITE_LINK, named)),
  getInviteLink: ok(link),
  updateInviteLink: ok(link),
  resendInviteLink: ok(link),
  cancelInviteLink: ok(link),
  createInviteLinks: {
    status: 207,
    body: object({
      data: listOf(syndicates.INVITE_LINK),
      errors: listOf(object({ index: whole, type: text, detail: text })),
      meta: object({ ...named, created: whole, failed: whole }),
    }),
  },
  createInvestmentSession: created(session),
  createInvestmentSessionOfOffering: created(session),
  listInvestmentSessions: ok(page(syndicates.INVESTMENT_SESSION, named)),
  getInvestmentSession: ok(session),
  cancelInvestmentSession: ok(session),
  createWebhookEndpoint: created(endpoint),
  listWebhookEndpoints: ok(page(records.WEBHOOK_ENDPOINT, { ...named, count: whole, quota: whole })),
  getWebhookEndpoint: ok(endpoint),
  updateWebhookEndpoint: ok(endpoint),
  rotateWebhookEndpointSecret: ok(endpoint),
  reenableWebhookEndpoint: ok(endpoint),
  testWebhookEndpoint: ok(object({ data: records.WEBHOOK_TEST, meta: object({ ...named, note: optional(text) }) })),
}

const SYNDICATES: Contract = {
  listSyndicates: ok(page(syndicates.SYNDICATE)),
  getSyndicate: ok(single(syndicates.SYNDICATE)),
  updateSyndicate: ok(single(syndicates.SYNDICATE)),
  listSyndicateMembers: ok(page(syndicates.MEMBER)),
  inviteSyndicateMember: created(single(syndicates.MEMBER)),
  updateSyndicateMember: MEMBER,
  removeSyndicateMember: { status: 422, body: errorOf(422) },
  approveSyndicateMember: MEMBER,
  declineSyndicateMember: MEMBER,
  hideSyndicateMember: MEMBER,
  restoreSyndicateMember: MEMBER,
  promoteSyndicateMember: MEMBER,
  demoteSyndicateMember: MEMBER,
  resendSyndicateInvite: MEMBER,
  withdrawSyndicateInvite: MEMBER,
  listSyndicateMemberInvestments: ok(
    page(syndicates.MEMBER_INVESTMENT, {
      count: whole,
      currency,
      total_amount_cents: cents,
      total_by_currency: listOf(object({ currency, total_amount_cents: cents })),
    }),
  ),
  listSyndicateDeals: ok(page(syndicates.DEAL)),
  getSyndicateDeal: ok(single(syndicates.DEAL)),
  listSyndicateDealInvestors: ok(
    page(syndicates.DEAL_INVESTOR, { count: whole, total_count: whole, offset: whole, per_page: whole }),
  ),
  getSyndicateStatistics: ok(single(syndicates.SYNDICATE_STATISTICS)),
  getSyndicatePortfolio: ok(single(syndicates.SYNDICATE_PORTFOLIO)),
  listSyndicatePortfolioPositions: ok(page(syndicates.SYNDICATE_POSITION)),
  closeSyndicateDeal: intentOf('close_deal_intent'),
  finalizeSyndicateDeal: intentOf('finalize_deal_intent'),
  previewIntent: ok(single(syndicates.INTENT_PREVIEW)),
  createIntent: { ...created(single(syndicates.INTENT)), again: 200 },
  getIntent: ok(single(syndicates.INTENT)),
  listIntents: ok(page(syndicates.INTENT)),
}

export const NEWEST: Contract = { ...SAME, ...CATALOGUE, ...ACCOUNT, ...PARTNER, ...SYNDICATES }
