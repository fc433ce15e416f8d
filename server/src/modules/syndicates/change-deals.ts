import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { readOffering } from '#modules/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { deleteDeal, insertDeal } from './store.ts'
import { syndicateExists } from './syndicate-store.ts'

export type Deal = { readonly syndicateId: Id<'syndicate'>; readonly offeringId: Id<'offering'> }

export async function addDeal(tx: Tx, deal: Deal, occasion: Occasion): Promise<void> {
  if (!(await syndicateExists(tx, deal.syndicateId))) throw new UnknownReference('syndicate', deal.syndicateId)
  if ((await readOffering(tx, deal.offeringId)) === null) throw new UnknownReference('offering', deal.offeringId)
  if (await insertDeal(tx, { ...deal, at: occasion.occurredAt })) return
  throw validationError([{ field: 'offering', code: 'already_exists', message: 'is already run by the syndicate' }])
}

/** Only the link goes: the offering and what was invested in it stay. */
export async function removeDeal(tx: Tx, { syndicateId, offeringId }: Deal): Promise<void> {
  if (await deleteDeal(tx, syndicateId, offeringId)) return
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  throw validationError([{ field: 'offering', code: 'not_a_deal', message: 'is not run by the syndicate' }])
}
