import {
  address,
  type Decoder,
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
  record,
  text,
  unionOf,
  utc,
  week,
  whole,
} from './decode.ts'

/**
 * Records that have the same shape in every version, such as referral codes, join sessions, deliveries, events, and the
 * responses of the token endpoint.
 */
const maybeText = nullable(text)
const maybeTime = nullable(utc)

const range = nullable(object({ min: whole, max: nullable(whole) }))
export const REFERRAL_CODE = record(id('rc_'), 'referral_code', {
  code: matching('a code', /^(?=.{3,32}$)[0-9A-Za-z]+(-[0-9A-Za-z]+)*$/),
  name: text,
  status: oneOf('active', 'paused'),
  counts: nullable(object({ through_week: week, investors: range })),
  created_at: utc,
  updated_at: utc,
})

const status = ['active', 'reserved', 'executed', 'canceled', 'converted'] as const
const tiers = ['small', 'medium', 'large'] as const
const delays = ['direct', 'assisted', 'delayed'] as const
const rangesOf = (names: readonly string[]) => object(Object.fromEntries(names.map((name) => [name, range])))
const group = nullable(
  object({
    investors: object({ min: whole, max: nullable(whole) }),
    by_status: rangesOf(status),
    by_amount_tier: rangesOf(tiers),
    by_time_to_invest: rangesOf(delays),
  }),
)
/** "opaque investment token, opaque investor token, week, amount_tier, status, time_to_invest" */
const anonymized = {
  investment_token: text,
  investor_token: text,
  week,
  amount_tier: oneOf(...tiers),
  status: oneOf(...status),
  time_to_invest: oneOf(...delays),
}
const full = object({
  ...anonymized,
  investment_id: id('inv_'),
  investor: object({ id: id('usr_'), name: text, email: optional(maybeText) }),
})
const rows = (detail: string, row: Decoder) =>
  object({ company: id('co_'), detail: oneOf(detail), rows: listOf(row), corrections: listOf(row) })
export const REFERRAL_WEEK = object({
  week,
  published_at: utc,
  k: whole,
  companies: listOf(
    unionOf(
      {
        ranges: object({
          company: id('co_'),
          detail: oneOf('ranges'),
          since: week,
          credited: group,
          corrections: group,
        }),
        anonymized: rows('anonymized', object(anonymized)),
        full: rows('full', full),
      },
      'detail',
    ),
  ),
})

export const INELIGIBLE = nullable(
  oneOf('accreditation_required', 'jurisdiction', 'blocked', 'club_unavailable', 'requires_investment'),
)
export const JOIN_STATUS = oneOf(
  ...['open', 'pending_approval', 'joined', 'rejected', 'ineligible', 'canceled', 'expired'],
)
export const JOIN_SESSION = record(id('js_'), 'join_session', {
  syndicate: id('syn_'),
  status: JOIN_STATUS,
  ineligible_reason: INELIGIBLE,
  url: nullable(address),
  embed: nullable(object({ url: nullable(address), origins: listOf(text) })),
  theme: object({ id: nullable(id('thm_')), version: nullable(whole), override_fingerprint: maybeText }),
  user: nullable(object({ id: id('usr_'), name: text })),
  membership_id: nullable(id('mem_')),
  return_url: nullable(address),
  metadata: freeForm,
  created_at: utc,
  expires_at: utc,
})
const colour = matching('a colour', /^#[0-9A-Fa-f]{6}$/)
export const JOIN_THEME = record(id('thm_'), 'join_theme', {
  syndicate: id('syn_'),
  name: text,
  version: whole,
  accent: colour,
  paper: colour,
  ink: colour,
  corners: oneOf('square', 'rounded', 'round'),
  created_at: utc,
})

const attempt = object({
  at: utc,
  response_code: nullable(whole),
  error: nullable(oneOf('timeout', 'blocked_url', 'tls_error', 'connection_failed')),
  duration_ms: whole,
  response: maybeText,
})
const delivery = {
  event: maybeText,
  event_id: id('evt_'),
  installation_id: nullable(id('inst_')),
  status: oneOf('pending', 'delivered', 'exhausted', 'canceled'),
  reason: maybeText,
  api_version: oneOf('2025-01-15', '2026-10-01', '2026-11-01'),
  attempt_count: whole,
  last_attempt: nullable(attempt),
  next_attempt_at: maybeTime,
  created_at: utc,
  ended_at: maybeTime,
  redelivery_of: nullable(id('dlv_')),
}
export const DELIVERY = record(id('dlv_'), 'webhook_delivery', delivery)
export const DELIVERY_WITH_ATTEMPTS = record(id('dlv_'), 'webhook_delivery', { ...delivery, attempts: listOf(attempt) })
export const DELIVERY_WITH_PAYLOAD = record(id('dlv_'), 'webhook_delivery', {
  ...{ ...delivery, attempts: listOf(attempt) },
  payload: nullable(freeForm),
})
export const EVENT = record(id('evt_'), 'event', {
  event: text,
  mode: oneOf('test', 'live'),
  installation_id: nullable(id('inst_')),
  created_at: utc,
  redelivery_of: nullable(id('dlv_')),
  payload: freeForm,
})
export const REPLAY = object({ type: oneOf('webhook_replay'), queued: whole, continue_since: maybeTime })

export const OAUTH_TOKEN = object({
  access_token: matching('an access token', /^at_(test|live)_/),
  token_type: oneOf('Bearer'),
  expires_in: whole,
  scope: text,
  refresh_token: optional(matching('a refresh token', /^rt_(test|live)_/)),
  created_at: whole,
})
const names = listOf(text)
export const SERVER_METADATA = object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  revocation_endpoint: address,
  introspection_endpoint: address,
  scopes_supported: names,
  response_types_supported: names,
  response_modes_supported: names,
  grant_types_supported: names,
  token_endpoint_auth_methods_supported: names,
  revocation_endpoint_auth_methods_supported: names,
  introspection_endpoint_auth_methods_supported: names,
  code_challenge_methods_supported: names,
  authorization_response_iss_parameter_supported: exactly(true),
  request_parameter_supported: flag,
  request_uri_parameter_supported: flag,
  service_documentation: address,
  ui_locales_supported: names,
})

export const REORDERED = record(id('syn_'), 'syndicate_member_order', { member_ids: listOf(id('mem_')) })
export const REMOVED_ENDPOINT = object({ id: id('whe_'), type: oneOf('webhook_endpoint'), removed: exactly(true) })
export const DISCONNECTED = object({ revoked: exactly(true), tokens_revoked: whole })
