import {
  added,
  address,
  anything,
  currency,
  flag,
  freeForm,
  id,
  listOf,
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
import { EXEMPTION, maybeDecimal, maybeText, maybeTime, SECURITY, SECURITY_SUMMARY, tag } from './older-terms.ts'

/**
 * Records as client libraries for versions before 2026-11-01 decode them. This file is written from what those
 * libraries accept, not from our own schemas, so that a change of a schema cannot change this test too.
 */

export const OFFERING = object({
  id: id('ofr_'),
  type: oneOf('offering'),
  company: nullable(id('co_')),
  warnings: listOf(object({ code: oneOf('concurrent_rounds', 'prior_rounds'), message: text })),
  etag: text,
  attributes: object({
    company_name: text,
    tagline: maybeText,
    url: address,
    card_image_url: maybeText,
    logo_url: maybeText,
    exemption: EXEMPTION,
    security: nullable(SECURITY),
    intended_security: nullable(SECURITY_SUMMARY),
    industries: listOf(tag),
    business_models: listOf(tag),
    status: oneOf('upcoming', 'open', 'closed', 'canceled'),
    testing_the_waters: flag,
    funding_target: maybeDecimal,
    min_investment: maybeDecimal,
    amount_raised: maybeDecimal,
    investor_count: nullable(whole),
    started_at: maybeTime,
    closes_at: maybeTime,
    closed_at: maybeTime,
    currency: added(currency),
    publicly_visible: optional(flag),
    invested: optional(flag),
    followed: optional(flag),
  }),
})

export const COMPANY = record(id('co_'), 'company', {
  name: text,
  tagline: maybeText,
  url: maybeText,
  logo_url: maybeText,
  card_image_url: maybeText,
  location: object({ city: maybeText, state: maybeText, country: maybeText }),
  raising: flag,
  promotion_opt_in: added(flag),
  current_raise: nullable(
    object({
      offering_id: id('ofr_'),
      offering_ids: listOf(id('ofr_')),
      testing_the_waters: flag,
      amount_raised: maybeDecimal,
      funding_target: maybeDecimal,
      investor_count: nullable(whole),
      oversubscribed: flag,
      closes_at: maybeTime,
      currency: added(currency),
    }),
  ),
  past_rounds: listOf(
    object({
      offering_id: nullable(id('ofr_')),
      source: oneOf('wefunder', 'reported'),
      exemption: EXEMPTION,
      currency: added(nullable(currency)),
      amount_raised: maybeDecimal,
      investor_count: nullable(whole),
      opened_at: maybeTime,
      closed_at: maybeTime,
    }),
  ),
  wefunder_rounds: listOf(
    object({
      offering_id: id('ofr_'),
      current: flag,
      status: oneOf('open', 'closed'),
      exemption: nullable(EXEMPTION),
      security: nullable(SECURITY),
      currency: added(currency),
      testing_the_waters: added(flag),
      amount_raised: maybeDecimal,
      investor_count: nullable(whole),
      opened_at: maybeTime,
      closed_at: maybeTime,
    }),
  ),
  totals: object({
    raised_on_wefunder_all_time: maybeDecimal,
    profile_total_raised: maybeDecimal,
    profile_reported_off_platform: maybeDecimal,
    profile_includes_past_rounds: nullable(flag),
    currency: added(nullable(currency)),
  }),
})

const searchResult = {
  name: maybeText,
  tagline: maybeText,
  url: maybeText,
  logo_url: maybeText,
  raising: flag,
  profile_available: flag,
}
export const SEARCH_RESULT = record(id('co_'), 'company', searchResult)
export const FOLLOWED_COMPANY = record(id('co_'), 'company', { ...searchResult, followed_at: maybeTime })
export const FOLLOW_STATE = record(id('co_'), 'follow_state', { followed: flag, changed: flag })
export const MY_COMPANY = record(id('co_'), 'company', {
  name: text,
  tagline: maybeText,
  url: maybeText,
  roles: listOf(text),
  raising: flag,
})

export const USER = record(id('usr_'), 'user', {
  email: text,
  username: optional(text),
  name: text,
  full_name: text,
  bio: maybeText,
  city: maybeText,
  state: added(maybeText),
  country: maybeText,
  avatar_url: maybeText,
  created_at: time,
  certified_at: maybeTime,
})

/** Deprecated keys with integer ids may be missing. They are never null. */
export const CAMPAIGN = record(whole, 'campaign', {
  state: text,
  company_id: optional(whole),
  company: nullable(id('co_')),
  company_name: text,
  company_url: maybeText,
  created_at: time,
  updated_at: time,
  closed_at: maybeTime,
  amount_raised: nullable(number),
  investor_count: whole,
  currency: added(currency),
  funding_target: added(nullable(number)),
  testing_the_waters: added(flag),
  url: added(address),
})

export const CONNECTED_APP = record(whole, 'connected_app', {
  name: text,
  scopes: listOf(text),
  last_active_at: maybeTime,
  action_count: whole,
  created_at: maybeTime,
})

export const AUDIT_EVENT = record(text, 'audit_event', {
  occurred_at: time,
  actor_type: text,
  actor_name: maybeText,
  action: text,
  resource_type: text,
  resource_id: nullable(anything),
  resource_label: maybeText,
  old_values: nullable(anything),
  new_values: nullable(anything),
  changed_fields: nullable(listOf(text)),
  status: oneOf('success', 'failure', 'denied'),
  error_message: maybeText,
  intent_id: optional(maybeText),
  intent: nullable(id('int_')),
  app_id: added(id('app_')),
  request_id: added(maybeText),
  created_at: time,
})

/**
 * Older libraries have neither the list of fundraises nor the list of a company's investors. Exemption and security are
 * as in other older records.
 */
export const FUNDRAISE = record(id('ofr_'), 'fundraise', {
  kind: oneOf('round', 'spv'),
  name: text,
  company: id('co_'),
  company_name: text,
  status: oneOf('upcoming', 'open', 'closing', 'closed', 'canceled'),
  testing_the_waters: flag,
  exemption: EXEMPTION,
  security: nullable(SECURITY),
  currency,
  amount_raised_cents: whole,
  funding_target_cents: nullable(whole),
  min_investment_cents: nullable(whole),
  max_investment_cents: nullable(whole),
  investor_count: whole,
  opened_at: maybeTime,
  closes_at: maybeTime,
  closed_at: maybeTime,
  created_at: time,
  updated_at: time,
})
const invested = {
  currency,
  total_invested_cents: whole,
  total_reserved_cents: whole,
  investment_count: whole,
  reservation_count: whole,
}
export const ROSTER_INVESTOR = record(id('usr_'), 'investor', {
  full_name: optional(maybeText),
  email: optional(maybeText),
  accredited: nullable(flag),
  deactivated: added(flag),
  ...invested,
  by_currency: added(listOf(object(invested))),
  created_at: time,
})

export const INSTALLATION = record(id('inst_'), 'installation', {
  target: object({ type: oneOf('company', 'syndicate'), id: text, name: text }),
  tier: text,
  scopes: listOf(text),
  status: oneOf('active', 'revoked'),
  installed_at: time,
  installed_by: nullable(text),
  revoked_at: maybeTime,
})
export const ELIGIBLE_TARGET = object({
  type: oneOf('company', 'syndicate'),
  id: text,
  name: text,
  tier: text,
  installed: flag,
  installation: nullable(INSTALLATION),
})

export const WEBHOOK_ENDPOINT = record(id('whe_'), 'webhook_endpoint', {
  url: address,
  mode: oneOf('live', 'test'),
  events: listOf(text),
  enabled: flag,
  secret: optional(text),
  failing_since: maybeTime,
  last_delivery_at: maybeTime,
  last_delivery_status: maybeText,
  installation_id: added(nullable(id('inst_'))),
  disabled_reason: added(maybeText),
  created_at: time,
})
export const WEBHOOK_TEST = object({
  type: oneOf('webhook_test'),
  delivered: flag,
  response_code: nullable(whole),
  error: nullable(oneOf('timeout', 'blocked_url', 'tls_error', 'connection_failed')),
  duration_ms: whole,
  event: text,
  payload: object({
    id: text,
    event: text,
    created_at: time,
    mode: oneOf('live', 'test'),
    installation: optional(freeForm),
    data: anything,
  }),
})
