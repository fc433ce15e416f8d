import {
  currency,
  type Decoder,
  date,
  decimal,
  type Fields,
  flag,
  id,
  listOf,
  micros,
  nullable,
  object,
  oneOf,
  optional,
  text,
  unionOf,
  utc,
  whole,
} from './decode.ts'

/** Parts of the records of version 2026-11-01: exemptions, securities, and the investment record. */

export const maybeText = nullable(text)
export const maybeTime = nullable(utc)
export const maybeDecimal = nullable(decimal)
/** An amount in integer minor units. Every object with such a key also has a `currency`. */
export const cents = whole
export const maybeCents = nullable(whole)

export const EXEMPTION = oneOf('reg_cf', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp')

/** Prices per share, percentages and multiples are decimals as text. Valuations are money. */
const terms: Readonly<Record<string, Fields>> = {
  safe: {
    valuation_cap_cents: maybeCents,
    uncapped: flag,
    discount_percent: maybeDecimal,
    most_favored_nation: flag,
    pro_rata: flag,
  },
  equity: {
    share_price: maybeDecimal,
    pre_money_valuation_cents: maybeCents,
    share_class: nullable(oneOf('preferred', 'common')),
  },
  convertible_note: {
    valuation_cap_cents: maybeCents,
    uncapped: flag,
    discount_percent: maybeDecimal,
    interest_rate_percent: maybeDecimal,
    maturity_months: nullable(whole),
    most_favored_nation: flag,
  },
  revenue_share: {
    revenue_share_percent: maybeDecimal,
    repayment_cap_multiple: maybeDecimal,
    payment_period: maybeText,
    revenue_basis: nullable(oneOf('gross', 'net')),
    secured: flag,
    guarantor: maybeText,
  },
  debt: {
    interest_rate_percent: maybeDecimal,
    maturity_months: nullable(whole),
    first_payment_date: nullable(date),
  },
  fund: {},
  other: { name: maybeText, description: maybeText, more_info_url: maybeText },
}
const decided = unionOf(
  Object.fromEntries(
    Object.entries(terms).map(([type, fields]) => [
      type,
      object({ type: oneOf(type), label: text, terms: object(fields) }),
    ]),
  ),
)
/** "null while a testing-the-waters offering's security is undecided" */
const undecided = object({ type: nullable(text), terms: nullable(text) })
export const SECURITY: Decoder = {
  faults: (value, path) => {
    const isUndecided = (value as { type?: unknown } | null)?.type === null
    return (isUndecided ? undecided : decided).faults(value, path)
  },
}
export const SECURITY_SUMMARY = object({ type: oneOf(...Object.keys(terms)), label: text })
export const INTENDED_SECURITY = nullable(
  object({ type: oneOf('safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund'), label: text }),
)

const position = {
  cursor: optional(text),
  reason: optional(oneOf('changed', 'recomputed', 'investor_deactivated')),
}
/** "A tombstone has only id, visible (false), observed_at, cursor and reason, with no payload fields." */
const tombstone = object({ id: id('inv_'), visible: flag, observed_at: micros, ...position })
const whole_record = object({
  ...position,
  id: id('inv_'),
  visible: flag,
  observed_at: micros,
  status: oneOf('reserved', 'active', 'executed', 'canceled', 'converted'),
  group: oneOf('RESERVED', 'NO PAYMENT YET', 'PENDING', 'IS READY', 'CONFIRMED'),
  converted_to: nullable(id('inv_')),
  converted_from: nullable(id('inv_')),
  offering: id('ofr_'),
  company: id('co_'),
  investment_type: optional(text),
  offering_type: optional(text),
  applied_at: utc,
  amounts: object({
    committed_cents: cents,
    investment_size_cents: cents,
    in_escrow_cents: cents,
    refund_due_cents: optional(cents),
    raised_cents: cents,
    currency,
  }),
  shares: maybeDecimal,
  average_share_price: maybeDecimal,
  needs_whitelisting: flag,
  blockers: listOf(
    object({
      key: oneOf('needs_id', 'needs_accreditation', 'needs_signature', 'needs_payment', 'needs_review'),
      description: optional(text),
    }),
  ),
  contracts: listOf(object({ name: maybeText, override_amount_cents: maybeCents, early_bird: flag })),
  // "identity fields are omitted unless the caller holds read:investors:pii; a user always sees their own"
  investor: object({
    id: id('usr_'),
    deactivated: flag,
    via_entity: flag,
    name: optional(text),
    legal_name: optional(text),
    email: optional(maybeText),
    address: optional(
      object({
        line: optional(text),
        city: optional(text),
        state: optional(text),
        postal_code: optional(text),
        country: optional(text),
      }),
    ),
    bio: optional(maybeText),
  }),
  external_username: optional(maybeText),
  message: optional(maybeText),
})
export const INVESTMENT: Decoder = {
  faults: (value, path) => {
    const isTombstone = typeof value === 'object' && value !== null && !('status' in value)
    return (isTombstone ? tombstone : whole_record).faults(value, path)
  },
}

const counts = object({ count: whole, committed_cents: cents, raised_cents: cents })
const statuses = ['active', 'reserved', 'executed', 'canceled', 'converted'] as const
export const OFFERING_STATS = object({
  offering: id('ofr_'),
  company: id('co_'),
  currency,
  by_status: object(Object.fromEntries(statuses.map((status) => [status, optional(counts)]))),
  total: counts,
})
