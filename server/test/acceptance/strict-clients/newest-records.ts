import {
  address,
  currency,
  type Decoder,
  exactly,
  type Fields,
  flag,
  freeForm,
  id,
  listOf,
  micros,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
  utc,
  whole,
} from './decode.ts'
import { cents, EXEMPTION, INTENDED_SECURITY, maybeCents, maybeText, maybeTime, SECURITY } from './newest-terms.ts'

/**
 * Records of version 2026-11-01, written from the specification and the decisions about it. Money is in integer minor
 * units with a currency next to it, an exemption is one string, and times are UTC. The records have only listed keys.
 */
const tag = object({ type: text, label: text })
const STATUS = oneOf('upcoming', 'open', 'closing', 'closed', 'canceled')

/** `amount_raised`, `funding_target` and `min_investment` stay in whole units. Each has a `_cents` field next to it. */
export const OFFERING = object({
  id: id('ofr_'),
  type: oneOf('offering'),
  company: id('co_'),
  warnings: listOf(object({ code: oneOf('concurrent_rounds', 'prior_rounds'), message: text })),
  etag: text,
  attributes: object({
    company_name: text,
    tagline: maybeText,
    url: address,
    card_image_url: nullable(address),
    logo_url: nullable(address),
    exemption: EXEMPTION,
    security: SECURITY,
    intended_security: INTENDED_SECURITY,
    industries: listOf(tag),
    business_models: listOf(tag),
    status: STATUS,
    testing_the_waters: flag,
    currency,
    funding_target: maybeCents,
    funding_target_cents: maybeCents,
    min_investment: maybeCents,
    min_investment_cents: maybeCents,
    amount_raised: maybeCents,
    amount_raised_cents: maybeCents,
    investor_count: nullable(whole),
    started_at: maybeTime,
    closes_at: maybeTime,
    closed_at: maybeTime,
    publicly_visible: optional(flag),
    invested: optional(flag),
    followed: optional(flag),
  }),
})

export const COMPANY = record(id('co_'), 'company', {
  name: text,
  tagline: maybeText,
  url: address,
  logo_url: nullable(address),
  card_image_url: nullable(address),
  location: object({ city: maybeText, state: maybeText, country: maybeText }),
  promotion_opt_in: flag,
  raising: flag,
  current_raise: nullable(
    object({
      offering_id: id('ofr_'),
      offering_ids: listOf(id('ofr_')),
      testing_the_waters: flag,
      currency,
      amount_raised_cents: maybeCents,
      funding_target_cents: maybeCents,
      investor_count: nullable(whole),
      oversubscribed: flag,
      closes_at: maybeTime,
    }),
  ),
  past_rounds: listOf(
    object({
      offering_id: nullable(id('ofr_')),
      source: oneOf('platform', 'reported'),
      exemption: oneOf(...['reg_cf', 'reg_d', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp', 'other']),
      currency: nullable(currency),
      amount_raised_cents: maybeCents,
      investor_count: nullable(whole),
      opened_at: maybeTime,
      closed_at: maybeTime,
    }),
  ),
  rounds: listOf(
    object({
      offering_id: id('ofr_'),
      current: flag,
      status: oneOf('open', 'closing', 'closed'),
      testing_the_waters: flag,
      exemption: EXEMPTION,
      security: SECURITY,
      currency,
      amount_raised_cents: maybeCents,
      investor_count: nullable(whole),
      opened_at: maybeTime,
      closed_at: maybeTime,
    }),
  ),
  totals: object({
    currency: nullable(currency),
    raised_on_platform_all_time_cents: maybeCents,
    profile_total_raised_cents: maybeCents,
    profile_reported_off_platform_cents: maybeCents,
    profile_includes_past_rounds: nullable(flag),
  }),
})

const found = {
  name: text,
  tagline: maybeText,
  url: address,
  logo_url: nullable(address),
  raising: flag,
  profile_available: flag,
}
export const SEARCH_RESULT = record(id('co_'), 'company', found)
/** A flat record, "Search-result shape plus followed_at". */
export const FOLLOW = object({ id: id('co_'), ...found, followed_at: utc })
export const FOLLOW_STATE = record(id('co_'), 'follow_state', { followed: flag, changed: flag })
export const MY_COMPANY = record(id('co_'), 'company', {
  name: text,
  tagline: maybeText,
  url: address,
  roles: listOf(oneOf('founder', 'admin', 'editor', 'employee')),
  raising: flag,
})

export const USER = record(id('usr_'), 'user', {
  email: text,
  username: optional(text),
  name: text,
  full_name: text,
  bio: maybeText,
  city: maybeText,
  state: maybeText,
  country: maybeText,
  avatar_url: maybeText,
  created_at: utc,
  certified_at: maybeTime,
})

export const CAMPAIGN = record(id('ofr_'), 'campaign', {
  state: oneOf('upcoming', 'active', 'closing', 'closed', 'canceled'),
  testing_the_waters: flag,
  company: id('co_'),
  company_name: text,
  company_url: maybeText,
  url: address,
  currency,
  amount_raised: cents,
  amount_raised_cents: cents,
  funding_target: maybeCents,
  funding_target_cents: maybeCents,
  investor_count: whole,
  created_at: utc,
  updated_at: utc,
  closed_at: maybeTime,
})

export const CONNECTED_APP = record(id('app_'), 'connected_app', {
  name: text,
  scopes: listOf(text),
  last_active_at: maybeTime,
  action_count: whole,
  created_at: utc,
})

export const AUDIT_EVENT = record(id('act_'), 'audit_event', {
  occurred_at: micros,
  actor_type: oneOf('app', 'user', 'reviewer', 'system'),
  actor_name: maybeText,
  app_id: id('app_'),
  action: text,
  resource_type: text,
  resource_id: maybeText,
  resource_label: maybeText,
  old_values: exactly(null),
  new_values: exactly(null),
  changed_fields: nullable(listOf(text)),
  status: oneOf('success', 'failure', 'denied'),
  error_message: maybeText,
  intent_id: exactly(null),
  intent: nullable(id('int_')),
  request_id: maybeText,
  created_at: micros,
})

export const FUNDRAISE = record(id('ofr_'), 'fundraise', {
  kind: oneOf('round', 'spv'),
  name: text,
  company: id('co_'),
  company_name: text,
  status: STATUS,
  testing_the_waters: flag,
  exemption: EXEMPTION,
  security: SECURITY,
  currency,
  amount_raised_cents: cents,
  funding_target_cents: maybeCents,
  min_investment_cents: maybeCents,
  max_investment_cents: maybeCents,
  investor_count: whole,
  opened_at: maybeTime,
  closes_at: maybeTime,
  closed_at: maybeTime,
  created_at: utc,
  updated_at: utc,
})
const invested = {
  currency,
  total_invested_cents: cents,
  total_reserved_cents: cents,
  investment_count: whole,
  reservation_count: whole,
}
/** Without read:investors:pii, identity keys are missing, not null. */
export const ROSTER_INVESTOR = record(id('usr_'), 'investor', {
  full_name: optional(text),
  email: optional(maybeText),
  accredited: flag,
  deactivated: flag,
  ...invested,
  by_currency: listOf(object(invested)),
  created_at: utc,
})

const role = object({ role: oneOf('founder', 'manager', 'user', 'partner', 'wefunder') })
const installation = (more: Fields): Decoder =>
  object({
    id: id('inst_'),
    target: object({ type: oneOf('company', 'syndicate', 'user'), id: text, name: maybeText }),
    tier: oneOf('founder', 'admin', 'editor', 'manager', 'user'),
    scopes: listOf(text),
    installed_at: utc,
    installed_by: role,
    ...more,
  })
const active = installation({ status: oneOf('active') })
const revoked = installation({ status: oneOf('revoked'), revoked_at: utc, revoked_by: role })
/** "revoked_at, revoked_by.role: on revoked installations" */
export const INSTALLATION: Decoder = {
  faults: (value, path) => {
    const isActive = (value as { status?: unknown } | null)?.status === 'active'
    return (isActive ? active : revoked).faults(value, path)
  },
}
export const ELIGIBLE_TARGET = object({
  type: oneOf('company', 'syndicate'),
  id: text,
  name: text,
  tier: oneOf('founder', 'admin', 'editor', 'manager'),
  installed: flag,
  installation: nullable(INSTALLATION),
})

/** "HTTP code as a string or one of the four failure words" */
export const WEBHOOK_ENDPOINT = record(id('whe_'), 'webhook_endpoint', {
  url: address,
  mode: oneOf('live', 'test'),
  events: listOf(text),
  installation_id: nullable(id('inst_')),
  enabled: flag,
  disabled_reason: nullable(oneOf('failing', 'gone', 'installation_revoked')),
  secret: optional(text),
  failing_since: maybeTime,
  last_delivery_at: maybeTime,
  last_delivery_status: maybeText,
  created_at: utc,
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
    created_at: utc,
    mode: oneOf('live', 'test'),
    // "For an app-wide endpoint installation is {id: inst_test_..., target: null, test: true}"
    installation: object({ id: text, target: exactly(null), test: exactly(true) }),
    data: freeForm,
  }),
})
