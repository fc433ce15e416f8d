import { isDeepStrictEqual } from 'node:util'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseContradictions } from './contradictions.ts'
import type { Offering, OfferingTerms } from './offering.ts'
import { lockOffering, noteOfferingChange, writeTerms } from './store.ts'

export type OfferingChanges = Partial<OfferingTerms> & { readonly id: Id<'offering'> }

/**
 * What people relied on when they committed. An offering that tests the waters holds reservations and one that does not
 * holds investments; changing that under them would make each into the other without a word (that is a conversion).
 */
const FIXED_ONCE_OPENED = ['exemption', 'testing_the_waters', 'opens_at'] as const

/** What a published record of an investment says of its offering, beside the id. */
const SHOWN_IN_RECORDS = ['exemption', 'testing_the_waters', 'security', 'intended_security'] as const

/** Changes the fields given and no others. */
export async function updateOffering(tx: Tx, changes: OfferingChanges, { occurredAt }: Occasion): Promise<void> {
  const before = await lockOffering(tx, changes.id)
  if (before === null) throw new UnknownReference('id', changes.id)
  const after: Offering = { ...before, ...changes }
  const changed = (field: keyof OfferingTerms) => !isDeepStrictEqual(before[field], after[field])
  const fixed = before.status === 'upcoming' ? [] : FIXED_ONCE_OPENED.filter(changed)
  if (fixed.length > 0) {
    const message = 'cannot change once the offering has opened'
    throw validationError(fixed.map((field) => ({ field, code: 'fixed_once_opened', message })))
  }
  refuseContradictions(after)
  await writeTerms(tx, after, occurredAt)
  if (SHOWN_IN_RECORDS.some(changed)) await noteOfferingChange(tx, before.id)
}
