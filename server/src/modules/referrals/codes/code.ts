import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'

export const CODE_STATES = ['active', 'paused'] as const
export type CodeState = (typeof CODE_STATES)[number]

/** A referral code as it is kept; named as the columns. */
export type ReferralCode = {
  readonly id: Id<'referralCode'>
  readonly app_id: Id<'app'>
  /** As it was written; compared without regard to case. */
  readonly code: string
  readonly name: string
  readonly state: CodeState
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}
