import type { Id } from '#kernel/ids.ts'

export const PERMISSIONS = ['full_access', 'operator'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** How the fund of a fund syndicate works. Amounts are in cents of the fund's currency. */
export type Fund =
  | {
      readonly type: 'annual_subscription'
      readonly fund_investment_amount_cents?: number | null
      readonly deals_per_year?: number | null
      readonly amount_per_deal_cents?: number | null
    }
  | {
      readonly type: 'traditional_fund'
      readonly require_minimum_investment: boolean
      readonly minimum_investment_amount_cents?: number | null
    }

/**
 * All settings of a syndicate, named as in the facts. The columns have the same names, except that `fund` is stored in
 * `syndicate_type` and `fund_terms`, and `primary_fund_company` in `primary_fund_company_id`.
 */
export type SyndicateSettings = {
  readonly name: string
  readonly slug: string
  readonly tagline: string | null
  readonly description: string | null
  readonly avatar_url: string | null
  readonly published: boolean
  readonly launched: boolean
  readonly membership_open: boolean
  readonly auto_approval: boolean
  readonly auto_accept_accredited_members: boolean
  readonly requires_accreditation: boolean
  readonly fund_required: boolean
  /** The field is null if the syndicate invests deal by deal. */
  readonly fund: Fund | null
  readonly primary_fund_company: Id<'company'> | null
}

/** Defaults of a new syndicate: it is not published and not launched, and its managers approve members. */
export const SETTINGS_AT_FIRST: Omit<SyndicateSettings, 'name' | 'slug'> = {
  tagline: null,
  description: null,
  avatar_url: null,
  published: false,
  launched: false,
  membership_open: true,
  auto_approval: false,
  auto_accept_accredited_members: false,
  requires_accreditation: false,
  fund_required: false,
  fund: null,
  primary_fund_company: null,
}

/** A member's description of themselves in a syndicate's directory. Null in a change removes a field. */
export type MemberProfile = {
  readonly bio?: string
  readonly thesis?: string
  readonly about?: string
  readonly interests?: readonly string[]
  readonly stage_preferences?: readonly string[]
  readonly looking_for?: readonly string[]
  /** What the member can help with. */
  readonly tags?: readonly string[]
  readonly linkedin_url?: string
  readonly twitter_url?: string
  readonly website?: string
  readonly last_activity_at?: string
}

/**
 * What the directory shows of a member besides the person and the state, with the names of the columns and of the API.
 */
export type DirectoryEntry = {
  readonly title: string | null
  readonly sort_order: number | null
  readonly public_on_syndicate_profile: boolean
  readonly carry_percentage_override: number | null
  readonly carry_discount_percentage: number | null
  readonly management_fee_discount_percentage: number | null
  readonly profile: MemberProfile
  /** Labels that only managers of the syndicate see. */
  readonly private_tags: readonly string[]
}

export type DirectoryChanges = Partial<Omit<DirectoryEntry, 'profile'>> & {
  readonly profile?: { readonly [K in keyof MemberProfile]?: Required<MemberProfile>[K] | null }
}
