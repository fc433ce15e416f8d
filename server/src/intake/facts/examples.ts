import type { Id } from '#kernel/ids.ts'
import type { StageFact } from './feed-document.ts'

/** The records of the examples: one syndicate, its people, and their investments. */
export const SYNDICATE = 'syn_0ExampleNounSyndicate000' as Id<'syndicate'>

export const MANAGER = 'usr_0ExampleNounManager00000' as Id<'user'>
export const OPERATOR = 'usr_0ExampleNounEditor000000' as Id<'user'>
export const MEMBER = 'usr_0ExampleNounMember000000' as Id<'user'>
export const INVESTOR = 'usr_0ExampleNounInvestor0000' as Id<'user'>
export const FOUNDER = 'usr_0ExampleNounFounder00000' as Id<'user'>

export const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>
export const INVESTMENT = 'inv_0ExampleNounInvestment00' as Id<'investment'>

export const INVITED_EMAIL = 'alan@example.org'

const TESTING_THE_WATERS = 'ofr_0ExampleNounTesting00000'
const OTHER_OFFERING = 'ofr_0ExampleNounOther0000000'

const fact = (type: string, data: object): StageFact => ({ type, data })

const person = (noun: string, name: string) => {
  const email = `${name.split(' ', 1)[0]?.toLowerCase()}@example.com`
  return fact('user.registered', { id: `usr_0ExampleNoun${noun}`, name, email })
}

/**
 * The facts in this and the following `…_STAGE` lists run before the examples: each fact type has one example, and most examples
 * need more records than the examples create.
 */
export const PEOPLE_STAGE: readonly StageFact[] = [
  person('Founder00000', 'Charles Babbage'),
  person('Editor000000', 'Ada Lovelace'),
  person('Investor0000', 'Mary Somerville'),
  person('Manager00000', 'Annabella Byron'),
  person('Member000000', 'Michael Faraday'),
]

export const COMPANY_STAGE: readonly StageFact[] = [
  fact('company.created', {
    id: 'co_0ExampleNounFund00000000',
    kind: 'fund',
    name: 'Difference Fund',
    page_url: 'https://platform.example.org/difference-fund',
  }),
]

const offering = (id: string, more: object) =>
  fact('offering.created', {
    id,
    company: 'co_0ExampleNounCompany00000',
    raise: 'rse_0ExampleNounRaise0000000',
    currency: 'usd',
    exemption: 'reg_cf',
    ...more,
  })

const SAFE = { security: { type: 'safe', terms: { valuation_cap: '8000000' } } }

export const OFFERING_STAGE: readonly StageFact[] = [
  offering(OTHER_OFFERING, { name: 'First close', ...SAFE }),
  fact('offering.opened', { id: OTHER_OFFERING }),
  offering('ofr_0ExampleNounCanceled0000', { name: 'Never opened', ...SAFE }),
]

const investment = (noun: string, offeringId: string) =>
  fact('investment.created', {
    id: `inv_0ExampleNoun${noun}`,
    offering: offeringId,
    investor: INVESTOR,
    amount_cents: 10_000,
    currency: 'usd',
  })

export const INVESTMENT_STAGE: readonly StageFact[] = [
  offering(TESTING_THE_WATERS, { name: 'Reservations', testing_the_waters: true, intended_security: 'safe' }),
  fact('offering.opened', { id: TESTING_THE_WATERS }),
  investment('Reserve00000', TESTING_THE_WATERS),
  investment('Successor000', OFFERING),
  investment('Canceled0000', OFFERING),
]

/** A syndicate with open applications and sessions. */
const FUND_SYNDICATE = 'syn_0ExampleNounFundSyn00000'

const application = (noun: string, user: string) =>
  fact('membership.applied', { id: `mem_0ExampleNoun${noun}`, syndicate: FUND_SYNDICATE, user })

export const MEMBERSHIP_STAGE: readonly StageFact[] = [
  fact('syndicate.manager_set', { syndicate: SYNDICATE, user: MANAGER, permission: 'full_access' }),
  fact('syndicate.created', {
    id: FUND_SYNDICATE,
    name: 'Difference Fund Members',
    slug: 'difference-fund-members',
    fund: { type: 'traditional_fund', require_minimum_investment: true, minimum_investment_amount_cents: 500_000 },
  }),
  fact('syndicate.manager_set', { syndicate: FUND_SYNDICATE, user: MANAGER, permission: 'full_access' }),
  application('ToDecline000', FOUNDER),
  application('ToWithdraw00', OPERATOR),
]

const EXPIRES = { expires_at: '2099-01-01T00:00:00Z' }

const joinSession = (noun: string) =>
  fact('join_session.created', { id: `js_0ExampleNoun${noun}`, syndicate: FUND_SYNDICATE, ...EXPIRES })

export const JOIN_SESSION_STAGE: readonly StageFact[] = [
  joinSession('ToReject0000'),
  fact('join_session.pending_approval', { id: 'js_0ExampleNounToReject0000', user: FOUNDER }),
  joinSession('ToRefuse0000'),
  joinSession('ToCancel0000'),
  joinSession('ToExpire0000'),
]

const investmentSession = (noun: string) =>
  fact('investment_session.created', {
    id: `is_0ExampleNoun${noun}`,
    offering: OFFERING,
    user: INVESTOR,
    ...EXPIRES,
  })

export const INVESTMENT_SESSION_STAGE: readonly StageFact[] = [
  investmentSession('InvSess20000'),
  fact('investment_session.started', { id: 'is_0ExampleNounInvSess20000' }),
  investmentSession('ToCancel0000'),
]
