import { type Decoder, flag, listOf, nullable, object, oneOf, optional, text, time, whole } from './decode.ts'
import { INSTALLATION, INVESTMENT, OFFERING } from './older-records.ts'

/** What stands around the records of versions before 2026-11-01, and their errors. */

export const single = (data: Decoder): Decoder => object({ data })
/** `next_cursor` may be missing on the last page; where it is there, an integer or text as the list's schema says. */
export const page = (data: Decoder, cursor: Decoder = text): Decoder =>
  object({
    data: listOf(data),
    meta: object({ page_count: whole, has_more: flag, next_cursor: optional(nullable(cursor)) }),
  })
export const counted = (data: Decoder): Decoder => object({ data: listOf(data), meta: object({ count: whole }) })

export const OFFERING_PAGE = object({
  data: listOf(OFFERING),
  meta: object({
    total_count: whole,
    page_count: whole,
    has_more: flag,
    sort: oneOf('most_raised', 'closing_soon', 'newest', 'most_investors'),
    filters: object({}),
    next_cursor: optional(nullable(whole)),
  }),
})

export const INVESTMENT_PAGE = object({
  data: listOf(INVESTMENT),
  meta: object({
    mode: oneOf('bootstrap', 'delta'),
    has_more: flag,
    next_cursor: text,
    page_count: whole,
    published_through: optional(nullable(time)),
  }),
})
export const INVESTMENT_CHANGES = object({
  data: listOf(INVESTMENT),
  meta: object({
    mode: oneOf('bootstrap', 'delta'),
    has_more: flag,
    next_cursor: text,
    page_count: whole,
    company_id: text,
  }),
})
export const ONE_INVESTMENT = object({
  data: INVESTMENT,
  meta: object({ source: oneOf('current'), published_observed_at: nullable(time), published_matches: nullable(flag) }),
})

/** The token stands beside the record and never expires, so it has no `expires_in` unless the app is pinned to the newest. */
export const INSTALLATION_TOKEN = object({
  data: INSTALLATION,
  token: object({
    access_token: text,
    token_type: oneOf('Bearer'),
    scope: text,
    installation: text,
    created_at: whole,
  }),
})

/** `details` is an object or missing: libraries pass it to a constructor of dictionaries. */
export const ERROR = object({
  error: object({
    type: text,
    message: text,
    request_id: text,
    details: optional(object({})),
    remediation: optional(text),
  }),
})
