import { startClosing } from '#modules/offerings/index.ts'
import { action } from './action.ts'
import { holdOffering } from './deal-store.ts'
import { lookAtDeal } from './look-at-deal.ts'

/** "Stopped accepting investments; funds awaiting disbursement." */
export const closeDeal = action({
  name: 'syndicates.close_deal',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const which = { syndicate: resourceId, offering: params.fundraise_id }
    const { offering, name, facts, version } = await lookAtDeal(queries, which, 'open')
    const taken = offering.testing_the_waters ? 'reservations' : 'investments'
    const shown = {
      question: `Close ${name}`,
      summary: `${name} stops taking ${taken}, and what was committed waits to be disbursed.`,
      facts,
      final: `It cannot be opened again: nobody can commit to it any more.`,
      version,
    }
    return { shown }
  },
  hold: (tx, { params }) => holdOffering(tx, params.fundraise_id),
  perform: async (tx, { params }, { occasion }) => {
    await startClosing(tx, { id: params.fundraise_id }, occasion)
    return { offering: params.fundraise_id, status: 'closing' }
  },
})
