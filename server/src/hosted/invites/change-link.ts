import { lockUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import type { PartnerSide, Recipient } from '#hosted/sessions/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { readInvestment } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdLink, requireLink } from './create-link.ts'
import { type InviteLink, isUsedUp } from './link.ts'
import { hasSaidNo, holdMailing, isWrittenTo, queueMail } from './mail-store.ts'
import {
  eraseRecipient,
  insertUse,
  lockLink,
  noteEvent,
  readLink,
  setCanceled,
  setLimits,
  setOpened,
  setOpener,
} from './store.ts'

type Which = { readonly offering: Id<'offering'>; readonly id: Id<'inviteLink'> }
export type LimitChange = { readonly allocation_cents?: Cents | null; readonly max_uses?: number | null }

/** "PATCH only allocation_cents, max_uses (422 below uses_count)"; what is left out stays, null lifts it. */
export async function changeLink(
  tx: Tx,
  side: PartnerSide,
  { which, change }: { readonly which: Which; readonly change: LimitChange },
): Promise<InviteLink> {
  const link = await holdLink(tx, side, which)
  const { allocation_cents: allocation = link.allocation, max_uses: maxUses = link.maxUses } = change
  refuseUses(link, maxUses)
  await setLimits(tx, link.id, { allocation, maxUses })
  return requireLink(tx, side, which)
}

function refuseUses({ perPerson, uses }: InviteLink, maxUses: number | null): void {
  if (maxUses === null) return
  const refuse = (code: string, message: string) => validationError([{ field: 'max_uses', code, message }])
  if (perPerson) throw refuse('per_person', 'is not for a link to one person')
  if (maxUses < uses) throw refuse('below_uses', `must not be below uses_count, which is ${uses}`)
}

/** "DELETE = soft cancel, 200, idempotent." The row and its history stay. */
export async function cancelLink(tx: Tx, side: PartnerSide, which: Which): Promise<InviteLink> {
  const link = await holdLink(tx, side, which)
  if (await setCanceled(tx, link.id)) await noteEvent(tx, link.id, 'cancel')
  return requireLink(tx, side, which)
}

/**
 * "Resend 422 for reusable, canceled, declined." Also where it has been used, and where the same person was written to
 * within the hour: no app floods anybody through us.
 */
export async function resendLink(
  tx: Tx,
  side: PartnerSide,
  { which, origin }: { readonly which: Which; readonly origin: string },
): Promise<InviteLink> {
  await holdMailing(tx, side)
  const link = await holdLink(tx, side, which)
  const recipient = resendable(link)
  if (await hasSaidNo(tx, side, recipient)) throw refuse('declined', 'is for somebody who has said no to one of yours')
  if (await isWrittenTo(tx, side, { offering: link.offering, recipient })) {
    throw refuse('too_soon', 'is for somebody you have written to within the hour')
  }
  await queueMail(tx, link.id, { origin, kind: 'resend' })
  return requireLink(tx, side, which)
}

function resendable({ perPerson, canceledAt, declinedAt, investment, email, userId }: InviteLink): Recipient {
  if (!perPerson) throw refuse('reusable', 'is for many and goes to nobody in particular')
  if (declinedAt !== null) throw refuse('declined', 'was declined by the person it is for')
  if (investment !== null) throw refuse('invested', 'has been used')
  if (canceledAt === null && email !== null) return { email }
  if (canceledAt === null && userId !== null) return { userId }
  throw refuse('canceled', 'was canceled')
}

function refuse(code: string, message: string) {
  return validationError([{ field: 'invite_link', code, message }])
}

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
  if (link.offering !== made.offering) throw refuseUse('other_offering', 'leads to another offering')
  if (link.userId !== null && link.userId !== made.investor) throw refuseUse('other_recipient', 'is for another person')
  if (limited && isUsedUp(link)) throw refuseUse('used_up', 'was used as often as its max_uses allows')
  // A use implies that the person opened the link: the host's checkout got the link from them.
  if (await setOpened(tx, id)) await noteEvent(tx, id, 'open')
  await setOpener(tx, id, made.investor)
  await insertUse(tx, id, { investment, at: occurredAt })
  await noteEvent(tx, id, 'invest')
}

function refuseUse(code: string, message: string) {
  return validationError([{ field: 'invite_link', code, message }])
}

/** Takes a person out of the links that were for them, and ends these: there is nobody left to open them. */
export async function eraseInvites(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await eraseRecipient(tx, userId, addresses)
}
