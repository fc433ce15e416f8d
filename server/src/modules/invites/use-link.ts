import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { readInvestment } from '#modules/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { isUsedUp } from './link.ts'
import { insertUse, lockLink, noteEvent, readLink, setOpened, setOpener } from './store.ts'

type Use = {
  readonly link: Id<'inviteLink'>
  readonly investment: Id<'investment'>
  /** The sandbox refuses what the hosted page would refuse: a link that was used `max_uses` times. */
  readonly limited?: boolean
}

/**
 * An investment came of a link. It is a fact by then, so only the impossible is refused: a link to another offering or for
 * another person. One that was canceled or used up meanwhile still led here.
 */
export async function useLink(
  tx: Tx,
  { link: id, investment, limited = false }: Use,
  { occurredAt }: Occasion,
): Promise<void> {
  await lockLink(tx, id)
  const link = await readLink(tx, id)
  const made = await readInvestment(tx, investment)
  if (link === null) throw new UnknownReference('invite_link', id)
  if (made === null) throw new UnknownReference('investment', investment)
  if (link.offering !== made.offering) throw refuse('other_offering', 'leads to another offering')
  if (link.userId !== null && link.userId !== made.investor) throw refuse('other_recipient', 'is for another person')
  if (limited && isUsedUp(link)) throw refuse('used_up', 'was used as often as its max_uses allows')
  // Nobody invests by a link they have not followed: the host's checkout was told of it by somebody.
  if (await setOpened(tx, id)) await noteEvent(tx, id, 'open')
  await setOpener(tx, id, made.investor)
  await insertUse(tx, id, { investment, at: occurredAt })
  await noteEvent(tx, id, 'invest')
}

function refuse(code: string, message: string) {
  return validationError([{ field: 'invite_link', code, message }])
}
