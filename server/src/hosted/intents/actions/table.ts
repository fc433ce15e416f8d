import { revokeInstallation } from '#access/installations/index.ts'
import { lockUser } from '#access/people/index.ts'
import { ACTION_NAMES, ACTION_SCOPES, type ActionName } from '#access/scopes/index.ts'
import type { Scope } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import {
  closeOffering,
  type OfferingState,
  type OfferingView,
  readOffering,
  startClosing,
} from '#market/offerings/index.ts'
import {
  deleteDraft as deleteSyndicate,
  removeMember as removeFromSyndicate,
  updateSyndicate,
} from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { expireOfSyndicate } from '../expire.ts'
import { notPossible } from '../proposer.ts'
import {
  counted,
  countedRoughly,
  excerptOf,
  type Facts,
  isRough,
  money,
  type Prospect,
  roughly,
} from '../review-facts.ts'
import { type Action, type Amount, action } from './action.ts'
import { createComment } from './create-comment.ts'
import {
  type Deal,
  findDeal,
  findMember,
  findSyndicate,
  lockInstalled,
  lockMember,
  lockOffering,
  lockSyndicate,
  type MemberSeen,
  type SyndicateSeen,
} from './store.ts'

/** A draft has no deal and no members besides its managers, so other people lose nothing. */
const deleteDraft = action({
  name: 'syndicates.delete_draft',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId }) => {
    const syndicate = await findSyndicate(queries, resourceId)
    if (syndicate === null) throw notFound(`${resourceId} no longer exists`)
    rejectMoreThanADraft(syndicate)
    const shown = {
      question: `Delete the draft ${syndicate.name}`,
      summary: `The draft ${syndicate.name} is deleted for all people who run it, and apps are removed from it.`,
      facts: [
        ['Syndicate', syndicate.name],
        ['Run by', counted(syndicate.managers, 'person').replace('persons', 'people')],
        ['Apps on it', String(syndicate.installed)],
      ] as const,
      final: 'A deleted draft cannot be brought back.',
      version: versionOf(syndicate),
    }
    return { shown }
  },
  lock: async (tx, { resourceId }) => {
    // Lock order: installations before rows of the syndicate, as revoking an installation does.
    await lockInstalled(tx, resourceId)
    await lockSyndicate(tx, resourceId)
  },
  perform: async (tx, { resourceId }, { occasion, around }) => {
    for (const id of await lockInstalled(tx, resourceId)) {
      await revokeInstallation(tx, { id, role: 'manager' }, { ...occasion, onRevoked: around.onRevoked })
    }
    await expireOfSyndicate(tx, resourceId)
    await deleteSyndicate(tx, { id: resourceId }, occasion)
    return { syndicate: resourceId, deleted: true }
  },
})

function rejectMoreThanADraft({ published, launched, deals, outsiders }: SyndicateSeen): void {
  const field = 'resource_id'
  if (published || launched) {
    throw notPossible({ field, code: 'not_a_draft', message: 'The syndicate is published and no longer a draft.' })
  }
  if (deals > 0)
    throw notPossible({ field, code: 'has_deals', message: 'The syndicate runs deals, which would be lost.' })
  if (outsiders === 0) return
  const message = 'People other than its managers belong to the syndicate, or have applied.'
  throw notPossible({ field, code: 'has_members', message })
}

const memberError = (code: string, message: string) => notPossible({ field: 'params.member_id', code, message })

/** A removed manager stops managing the syndicate. The last manager with full access cannot be removed. */
const removeSyndicateMember = action({
  name: 'syndicates.remove_member',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const member = await findMember(queries, resourceId, params.member_id)
    if (member === null) throw memberError('not_a_member', 'The syndicate has no such membership.')
    if (member.status !== 'member')
      throw memberError('not_a_member', `The membership is ${member.status}, not a member’s.`)
    if (member.permission === 'full_access' && !member.others_run_it) {
      throw memberError('last_manager', 'No other person runs the syndicate with full access. Add one first.')
    }
    const unnamed = summaryOf('The member', member)
    return { shown: shownOf(member), about: { userId: member.user_id, unnamed } }
  },
  lock: async (tx, { resourceId, params }) => {
    const member = await findMember(tx, resourceId, params.member_id)
    if (member !== null) await lockUser(tx, 'member', member.user_id)
    // Two removals at once must not remove the last two managers.
    await lockSyndicate(tx, resourceId)
    await lockMember(tx, params.member_id)
  },
  perform: async (tx, { params }, { occasion }) => {
    await removeFromSyndicate(tx, { id: params.member_id }, occasion)
    return { membership: params.member_id, status: 'removed' }
  },
})

function summaryOf(name: string, { syndicate, permission }: MemberSeen): string {
  return `${name} is no longer a member of ${syndicate}${permission === null ? '' : ' and stops running it'}.`
}

/** `version` has only the date on which the member joined, because nothing else about a membership matters for its removal. */
function shownOf(member: MemberSeen): Prospect {
  const name = member.name ?? 'A person who left'
  return {
    question: `Remove ${name} from ${member.syndicate}`,
    summary: summaryOf(name, member),
    facts: [
      ['Syndicate', member.syndicate],
      ['Member', name],
      ...(member.permission === null ? [] : [['Runs it as', member.permission.replace('_', ' ')] as const]),
    ],
    final: 'They can come back only by applying or being invited again.',
    version: [['Member since', member.joined_at]],
  }
}

const publish = action({
  name: 'syndicates.publish',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId }) => {
    const syndicate = await findSyndicate(queries, resourceId)
    if (syndicate === null) throw notFound(`${resourceId} no longer exists`)
    if (syndicate.published) {
      const message = 'The syndicate is published already.'
      throw notPossible({ field: 'resource_id', code: 'already_published', message })
    }
    const shown = {
      question: `Publish ${syndicate.name}`,
      summary: `All people can see ${syndicate.name}: that it exists, its name and its description.`,
      facts: [
        ['Syndicate', syndicate.name],
        ['Members', String(syndicate.members)],
        ['Deals', String(syndicate.deals)],
      ] as const,
      final: 'A published syndicate cannot become a draft again, and people may have seen it already.',
      version: versionOf(syndicate),
    }
    return { shown }
  },
  lock: (tx, { resourceId }) => lockSyndicate(tx, resourceId),
  perform: async (tx, { resourceId }, { occasion }) => {
    await updateSyndicate(tx, { id: resourceId, changes: { published: true } }, occasion)
    return { syndicate: resourceId, published: true }
  },
})

/** "Stopped accepting investments; funds awaiting disbursement." */
const closeDeal = action({
  name: 'syndicates.close_deal',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const which = { syndicate: resourceId, offering: params.fundraise_id }
    const { offering, name, facts, version, amount } = await lookAtDeal(queries, which, 'open')
    const taken = offering.testing_the_waters ? 'reservations' : 'investments'
    const shown = {
      question: `Close ${name}`,
      summary: `${name} stops taking ${taken}, and the committed funds wait to be disbursed.`,
      facts,
      final: 'A closed deal cannot be opened again, and no one can commit to it any more.',
      version,
    }
    return { shown, amount }
  },
  lock: (tx, { params }) => lockOffering(tx, params.fundraise_id),
  perform: async (tx, { params }, { occasion }) => {
    await startClosing(tx, { id: params.fundraise_id }, occasion)
    return { offering: params.fundraise_id, status: 'closing' }
  },
})

/** "Funds disbursed; raise complete." */
const finalizeDeal = action({
  name: 'syndicates.finalize_deal',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const which = { syndicate: resourceId, offering: params.fundraise_id }
    const { deal, name, facts, version, amount } = await lookAtDeal(queries, which, 'closing')
    const shown = {
      question: `Finalize ${name}`,
      summary: `The funds of ${name} are disbursed to ${deal.company}, and the deal is complete.`,
      facts,
      final: 'Funds that were disbursed cannot be refunded, and a complete deal cannot be canceled.',
      version,
    }
    return { shown, amount }
  },
  lock: (tx, { params }) => lockOffering(tx, params.fundraise_id),
  perform: async (tx, { params }, { occasion }) => {
    await closeOffering(tx, { id: params.fundraise_id }, occasion)
    return { offering: params.fundraise_id, status: 'closed' }
  },
})

export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  'syndicates.close_deal': closeDeal,
  'syndicates.finalize_deal': finalizeDeal,
  'syndicates.publish': publish,
  'syndicates.remove_member': removeSyndicateMember,
  'syndicates.delete_draft': deleteDraft,
  'comments.create': createComment,
}

/** The actions whose intents a token may read: all with `read:syndicates`, otherwise only those whose scope the token has. */
export function readableActions(scopes: ReadonlySet<Scope>): readonly ActionName[] {
  return ACTION_NAMES.filter((name) => scopes.has('read:syndicates') || scopes.has(ACTION_SCOPES[name]))
}

/**
 * The texts and the picture of a syndicate, which publishing shows to all people and deleting a draft removes. Other facts
 * (members, how people apply) are on the page itself, or do not matter.
 */
function versionOf({ tagline, description, avatar_url }: SyndicateSeen): Facts {
  return [
    ['Tagline', excerptOf(tagline)],
    ['Description', excerptOf(description)],
    ['Picture', excerptOf(avatar_url)],
  ]
}

const DEAL_FIELD = 'params.fundraise_id'

type DealSeen = {
  readonly offering: OfferingView
  readonly deal: Deal
  readonly name: string
  readonly facts: Facts
  readonly version: Facts
  readonly amount: Amount
}

type Which = { readonly syndicate: Id<'syndicate'>; readonly offering: Id<'offering'> }

/** The deal, if it is in the state from which the action starts; otherwise it throws. "422: deal not of this syndicate." */
async function lookAtDeal(queries: WorldQueries, which: Which, from: OfferingState): Promise<DealSeen> {
  const offering = await readOffering(queries, which.offering)
  const deal = offering === null ? null : await findDeal(queries, which.syndicate, which.offering)
  if (offering === null || deal === null) {
    const message = 'This is not a deal of the syndicate.'
    throw notPossible({ field: DEAL_FIELD, code: 'not_a_deal', message })
  }
  if (offering.status !== from) {
    const moved = from === 'open' ? 'closed' : 'finalized'
    const message = `The deal is ${offering.status}. Only a deal that is ${from} can be ${moved}.`
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

/** All terms of the offering. The review page reports every term that changed, also a term that it does not show otherwise. */
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
