/** Why a person cannot become a member. */
export const INELIGIBLE_REASONS = [
  'accreditation_required',
  'jurisdiction',
  'blocked',
  'club_unavailable',
  'requires_investment',
] as const
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number]

export const CORNERS = ['square', 'rounded', 'round'] as const

/**
 * All that a theme decides: three colours, as `#` and six hexadecimal digits in lower case, and how round corners are. What
 * else the form is made of follows from them.
 */
export type Appearance = {
  /** What can be pressed. */
  readonly accent: string
  /** What is written on. */
  readonly paper: string
  /** What is written. */
  readonly ink: string
  readonly corners: (typeof CORNERS)[number]
}

/** The partner's theme that an embedded session is pinned to; a hosted one has none. */
export type Theme = {
  readonly id: string
  readonly version: number
  readonly override_fingerprint?: string | null
}
