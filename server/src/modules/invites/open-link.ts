import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { inviteUser } from '#modules/offerings/index.ts'
import { lockUser } from '#modules/people/index.ts'
import type { ReferralSettings } from '#modules/referrals/index.ts'
import { playInvestment } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type InviteLink, isUsedUp } from './link.ts'
import { refuseBeyondCap } from './link-cap.ts'
import { worldNow } from './now-store.ts'
import { lockLink, noteEvent, readLink, setDeclined, setOpened, setOpener } from './store.ts'
import { useLink } from './use-link.ts'

type Opening = { readonly userId: Id<'user'> | null; readonly requestId: string }

/**
 * The person pressed Continue: from now on the link counts as opened, and the round is one they were invited to, which they
 * see even if it is not for everybody. Not before: an app alone puts nothing into anybody's catalogue, and what follows
 * links ahead of people opens nothing. False where the link came to its end meanwhile.
 */
export async function openInvitation(tx: Tx, id: Id<'inviteLink'>, { userId, requestId }: Opening): Promise<boolean> {
  if (userId !== null) await lockUser(tx, 'user', userId)
  const link = await heldFor(tx, id, userId)
  if (link === null) return false
  if (await setOpened(tx, id)) await noteEvent(tx, id, 'open')
  if (userId === null) return true
  await setOpener(tx, id, userId)
  const occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  await inviteUser(tx, { id: link.offering, user: userId }, occasion)
  return true
}

export async function declineInvitation(tx: Tx, id: Id<'inviteLink'>, userId: Id<'user'> | null): Promise<void> {
  if ((await heldFor(tx, id, userId)) === null) return
  if (await setDeclined(tx, id)) await noteEvent(tx, id, 'decline')
}

type Playing = Opening & {
  readonly amount: Cents
  readonly currency: string
  readonly crediting: ReferralSettings
}

/** What the host's checkout would have told us, in the test world. */
export async function playUse(tx: Tx, id: Id<'inviteLink'>, playing: Playing): Promise<void> {
  const { userId, requestId, amount, currency, crediting } = playing
  if (userId === null || !(await openInvitation(tx, id, { userId, requestId }))) return
  const link = await readLink(tx, id)
  if (link === null) return
  refuseBeyondCap(link, { amount, currency })
  const occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  const played = { offering: link.offering, investor: userId, amount_cents: amount }
  const investment = await playInvestment(tx, played, { occasion, crediting })
  await useLink(tx, { link: id, investment }, occasion)
}

/** Locked, then looked at; null where it is over or somebody else's by now. */
async function heldFor(tx: Tx, id: Id<'inviteLink'>, userId: Id<'user'> | null): Promise<InviteLink | null> {
  await lockLink(tx, id)
  const link = await readLink(tx, id)
  if (link === null || link.canceledAt !== null || link.declinedAt !== null || isUsedUp(link)) return null
  if (link.perPerson && link.investment !== null) return null
  const owner = link.userId ?? link.openedBy
  return owner === null || owner === userId ? link : null
}
