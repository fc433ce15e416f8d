/** Why a person cannot become a member. */
export const INELIGIBLE_REASONS = [
  'accreditation_required',
  'jurisdiction',
  'blocked',
  'club_unavailable',
  'requires_investment',
] as const
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number]

/** The partner's theme that an embedded session is pinned to; a hosted one has none. */
export type Theme = {
  readonly id: string
  readonly version: number
  readonly override_fingerprint?: string | null
}
