import {
  added,
  type Decoder,
  date,
  decimal,
  flag,
  freeForm,
  id,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  unionOf,
  whole,
} from './decode.ts'

/** Terms of securities, and investments, before 2026-11-01. older-records.ts says where these records come from. */

export const maybeText = nullable(text)
export const maybeTime = nullable(time)
export const maybeDecimal = nullable(decimal)

export const EXEMPTION = object({
  family: oneOf('reg_cf', 'reg_d', 'reg_a', 'reg_s', 'ecsp', 'other'),
  subtype: nullable(oneOf('506b', '506c')),
  label: text,
})
export const tag = object({ type: text, label: text })
const SECURITY_TYPES = ['safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund', 'other'] as const
export const SECURITY_SUMMARY = object({ type: oneOf(...SECURITY_TYPES), label: text })

const security = (type: string, terms: Readonly<Record<string, Decoder>>) =>
  object({ type: oneOf(type), label: text, terms: object(terms) })
export const SECURITY = unionOf({
  safe: security('safe', {
    valuation_cap: maybeDecimal,
    uncapped: flag,
    discount_percent: maybeDecimal,
    most_favored_nation: flag,
    pro_rata: flag,
  }),
  equity: security('equity', {
    share_price: maybeDecimal,
    pre_money_valuation: maybeDecimal,
    share_class: nullable(oneOf('preferred', 'common')),
  }),
  convertible_note: security('convertible_note', {
    valuation_cap: maybeDecimal,
    uncapped: flag,
    discount_percent: maybeDecimal,
    interest_rate_percent: maybeDecimal,
    maturity_months: nullable(whole),
    most_favored_nation: flag,
  }),
  revenue_share: security('revenue_share', {
    revenue_share_percent: maybeDecimal,
    repayment_cap_multiple: maybeDecimal,
    payment_period: maybeText,
    revenue_basis: nullable(oneOf('gross', 'net')),
    secured: flag,
    guarantor: maybeText,
  }),
  debt: security('debt', {
    interest_rate_percent: maybeDecimal,
    maturity_months: nullable(whole),
    first_payment_date: nullable(date),
  }),
  fund: security('fund', {}),
  other: security('other', { name: maybeText, description: maybeText, more_info_url: maybeText }),
})

const identity = {
  name: optional(text),
  legal_name: optional(text),
  email: optional(nullable(text)),
  address: optional(freeForm),
  bio: optional(nullable(text)),
}
/** A tombstone has no `status`. A record with `status` must have all required keys. */
export const INVESTMENT: Decoder = {
  faults: (value, path) => {
    const isTombstone = typeof value === 'object' && value !== null && !('status' in value)
    return (isTombstone ? tombstone : wholeInvestment).faults(value, path)
  },
}
const position = {
  cursor: optional(text),
  reason: optional(oneOf('changed', 'reprojected', 'investor_deactivated')),
}
const tombstone = object({ id: id('inv_'), visible: flag, observed_at: time, ...position })
const wholeInvestment = object({
  ...position,
  id: id('inv_'),
  visible: flag,
  observed_at: time,
  status: oneOf('reserved', 'active', 'executed', 'canceled', 'converted'),
  converted_to: nullable(id('inv_')),
  converted_from: nullable(id('inv_')),
  offering: id('ofr_'),
  company: id('co_'),
  investment_type: optional(text),
  offering_type: optional(text),
  group: text,
  applied_at: time,
  amounts: object({
    committed_cents: whole,
    investment_size_cents: whole,
    in_escrow_cents: whole,
    raised_cents: whole,
    refund_due_cents: added(whole),
    currency: text,
  }),
  shares: maybeDecimal,
  average_share_price: maybeDecimal,
  needs_whitelisting: flag,
  external_username: optional(maybeText),
  message: optional(maybeText),
  investor: object({ id: id('usr_'), deactivated: flag, via_entity: flag, ...identity }),
  blockers: listOf(object({ key: text, description: optional(maybeText) })),
  contracts: listOf(
    object({ name: optional(maybeText), override_amount_cents: optional(nullable(whole)), early_bird: flag }),
  ),
})

const counts = object({ count: whole, committed_cents: whole, raised_cents: whole })
export const OFFERING_STATS = object({
  offering: id('ofr_'),
  company: id('co_'),
  currency: maybeText,
  by_status: mapOf(counts),
  total: counts,
})
