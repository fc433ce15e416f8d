import {
  address,
  currency,
  decimal,
  exactly,
  type Fields,
  flag,
  freeForm,
  id,
  listOf,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
  utc,
  whole,
} from './decode.ts'
import {
  cents,
  EXEMPTION,
  maybeCents,
  maybeDecimal,
  maybeText,
  maybeTime,
  SECURITY,
  SECURITY_SUMMARY,
} from './newest-terms.ts'

/** Records of syndicates, portfolios, intents and hosted links in version 2026-11-01. */

export const SYNDICATE = record(id('syn_'), 'syndicate', {
  name: text,
  slug: text,
  tagline: maybeText,
  description: maybeText,
  avatar_url: maybeText,
  published: flag,
  launched: flag,
  membership_open: flag,
  syndicate_type: nullable(oneOf('annual_subscription', 'traditional_fund')),
  auto_accept_accredited_members: flag,
  fund_required: flag,
  annual_subscription: optional(
    object({
      currency,
      fund_investment_amount_cents: maybeCents,
      deals_per_year: nullable(whole),
      amount_per_deal_cents: maybeCents,
    }),
  ),
  traditional_fund: optional(
    object({ currency, require_minimum_investment: flag, minimum_investment_amount_cents: maybeCents }),
  ),
  member_count: whole,
  deal_count: whole,
  primary_fund_company: nullable(id('co_')),
  created_by: nullable(id('usr_')),
  created_at: utc,
  updated_at: utc,
})

/** The record as a manager reads it. A manager sees every key. */
export const MEMBER = record(id('mem_'), 'syndicate_member', {
  user: nullable(id('usr_')),
  user_name: maybeText,
  user_email: maybeText,
  role: oneOf(
    ...['creator', 'manager', 'member', 'invitee', 'applicant', 'approved', 'payment_failed', 'exiled', 'resigned'],
    ...['removed', 'declined', 'withdrawn'],
  ),
  status: nullable(
    oneOf(...['pending', 'approved', 'member', 'left', 'removed', 'payment_failed', 'declined', 'withdrawn']),
  ),
  invite_role: nullable(oneOf('admin', 'operator')),
  syndicate_permission: nullable(oneOf('full_access', 'operator')),
  title: maybeText,
  sort_order: nullable(whole),
  carry_percentage_override: nullable(whole),
  carry_discount_percentage: nullable(number),
  management_fee_discount_percentage: nullable(number),
  public_on_syndicate_profile: flag,
  interests: listOf(text),
  stage_preferences: listOf(text),
  looking_for: listOf(text),
  linkedin_url: maybeText,
  twitter_url: maybeText,
  website: maybeText,
  city: optional(maybeText),
  state: optional(maybeText),
  country: optional(maybeText),
  avatar_url: maybeText,
  bio: maybeText,
  last_activity_at: maybeTime,
  profile_url: maybeText,
  tags: listOf(text),
  joined_at: utc,
  investment_total_cents: maybeCents,
  currency: nullable(currency),
  deal_count: nullable(whole),
  accredited: flag,
  legal_name: maybeText,
  starred: flag,
  private_tags: listOf(text),
  created_at: utc,
  updated_at: utc,
})

const part = object({ investor_count: whole, amount_cents: cents })
export const DEAL = record(id('ofr_'), 'syndicate_deal', {
  name: text,
  status: oneOf('upcoming', 'open', 'closing', 'closed', 'canceled'),
  testing_the_waters: flag,
  company: id('co_'),
  company_name: text,
  company_url: maybeText,
  company_logo_url: nullable(address),
  currency,
  amount_raised_cents: cents,
  investor_count: whole,
  funding_target_cents: maybeCents,
  exemption: EXEMPTION,
  security: SECURITY,
  min_investment_cents: maybeCents,
  max_investment_cents: maybeCents,
  description: maybeText,
  created_at: utc,
  updated_at: utc,
  closed_at: maybeTime,
  funding_started_at: maybeTime,
  investor_breakdown: optional(object({ pending: part, confirmed: part })),
})
const finality = oneOf('pending', 'confirmed')
export const DEAL_INVESTOR = record(id('usr_'), 'deal_investor', {
  user: id('usr_'),
  user_name: text,
  user_email: maybeText,
  avatar_url: nullable(address),
  currency,
  amount_cents: cents,
  status: finality,
  invested_at: utc,
})
export const MEMBER_INVESTMENT = record(id('inv_'), 'member_investment', {
  offering: id('ofr_'),
  company: id('co_'),
  company_name: text,
  currency,
  amount_cents: cents,
  status: finality,
  created_at: utc,
})
export const SYNDICATE_STATISTICS = record(id('syn_'), 'syndicate_statistics', {
  total_members: whole,
  members_by_role: mapOf(whole),
  total_deals: whole,
  live_deals: whole,
  currency,
  total_raised_cents: cents,
  raised_by_currency: listOf(object({ currency, total_raised_cents: cents })),
  total_investors: whole,
  recent_activity_count: whole,
})

/** "A portfolio position or holding carries company.url." */
const company = object({ id: id('co_'), name: text, slug: maybeText, url: address })
const worth = {
  cost_basis_cents: cents,
  current_value_cents: cents,
  unrealized_gain_cents: cents,
  realized_gain_cents: cents,
}
const holding = (more: Fields) =>
  object({
    ...worth,
    ...more,
    security: nullable(SECURITY_SUMMARY),
    early_bird: flag,
    terms: object({
      share_price: maybeDecimal,
      note_cap_cents: maybeCents,
      note_discount: maybeDecimal,
      premoney_valuation_cents: maybeCents,
    }),
    shares_held: maybeDecimal,
    current_share_price: maybeDecimal,
    invested_at: utc,
  })
const position = (type: string, security: Fields, more: Fields) =>
  record(id('ofr_'), type, {
    ...worth,
    ...more,
    offering_id: id('ofr_'),
    company,
    asset_type: oneOf('company', 'fund'),
    security: nullable(SECURITY_SUMMARY),
    status: oneOf('active', 'exited', 'sold', 'failed'),
    exit_reason: optional(oneOf('ipo', 'acquisition', 'buyback', 'failed', 'winding_down')),
    invested_at: utc,
    currency,
    return_multiple: maybeDecimal,
    shares_held: maybeDecimal,
    current_share_price: maybeDecimal,
    securities: listOf(holding(security)),
    holdings: listOf(object({ company, status: oneOf('active', 'failed', 'exited') })),
    as_of: utc,
  })
const owner = object({ kind: oneOf('individual', 'entity'), name: optional(text) })
export const POSITION = position('portfolio_position', { owner }, {})
export const SYNDICATE_POSITION = position(
  'syndicate_portfolio_position',
  { investor_count: whole },
  { investor_count: whole },
)

const counts = object({ active: whole, exited: whole, sold: whole, failed: whole })
const totals = {
  currency,
  total_cost_basis_cents: cents,
  total_current_value_cents: cents,
  total_unrealized_gain_cents: cents,
  total_realized_gain_cents: cents,
  return_multiple: nullable(decimal),
}
const summary = (type: string, more: Fields) =>
  object({
    type: oneOf(type),
    attributes: object({ ...totals, ...more, by_currency: listOf(object(totals)), as_of: maybeTime }),
  })
export const PORTFOLIO = summary('portfolio_summary', { position_counts: counts })
export const SYNDICATE_PORTFOLIO = summary('syndicate_portfolio_summary', {
  deal_counts: counts,
  investor_count: whole,
})

const proposed = {
  action: oneOf(
    ...['syndicates.close_deal', 'syndicates.finalize_deal', 'syndicates.publish', 'syndicates.remove_member'],
    ...['syndicates.delete_draft', 'comments.create'],
  ),
  resource_type: oneOf('syndicate', 'company'),
  resource_id: text,
  params: freeForm,
  impact_summary: text,
}
const INTENT_STATUS = oneOf('pending', 'approved', 'executing', 'executed', 'expired', 'rejected', 'failed')
export const INTENT = record(id('int_'), 'intent', {
  ...proposed,
  status: INTENT_STATUS,
  review_url: address,
  requested_by_agent: maybeText,
  expires_at: utc,
  approved_at: maybeTime,
  executed_at: maybeTime,
  rejection_reason: maybeText,
  failure_reason: maybeText,
  execution_result: optional(freeForm),
  created_at: utc,
  updated_at: utc,
})
export const INTENT_PREVIEW = object({
  type: oneOf('intent_preview'),
  attributes: object({ ...proposed, scope: text }),
})
export const INTENT_REVIEW = object({ id: id('int_'), status: INTENT_STATUS, review_url: address })

export const INVITE_LINK = record(id('il_'), 'invite_link', {
  url: address,
  currency,
  allocation_cents: maybeCents,
  max_uses: nullable(whole),
  uses_count: whole,
  active: flag,
  created_at: utc,
  email: optional(maybeText),
  platform_user_id: optional(nullable(id('usr_'))),
  status: optional(oneOf('pending', 'opened', 'invested', 'revoked')),
  opened_at: optional(maybeTime),
  invested_at: optional(maybeTime),
  investment_id: optional(nullable(id('inv_'))),
  events: optional(listOf(object({ event: text, city: exactly(null), country_code: exactly(null), created_at: utc }))),
})
export const INVESTMENT_SESSION = record(id('is_'), 'investment_session', {
  status: oneOf('pending', 'in_progress', 'completed', 'abandoned', 'expired', 'canceled'),
  url: address,
  spv_id: id('ofr_'),
  email: maybeText,
  currency,
  allocation_cents: maybeCents,
  kyc_status: nullable(oneOf('pending', 'passed', 'failed')),
  funding_status: nullable(oneOf('pending', 'succeeded', 'card_declined', 'insufficient_funds')),
  investment_id: nullable(id('inv_')),
  metadata: freeForm,
  created_at: utc,
  expires_at: utc,
  events: optional(listOf(object({ id: id('evt_'), event: text, occurred_at: utc }))),
})
