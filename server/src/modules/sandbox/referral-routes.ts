import { Type } from 'typebox'
import type { Route } from '#http/route.ts'
import { CODE_CHARS, CODE_PATTERN, type ReferralSettings, recordVisit } from '#modules/referrals/index.ts'
import { Exactly, IdOf } from './fields.ts'
import { moves, stepWith } from './moves.ts'
import { showUser, User } from './user-record.ts'

/** As it stands in a link; one that nobody has does nothing. */
export const ReferralCode = Type.String({
  minLength: CODE_CHARS.min,
  maxLength: CODE_CHARS.max,
  pattern: CODE_PATTERN,
  description: 'A referral code.',
})

const Visit = Exactly({ company: IdOf('company'), ref: ReferralCode }, 'SandboxVisit')

export function referralRoutes(settings: ReferralSettings): Route[] {
  return moves(
    { of: 'user', plural: 'users', record: User, show: showUser },
    {
      visit: stepWith(
        {
          summary: 'Visit with a referral code',
          description: 'A person follows a link with a referral code to a company’s page.',
        },
        Visit,
        (tx, { id: user, company, ref: code }, { occurredAt: clickedAt }) =>
          recordVisit(tx, { user, company, code, clickedAt }, settings),
      ),
    },
  )
}
