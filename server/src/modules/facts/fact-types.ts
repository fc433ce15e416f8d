import type { FactRules } from './apply-fact.ts'
import { companyFacts } from './company-facts.ts'
import { contentFacts } from './content-facts.ts'
import {
  COMPANY_STAGE,
  INVESTMENT_SESSION_STAGE,
  INVESTMENT_STAGE,
  JOIN_SESSION_STAGE,
  MEMBERSHIP_STAGE,
  OFFERING_STAGE,
  PEOPLE_STAGE,
} from './example-stage.ts'
import { factTable } from './fact-table.ts'
import type { FactSettings } from './fact-type.ts'
import type { FactGroup } from './feed-document.ts'
import { investmentFacts } from './investment-facts.ts'
import { investmentSessionFacts } from './investment-session-facts.ts'
import { joinSessionFacts } from './join-session-facts.ts'
import { memberCountryFacts } from './member-country-facts.ts'
import { membershipFacts } from './membership-facts.ts'
import { offeringFacts } from './offering-facts.ts'
import { portfolioFacts } from './portfolio-facts.ts'
import { referralFacts } from './referral-facts.ts'
import { syndicateFacts } from './syndicate-facts.ts'
import { userFacts } from './user-facts.ts'

/** Everything the host platform can tell us, in the order of the documentation. */
export const FACT_GROUPS: readonly FactGroup[] = [
  { heading: 'People', stage: PEOPLE_STAGE, facts: userFacts },
  { heading: 'Companies', stage: COMPANY_STAGE, facts: companyFacts },
  { heading: 'Offerings', stage: OFFERING_STAGE, facts: offeringFacts },
  { heading: 'Company content', stage: [], facts: contentFacts },
  { heading: 'Investments', stage: INVESTMENT_STAGE, facts: investmentFacts },
  { heading: 'Portfolio', stage: [], facts: portfolioFacts },
  { heading: 'Referrals', stage: [], facts: referralFacts },
  { heading: 'Syndicates', stage: [], facts: [...syndicateFacts, ...memberCountryFacts] },
  { heading: 'Memberships', stage: MEMBERSHIP_STAGE, facts: membershipFacts },
  { heading: 'Join sessions', stage: JOIN_SESSION_STAGE, facts: joinSessionFacts },
  { heading: 'Investment sessions', stage: INVESTMENT_SESSION_STAGE, facts: investmentSessionFacts },
]

/** The table with all of them compiled: made once, at the start of whatever applies facts. */
export function factRules(settings: FactSettings): FactRules {
  return { table: factTable(FACT_GROUPS.flatMap(({ facts }) => facts)), settings }
}
