import type { Contract } from './client.ts'
import {
  added,
  currency,
  type Decoder,
  date,
  flag,
  freeForm,
  id,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  whole,
} from './decode.ts'
import { errorOf } from './errors.ts'
import * as content from './older-content.ts'
import * as records from './older-records.ts'
import * as syndicates from './older-syndicates.ts'
import { INVESTMENT, OFFERING_STATS } from './older-terms.ts'
import { created, ok, SAME, single } from './same-answers.ts'

/** The response of every operation in versions before 2026-11-01. */

/** `next_cursor` may be missing or null on the last page. Otherwise it is an integer or text, as the list's schema says. */
const meta = (cursor: Decoder) => ({ page_count: whole, has_more: flag, next_cursor: optional(nullable(cursor)) })
const page = (data: Decoder, cursor: Decoder = text, more: Readonly<Record<string, Decoder>> = {}): Decoder =>
  object({ data: listOf(data), meta: object({ ...meta(cursor), ...more }) })
/** Keys that were added to lists whose `meta` had only a count. */
const paged = { page_count: added(whole), has_more: added(flag), next_cursor: added(nullable(text)) }
const counted = (data: Decoder, more: Readonly<Record<string, Decoder>> = {}): Decoder =>
  object({ data: listOf(data), meta: object({ count: whole, ...paged, ...more }) })
const named = { request_id: text }
const withRequestId = (data: Decoder): Decoder => object({ data, meta: object(named) })
const withFetchedAt = (data: Decoder): Decoder => object({ data, meta: added(object({ fetched_at: time })) })

const sync = { mode: oneOf('bootstrap', 'delta'), has_more: flag, next_cursor: text, page_count: whole }
const MEMBER = ok(single(syndicates.MEMBER))
const intentOf = (name: string) =>
  ok(object({ data: syndicates.DEAL, meta: object({ [name]: syndicates.INTENT_REVIEW }) }))

/** The token is next to the record. Its lifetime depends on the app's pinned version. */
const INSTALLATION_TOKEN = object({
  data: records.INSTALLATION,
  token: object({
    access_token: text,
    token_type: oneOf('Bearer'),
    scope: text,
    installation: id('inst_'),
    created_at: whole,
    expires_in: added(whole),
  }),
  meta: optional(freeForm),
})

const company = { company: id('co_') }
const CATALOGUE: Contract = {
  listOfferings: ok(
    page(records.OFFERING, whole, {
      total_count: whole,
      sort: oneOf('most_raised', 'closing_soon', 'newest', 'most_investors'),
      filters: freeForm,
      personalized: optional(flag),
      fetched_at: added(time),
    }),
  ),
  getOffering: ok(withFetchedAt(records.OFFERING)),
  searchCompanies: ok(counted(records.SEARCH_RESULT, { query: text })),
  getCompany: ok(withFetchedAt(records.COMPANY)),
  getCompanyPitch: ok(withFetchedAt(content.PITCH)),
  getCompanyDisclosures: ok(withFetchedAt(content.DISCLOSURES)),
  listCompanyUpdates: ok(page(content.UPDATE, whole, company)),
  getCompanyUpdate: ok(single(content.UPDATE)),
  listCompanyQuestions: ok(
    page(content.QUESTION, whole, {
      ...company,
      sort: text,
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
  listMyCompanies: ok(counted(records.MY_COMPANY)),
  listFollowedCompanies: ok(page(records.FOLLOWED_COMPANY)),
  followCompany: ok(single(records.FOLLOW_STATE)),
  unfollowCompany: ok(single(records.FOLLOW_STATE)),
  listActivity: ok(page(records.AUDIT_EVENT)),
  getPortfolio: ok(single(syndicates.PORTFOLIO)),
  listPortfolioPositions: ok(page(syndicates.POSITION, whole)),
  listCampaigns: ok(page(records.CAMPAIGN, whole)),
  listConnectedApps: ok(object({ data: listOf(records.CONNECTED_APP), meta: added(object(paged)) })),
  listCompanyFundraises: ok(page(records.FUNDRAISE)),
  listCompanyInvestors: ok(page(records.ROSTER_INVESTOR)),
  listInvestments: ok(
    object({
      data: listOf(INVESTMENT),
      meta: object({ ...sync, published_through: optional(nullable(time)) }),
    }),
  ),
  getInvestment: ok(
    object({
      data: INVESTMENT,
      meta: object({
        source: oneOf('current'),
        published_observed_at: optional(nullable(time)),
        published_matches: nullable(flag),
      }),
    }),
  ),
  listCompanyInvestmentChanges: ok(
    object({
      data: listOf(INVESTMENT),
      meta: object({ ...sync, company_id: id('co_'), published_through: added(time) }),
    }),
  ),
  getOfferingStats: ok(
    object({
      data: OFFERING_STATS,
      meta: object({ source: oneOf('published'), published_through: nullable(time) }),
    }),
  ),
}

const PARTNER: Contract = {
  listEligibleInstallTargets: ok(object({ data: listOf(records.ELIGIBLE_TARGET), meta: freeForm })),
  createInstallation: created(INSTALLATION_TOKEN),
  createInstallationToken: created(INSTALLATION_TOKEN),
  listInstallations: ok(counted(records.INSTALLATION)),
  getInstallation: ok(single(records.INSTALLATION)),
  revokeInstallation: ok(single(records.INSTALLATION)),
  createInviteLink: { ...created(withRequestId(syndicates.INVITE_LINK)), again: 200 },
  listInviteLinks: ok(page(syndicates.INVITE_LINK, whole, named)),
  getInviteLink: ok(withRequestId(syndicates.INVITE_LINK)),
  updateInviteLink: ok(withRequestId(syndicates.INVITE_LINK)),
  resendInviteLink: ok(withRequestId(syndicates.INVITE_LINK)),
  cancelInviteLink: ok(withRequestId(syndicates.INVITE_LINK)),
  createInviteLinks: {
    status: 207,
    body: object({
      data: listOf(syndicates.INVITE_LINK),
      errors: listOf(object({ index: whole, type: text, detail: text })),
      meta: object({ ...named, created: whole, failed: whole }),
    }),
  },
  createInvestmentSession: { ...created(withRequestId(syndicates.INVESTMENT_SESSION)), again: 200 },
  createInvestmentSessionOfOffering: { ...created(withRequestId(syndicates.INVESTMENT_SESSION)), again: 200 },
  listInvestmentSessions: ok(page(syndicates.INVESTMENT_SESSION, whole, named)),
  getInvestmentSession: ok(withRequestId(syndicates.INVESTMENT_SESSION)),
  cancelInvestmentSession: ok(withRequestId(syndicates.INVESTMENT_SESSION)),
  createWebhookEndpoint: created(withRequestId(records.WEBHOOK_ENDPOINT)),
  listWebhookEndpoints: ok(counted(records.WEBHOOK_ENDPOINT, { ...named, quota: whole })),
  getWebhookEndpoint: ok(withRequestId(records.WEBHOOK_ENDPOINT)),
  updateWebhookEndpoint: ok(withRequestId(records.WEBHOOK_ENDPOINT)),
  rotateWebhookEndpointSecret: ok(withRequestId(records.WEBHOOK_ENDPOINT)),
  reenableWebhookEndpoint: ok(withRequestId(records.WEBHOOK_ENDPOINT)),
  testWebhookEndpoint: ok(object({ data: records.WEBHOOK_TEST, meta: object({ ...named, note: added(text) }) })),
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
    counted(syndicates.MEMBER_INVESTMENT, {
      total_amount: text,
      currency: added(currency),
      total_by_currency: added(listOf(object({ currency, total_amount: text }))),
    }),
  ),
  listSyndicateDeals: ok(page(syndicates.DEAL)),
  getSyndicateDeal: ok(single(syndicates.DEAL)),
  listSyndicateDealInvestors: ok(
    counted(syndicates.DEAL_INVESTOR, { total_count: whole, offset: whole, per_page: whole, has_more: flag }),
  ),
  getSyndicateStatistics: ok(single(syndicates.SYNDICATE_STATISTICS)),
  getSyndicatePortfolio: ok(single(syndicates.SYNDICATE_PORTFOLIO)),
  listSyndicatePortfolioPositions: ok(page(syndicates.SYNDICATE_POSITION, whole)),
  closeSyndicateDeal: intentOf('close_deal_intent'),
  finalizeSyndicateDeal: intentOf('finalize_deal_intent'),
  previewIntent: ok(single(syndicates.INTENT_PREVIEW)),
  createIntent: { ...created(single(syndicates.INTENT)), again: 200 },
  getIntent: ok(single(syndicates.INTENT)),
  listIntents: ok(page(syndicates.INTENT)),
}

export const OLDER: Contract = { ...SAME, ...CATALOGUE, ...ACCOUNT, ...PARTNER, ...SYNDICATES }
