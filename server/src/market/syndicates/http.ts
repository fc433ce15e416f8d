import {
  each,
  type Fields,
  inAttributes,
  isFields,
  moneyBefore,
  type VersionStep,
  wholeUnitsText,
  without,
  withoutNull,
} from '#http/version-steps.ts'

export type { Settling, SyndicateRouteDeps } from './api/manager-access.ts'
export { syndicateRoutes } from './api/routes.ts'

const MEMBER_RECORDS = [
  'listSyndicateMembers',
  'inviteSyndicateMember',
  'updateSyndicateMember',
  'approveSyndicateMember',
  'declineSyndicateMember',
  'hideSyndicateMember',
  'restoreSyndicateMember',
  'promoteSyndicateMember',
  'demoteSyndicateMember',
  'resendSyndicateInvite',
  'withdrawSyndicateInvite',
]

const FUND_MONEY = ['fund_investment_amount', 'amount_per_deal', 'minimum_investment_amount']

export const SYNDICATE_STEPS: readonly VersionStep[] = [
  {
    name: 'terms of funds in minor units',
    before: '2026-11-01',
    operations: ['listSyndicates', 'getSyndicate', 'updateSyndicate'],
    response: (body) => inAttributes(body, fundBefore),
  },
  {
    name: 'members’ totals in minor units; a permission may be null',
    before: '2026-11-01',
    operations: MEMBER_RECORDS,
    response: (body) => inAttributes(body, memberBefore),
  },
  {
    name: 'carry as a number',
    before: '2026-11-01',
    operations: ['updateSyndicateMember'],
    request: (body) => (isFields(body['member']) ? { ...body, member: carryAsNumber(body['member']) } : body),
  },
]

function fundBefore(attributes: Fields): Fields {
  const before = (terms: Fields) => without(moneyBefore(terms, FUND_MONEY, wholeUnitsText), 'currency')
  const terms = ['annual_subscription', 'traditional_fund'].filter((name) => name in attributes)
  return { ...attributes, ...Object.fromEntries(terms.map((name) => [name, each(attributes[name], before)])) }
}

/** Older versions define "syndicate_permission: enum", so strict clients reject null there. */
function memberBefore({ currency, ...attributes }: Fields): Fields {
  const before = moneyBefore(attributes, ['investment_total'], wholeUnitsText)
  return withoutNull({ ...before, investment_currency: currency }, 'syndicate_permission')
}

const WHOLE_NUMBER = /^\d{1,9}(\.0+)?$/

/** Older clients send `"20.0"`. */
function carryAsNumber(member: Fields): Fields {
  const carry = member['carry_percentage_override']
  if (typeof carry !== 'string' || !WHOLE_NUMBER.test(carry)) return member
  return { ...member, carry_percentage_override: Number(carry) }
}
