import { Type } from 'typebox'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import { DealSchema } from '#modules/deals/http.ts'
import { showDeal } from '#modules/deals/index.ts'
import type { ActionName } from './intent.ts'
import { type ProposeDeps, propose, TOLD } from './propose.ts'
import { forProposers, proposerOf, tokenDigestOf } from './proposer.ts'
import { exactly, IntentReview, idOf, intentReview } from './schemas.ts'

type Deps = ProposeDeps & { readonly origin: () => string }

const Deal = Type.Object({ syndicate_id: idOf('syndicate'), fundraise_id: idOf('offering') })

/** "Does not close. Mints a pending intent … Repeat call → same pending intent." The same for finalizing. */
export const dealRoutes = (deps: Deps): Route[] => [
  route({
    operation: 'closeSyndicateDeal',
    method: 'POST',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id/close',
    summary: 'Propose to close a deal',
    description: 'Creates an intent to close a deal. Repeating the request returns the same intent.',
    tag: 'Intents',
    access: forProposers('write:syndicates'),
    schema: {
      params: Deal,
      response: { 200: exactly({ data: DealSchema, meta: exactly({ close_deal_intent: IntentReview }) }) },
    },
    transaction: async (request) => {
      const { data, review } = await proposeFor(deps, { ...request, name: 'close_deal' })
      return { status: 200, body: { data, meta: { close_deal_intent: review } }, unchanged: TOLD }
    },
  }),
  route({
    operation: 'finalizeSyndicateDeal',
    method: 'POST',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id/finalize',
    summary: 'Propose to finalize a deal',
    description: 'Creates an intent to finalize a deal. Repeating the request returns the same intent.',
    tag: 'Intents',
    access: forProposers('write:syndicates'),
    schema: {
      params: Deal,
      response: { 200: exactly({ data: DealSchema, meta: exactly({ finalize_deal_intent: IntentReview }) }) },
    },
    transaction: async (request) => {
      const { data, review } = await proposeFor(deps, { ...request, name: 'finalize_deal' })
      return { status: 200, body: { data, meta: { finalize_deal_intent: review } }, unchanged: TOLD }
    },
  }),
]

type Asked = {
  readonly tx: Parameters<typeof propose>[0]
  readonly caller: Parameters<typeof proposerOf>[1]
  readonly params: { readonly syndicate_id: Id<'syndicate'>; readonly fundraise_id: Id<'offering'> }
  readonly header: (name: string) => string | undefined
  readonly requestId: string
  readonly name: 'close_deal' | 'finalize_deal'
}

async function proposeFor(deps: Deps, { tx, caller, params, header, requestId, name }: Asked) {
  const { syndicate_id: syndicate, fundraise_id: offering } = params
  const action: ActionName = `syndicates.${name}`
  const content = {
    action,
    resourceType: 'syndicate',
    resourceId: syndicate,
    params: { fundraise_id: offering },
  } as const
  const proposal = {
    proposer: await proposerOf(tx, caller),
    content,
    repeatKey: `deal:${name}:${syndicate}:${offering}`,
    requestedByAgent: null,
    tokenDigest: tokenDigestOf(header),
    requestId,
  }
  const { intent } = await propose(tx, proposal, deps)
  const data = await showDeal(tx, { syndicate, offering }, deps.origin())
  return { data, review: intentReview(intent, deps.origin()) }
}
