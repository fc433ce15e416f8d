import {
  added,
  address,
  anything,
  currency,
  type Decoder,
  decimal,
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
  time,
  whole,
} from './decode.ts'
import { EXEMPTION, SECURITY, SECURITY_SUMMARY } from './older-terms.ts'

/**
 * Records of syndicates, portfolios, intents, invite links and investment sessions in versions before 2026-11-01.
 * older-records.ts says where these records come from.
 */

const maybeText = nullable(text)
const maybeTime = nullable(time)
const maybeDecimal = nullable(decimal)

export const SYNDICATE = record(id('syn_'), 'syndicate', {
  name: text,
  slug: text,
  tagline: maybeText,
  description: maybeText,
  avatar_url: maybeText,
  published: flag,
  launched: flag,
  membership_open: flag,
  syndicate_type: maybeText,
  auto_accept_accredited_members: flag,
  fund_required: flag,
  annual_subscription: optional(
    object({
      fund_investment_amount: maybeDecimal,
      deals_per_year: nullable(whole),
      amount_per_deal: maybeDecimal,
    }),
  ),
  traditional_fund: optional(object({ require_minimum_investment: flag, minimum_investment_amount: maybeDecimal })),
  member_count: whole,
  deal_count: whole,
  primary_fund_company_id: optional(nullable(whole)),
  primary_fund_company: nullable(id('co_')),
  created_by_user_id: optional(whole),
  created_by: nullable(id('usr_')),
  created_at: time,
  updated_at: time,
})

export const MEMBER = record(id('mem_'), 'syndicate_member', {
  user_id: optional(nullable(whole)),
  user: nullable(id('usr_')),
  user_name: maybeText,
  user_email: maybeText,
  role: text,
  invite_role: maybeText,
  // The enum has no null. The key is missing for a member without permissions.
  syndicate_permission: optional(oneOf('full_access', 'operator')),
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
  joined_at: time,
  investment_total: maybeDecimal,
  deal_count: nullable(whole),
  accredited: optional(flag),
  legal_name: optional(maybeText),
  starred: optional(flag),
  private_tags: optional(listOf(text)),
  status: added(maybeText),
  investment_currency: added(nullable(currency)),
  created_at: time,
  updated_at: time,
})

const part = object({ investor_count: whole, amount: decimal })
export const DEAL = record(id('ofr_'), 'syndicate_deal', {
  name: text,
  status: oneOf('upcoming', 'open', 'closed', 'canceled'),
  company_name: text,
  company_id: optional(whole),
  company: nullable(id('co_')),
  company_url: maybeText,
  company_logo_url: maybeText,
  amount_raised: maybeDecimal,
  investor_count: whole,
  funding_target: maybeDecimal,
  exemption: nullable(EXEMPTION),
  security: nullable(SECURITY),
  min_investment: maybeDecimal,
  max_investment: maybeDecimal,
  description: maybeText,
  created_at: time,
  updated_at: time,
  closed_at: maybeTime,
  funding_started_at: maybeTime,
  currency: added(currency),
  testing_the_waters: added(flag),
  investor_breakdown: added(object({ pending: part, confirmed: part })),
})

const finality = oneOf('pending', 'confirmed')
export const DEAL_INVESTOR = record(id('usr_'), 'deal_investor', {
  user_id: optional(whole),
  user: id('usr_'),
  user_name: maybeText,
  user_email: maybeText,
  avatar_url: maybeText,
  amount: decimal,
  currency: added(currency),
  status: finality,
  invested_at: time,
})
export const MEMBER_INVESTMENT = record(id('inv_'), 'member_investment', {
  fundraise_id: optional(whole),
  offering: nullable(id('ofr_')),
  company_name: maybeText,
  company: added(id('co_')),
  currency: added(currency),
  amount: decimal,
  status: finality,
  created_at: time,
})
export const SYNDICATE_STATISTICS = object({
  id: added(id('syn_')),
  type: oneOf('syndicate_statistics'),
  attributes: object({
    total_members: whole,
    members_by_role: mapOf(whole),
    total_deals: whole,
    live_deals: whole,
    total_raised: decimal,
    currency: added(currency),
    raised_by_currency: added(listOf(object({ currency, total_raised: decimal }))),
    total_investors: whole,
    recent_activity_count: whole,
  }),
})

const companyRef = object({ id: id('co_'), name: text, slug: maybeText, url: added(address) })
const worth = {
  cost_basis_cents: whole,
  current_value_cents: whole,
  unrealized_gain_cents: whole,
  realized_gain_cents: whole,
}
const portfolioSecurity = object({
  ...worth,
  security: nullable(SECURITY_SUMMARY),
  early_bird: flag,
  terms: object({
    share_price: maybeDecimal,
    note_cap_cents: nullable(whole),
    note_discount: maybeDecimal,
    premoney_valuation_cents: nullable(whole),
  }),
  shares_held: maybeDecimal,
  current_share_price: maybeDecimal,
  invested_at: maybeTime,
  owner: optional(nullable(object({ kind: oneOf('individual', 'entity'), name: optional(text) }))),
  investor_count: optional(whole),
})
export const POSITION = record(id('ofr_'), 'portfolio_position', positionAttributes())
export const SYNDICATE_POSITION = record(id('ofr_'), 'syndicate_portfolio_position', positionAttributes())

function positionAttributes(): Readonly<Record<string, Decoder>> {
  return {
    ...worth,
    offering_id: id('ofr_'),
    company: companyRef,
    asset_type: oneOf('company', 'fund'),
    security: nullable(SECURITY_SUMMARY),
    status: oneOf('active', 'exited', 'sold', 'failed'),
    // Generated enum types do not accept null, so the older enums do not contain it. The key is missing instead.
    exit_reason: optional(oneOf('ipo', 'acquisition', 'buyback', 'failed', 'winding_down')),
    invested_at: maybeTime,
    currency: text,
    return_multiple: maybeDecimal,
    shares_held: maybeDecimal,
    current_share_price: maybeDecimal,
    securities: listOf(portfolioSecurity),
    holdings: listOf(object({ company: companyRef, status: oneOf('active', 'failed', 'exited') })),
    investor_count: optional(whole),
    as_of: time,
  }
}

const statusCounts = object({ active: whole, exited: whole, sold: whole, failed: whole })
const totals = {
  currency: text,
  total_cost_basis_cents: whole,
  total_current_value_cents: whole,
  total_unrealized_gain_cents: whole,
  total_realized_gain_cents: whole,
  return_multiple: maybeDecimal,
}
const summary = { ...totals, by_currency: added(listOf(object(totals))), as_of: maybeTime }
export const PORTFOLIO = object({
  type: oneOf('portfolio_summary'),
  attributes: object({ ...summary, position_counts: statusCounts }),
})
export const SYNDICATE_PORTFOLIO = object({
  type: oneOf('syndicate_portfolio_summary'),
  attributes: object({ ...summary, deal_counts: statusCounts, investor_count: whole }),
})

export const INTENT = record(id('int_'), 'intent', {
  action: text,
  status: oneOf('pending', 'approved', 'executing', 'executed', 'expired', 'rejected', 'failed'),
  resource_type: text,
  resource_id: nullable(anything),
  impact_summary: text,
  review_url: address,
  requested_by_agent: maybeText,
  expires_at: maybeTime,
  approved_at: maybeTime,
  executed_at: maybeTime,
  rejection_reason: maybeText,
  failure_reason: added(maybeText),
  params: added(freeForm),
  execution_result: optional(nullable(freeForm)),
  created_at: time,
  updated_at: time,
})
export const INTENT_PREVIEW = object({
  type: oneOf('intent_preview'),
  attributes: object({
    action: text,
    resource_type: text,
    resource_id: text,
    params: freeForm,
    impact_summary: text,
    scope: text,
  }),
})
export const INTENT_REVIEW = object({ id: id('int_'), status: text, review_url: address })

export const INVITE_LINK = record(id('il_'), 'invite_link', {
  url: address,
  allocation_cents: nullable(whole),
  max_uses: nullable(whole),
  uses_count: whole,
  active: flag,
  created_at: time,
  email: optional(maybeText),
  wefunder_user_id: optional(nullable(id('usr_'))),
  status: optional(oneOf('pending', 'opened', 'invested', 'revoked')),
  opened_at: optional(maybeTime),
  invested_at: optional(maybeTime),
  investment_id: optional(nullable(id('inv_'))),
  events: optional(
    listOf(object({ event: text, city: optional(maybeText), country_code: optional(maybeText), created_at: time })),
  ),
})
export const INVESTMENT_SESSION = record(id('is_'), 'investment_session', {
  status: oneOf('pending', 'in_progress', 'completed', 'abandoned', 'expired', 'canceled'),
  url: address,
  spv_id: text,
  email: maybeText,
  allocation_cents: nullable(whole),
  kyc_status: optional(oneOf('pending', 'passed', 'failed')),
  funding_status: optional(oneOf('pending', 'succeeded', 'card_declined', 'insufficient_funds')),
  investment_id: nullable(id('inv_')),
  metadata: freeForm,
  created_at: time,
  expires_at: maybeTime,
  events: optional(listOf(object({ id: id('evt_'), event: text, occurred_at: time }))),
})
