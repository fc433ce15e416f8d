import type { Id } from '#kernel/ids.ts'
import { type OfferingState, type OfferingView, readOffering } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { notPossible } from '../proposer.ts'
import { counted, countedRoughly, excerptOf, type Facts, isRough, money, roughly } from '../review-facts.ts'
import type { Amount } from './action.ts'
import { type Deal, findDeal } from './store.ts'

const DEAL_FIELD = 'params.fundraise_id'

export type DealSeen = {
  readonly offering: OfferingView
  readonly deal: Deal
  readonly name: string
  readonly facts: Facts
  readonly version: Facts
  readonly amount: Amount
}

type Which = { readonly syndicate: Id<'syndicate'>; readonly offering: Id<'offering'> }

/** A deal of the syndicate in the state that the action starts from. "422: deal not of this syndicate." */
export async function lookAtDeal(queries: WorldQueries, which: Which, from: OfferingState): Promise<DealSeen> {
  const offering = await readOffering(queries, which.offering)
  const deal = offering === null ? null : await findDeal(queries, which.syndicate, which.offering)
  if (offering === null || deal === null) {
    const message = 'This is not a deal of the syndicate.'
    throw notPossible({ field: DEAL_FIELD, code: 'not_a_deal', message })
  }
  if (offering.status !== from) {
    const moved = from === 'open' ? 'closed' : 'finalized'
    const message = `The deal is ${offering.status}, and only one that is ${from} can be ${moved}.`
    throw notPossible({ field: DEAL_FIELD, code: `not_${from}`, message })
  }
  const name = nameOf(offering.name, deal.company)
  return {
    offering,
    deal,
    name,
    facts: factsOf(offering, deal, from === 'open'),
    version: termsOf(offering),
    amount: { cents: deal.committed_cents, currency: offering.currency },
  }
}

/** Adds the company's name, because many rounds are called "Community round". */
function nameOf(name: string | null, company: string): string {
  if (name === null) return company
  return name.includes(company) ? name : `${name} of ${company}`
}

/** A testing-the-waters offering has reservations and no investments. */
function factsOf({ currency, testing_the_waters: testing }: OfferingView, deal: Deal, moving: boolean): Facts {
  const sum = (cents: string) => figureText(cents, moving, (figure) => money(figure, currency))
  const noun = testing ? 'reservation' : 'commitment'
  return [
    ['Syndicate', deal.syndicate],
    ['Company', deal.company],
    [testing ? 'Reserved' : 'Committed', sum(deal.committed_cents)],
    ['From', (moving ? countedRoughly : counted)(deal.commitments, noun)],
    ...(testing ? [] : [['Raised so far', sum(deal.raised_cents)] as const]),
  ]
}

const LABELS: Readonly<Record<string, string>> = {
  funding_target_cents: 'Funding target',
  min_investment_cents: 'Smallest amount',
  max_investment_cents: 'Largest amount',
}

/** All terms of the offering. The review page reports a change of any of them, even of one that it does not show. */
function termsOf({ id, company, raise, ...terms }: OfferingView): Facts {
  return Object.entries(terms).map(([name, value]) => {
    const label = LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ')
    if (value !== null && name.endsWith('_cents')) return [label, money(String(value), terms.currency)]
    return [label, excerptOf(value === null || typeof value === 'string' ? value : JSON.stringify(value))]
  })
}

function figureText(figure: string, moving: boolean, words: (figure: string) => string): string {
  return moving && isRough(figure) ? `about ${words(roughly(figure))}` : words(figure)
}
