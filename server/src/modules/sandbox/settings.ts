import type { ReferralSettings } from '#modules/referrals/index.ts'

/** What decides what follows from a move; the same as for facts. */
export type SandboxSettings = {
  readonly reinstatementGraceDays: number
  readonly referrals: ReferralSettings
}
