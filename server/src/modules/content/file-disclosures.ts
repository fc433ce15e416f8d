import { UnknownReference, validationError } from '#kernel/errors.ts'
import { readOffering } from '#modules/offerings/index.ts'
import type { Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { filesFormC, type NewDisclosures } from './disclosures.ts'
import { replaceDisclosures } from './store.ts'

/** Replaces what was filed for an offering, as a whole, as an amended filing does. */
export async function fileDisclosures(tx: Tx, filing: NewDisclosures, { occurredAt }: Moment): Promise<void> {
  const { offering, hidden = [], ...sections } = filing
  const round = await readOffering(tx, offering)
  if (round === null) throw new UnknownReference('offering', offering)
  if (!filesFormC(round.exemption)) {
    const message = 'is sold under an exemption without a Form C; only reg_cf and ecsp have one'
    throw validationError([{ field: 'offering', code: 'no_form_c', message }])
  }
  await replaceDisclosures(tx, { offering, hidden, sections }, occurredAt)
}
