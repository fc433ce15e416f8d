import { closeOffering } from '#modules/offerings/index.ts'
import { action } from './action.ts'
import { holdOffering } from './deal-store.ts'
import { lookAtDeal } from './look-at-deal.ts'

/** "Funds disbursed; raise complete." */
export const finalizeDeal = action({
  name: 'syndicates.finalize_deal',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const which = { syndicate: resourceId, offering: params.fundraise_id }
    const { deal, name, facts, version } = await lookAtDeal(queries, which, 'closing')
    const shown = {
      question: `Finalize ${name}`,
      summary: `The funds of ${name} are disbursed to ${deal.company}, and the deal is complete.`,
      facts,
      final: 'Funds that were disbursed cannot be refunded, and a complete deal cannot be canceled.',
      version,
    }
    return { shown }
  },
  hold: (tx, { params }) => holdOffering(tx, params.fundraise_id),
  perform: async (tx, { params }, { occasion }) => {
    await closeOffering(tx, { id: params.fundraise_id }, occasion)
    return { offering: params.fundraise_id, status: 'closed' }
  },
})
