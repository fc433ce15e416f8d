/** What members say of themselves in a syndicate's directory. What is null in a change is taken out. */
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

/** All that the directory shows of a member besides the person and the state, spelt as columns and the wire spell it. */
export type DirectoryEntry = {
  readonly title: string | null
  readonly sort_order: number | null
  readonly public_on_syndicate_profile: boolean
  readonly carry_percentage_override: number | null
  readonly carry_discount_percentage: number | null
  readonly management_fee_discount_percentage: number | null
  readonly profile: MemberProfile
  /** Labels that only those who run the syndicate see. */
  readonly private_tags: readonly string[]
}

export type DirectoryChanges = Partial<Omit<DirectoryEntry, 'profile'>> & {
  readonly profile?: { readonly [K in keyof MemberProfile]?: Required<MemberProfile>[K] | null }
}
