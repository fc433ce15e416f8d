import { type Static, Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { CODE_CHARS, CODE_PATTERN, type NewlyInvested, recordVisit } from '#modules/referrals/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Time } from './fields.ts'
import { Ref } from './profile-fields.ts'
import { withTimes } from './told-time.ts'

const Code = Type.String({ minLength: CODE_CHARS.min, maxLength: CODE_CHARS.max, pattern: CODE_PATTERN })

/** Of an investment that the host platform credits by itself. */
export const Referral = Type.Object({ code: Code, clicked_at: Type.Optional(Time) }, { additionalProperties: false })

export function toldReferral(referral: Static<typeof Referral> | null | undefined): NewlyInvested['referral'] {
  return referral && withTimes(referral, 'clicked_at')
}

export const referralFacts: readonly FactType[] = [
  factType({
    type: 'referral.visited',
    summary:
      'Somebody with an account followed a link with a referral code to a company’s page, at occurred_at. An investment ' +
      'in that company within the window (30 days unless set otherwise) is credited to the last such click. A code that ' +
      'nobody has, or that is paused, is no mistake and leaves no trace. No event.',
    data: Type.Object({ user: Ref('user'), company: Ref('company'), code: Code }, { additionalProperties: false }),
    example: {
      user: 'usr_0ExampleNounInvestor0000' as Id<'user'>,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      code: 'spring-26',
    },
    apply: (tx, data, { occasion, settings }) =>
      recordVisit(tx, { ...data, clickedAt: occasion.occurredAt }, settings.referrals),
  }),
]
