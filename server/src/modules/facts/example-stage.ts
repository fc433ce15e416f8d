import type { StageFact } from './feed-document.ts'

/**
 * What the examples speak of. Each type has one example, and most need more than one of something: five people, a fund,
 * an offering that tests the waters beside one that does not. These facts make what no example makes.
 */
const INVESTOR = 'usr_0ExampleNounInvestor0000'
const OFFERING = 'ofr_0ExampleNounOffering0000'
const TESTING_THE_WATERS = 'ofr_0ExampleNounTesting00000'
const OTHER_OFFERING = 'ofr_0ExampleNounOther0000000'

const told = (type: string, data: object): StageFact => ({ type, data })

const person = (noun: string, name: string) => {
  const email = `${name.split(' ', 1)[0]?.toLowerCase()}@example.com`
  return told('user.registered', { id: `usr_0ExampleNoun${noun}`, name, email })
}

export const PEOPLE_STAGE: readonly StageFact[] = [
  person('Founder00000', 'Charles Babbage'),
  person('Editor000000', 'Ada Lovelace'),
  person('Investor0000', 'Mary Somerville'),
  person('Manager00000', 'Annabella Byron'),
  person('Member000000', 'Michael Faraday'),
]

export const COMPANY_STAGE: readonly StageFact[] = [
  told('company.created', {
    id: 'co_0ExampleNounFund00000000',
    kind: 'fund',
    name: 'Difference Fund',
    page_url: 'https://platform.example.org/difference-fund',
  }),
]

const offering = (id: string, more: object) =>
  told('offering.created', {
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
  told('offering.opened', { id: OTHER_OFFERING }),
  offering('ofr_0ExampleNounCanceled0000', { name: 'Never opened', ...SAFE }),
]

const investment = (noun: string, offeringId: string) =>
  told('investment.created', {
    id: `inv_0ExampleNoun${noun}`,
    offering: offeringId,
    investor: INVESTOR,
    amount_cents: 10_000,
    currency: 'usd',
  })

export const INVESTMENT_STAGE: readonly StageFact[] = [
  offering(TESTING_THE_WATERS, { name: 'Reservations', testing_the_waters: true, intended_security: 'safe' }),
  told('offering.opened', { id: TESTING_THE_WATERS }),
  investment('Reserve00000', TESTING_THE_WATERS),
  investment('Successor000', OFFERING),
  investment('Canceled0000', OFFERING),
]

const SYNDICATE = 'syn_0ExampleNounSyndicate000'
/** Where applications and sessions are waiting. */
const FUND_SYNDICATE = 'syn_0ExampleNounFundSyn00000'
const FOUNDER = 'usr_0ExampleNounFounder00000'
const EDITOR = 'usr_0ExampleNounEditor000000'
const MANAGER = 'usr_0ExampleNounManager00000'

const application = (noun: string, user: string) =>
  told('membership.applied', { id: `mem_0ExampleNoun${noun}`, syndicate: FUND_SYNDICATE, user })

export const MEMBERSHIP_STAGE: readonly StageFact[] = [
  told('syndicate.manager_set', { syndicate: SYNDICATE, user: MANAGER, permission: 'full_access' }),
  told('syndicate.created', {
    id: FUND_SYNDICATE,
    name: 'Difference Fund Members',
    slug: 'difference-fund-members',
    fund: { type: 'traditional_fund', require_minimum_investment: true, minimum_investment_amount_cents: 500_000 },
  }),
  told('syndicate.manager_set', { syndicate: FUND_SYNDICATE, user: MANAGER, permission: 'full_access' }),
  application('ToDecline000', FOUNDER),
  application('ToWithdraw00', EDITOR),
]

const EXPIRES = { expires_at: '2099-01-01T00:00:00Z' }

const joinSession = (noun: string) =>
  told('join_session.created', { id: `js_0ExampleNoun${noun}`, syndicate: FUND_SYNDICATE, ...EXPIRES })

export const JOIN_SESSION_STAGE: readonly StageFact[] = [
  joinSession('ToReject0000'),
  told('join_session.pending_approval', { id: 'js_0ExampleNounToReject0000', user: FOUNDER }),
  joinSession('ToRefuse0000'),
  joinSession('ToCancel0000'),
  joinSession('ToExpire0000'),
]

const investmentSession = (noun: string) =>
  told('investment_session.created', {
    id: `is_0ExampleNoun${noun}`,
    offering: OFFERING,
    user: INVESTOR,
    ...EXPIRES,
  })

export const INVESTMENT_SESSION_STAGE: readonly StageFact[] = [
  investmentSession('InvSess20000'),
  told('investment_session.started', { id: 'is_0ExampleNounInvSess20000' }),
  investmentSession('ToCancel0000'),
]
