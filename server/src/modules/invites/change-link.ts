import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { PartnerSide } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdLink, requireLink } from './create-link.ts'
import type { InviteLink } from './link.ts'
import { queueMail } from './mail/mail-store.ts'
import { noteEvent, setCanceled, setLimits } from './store.ts'

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

/** "Resend 422 for reusable, canceled, declined." */
export async function resendLink(
  tx: Tx,
  side: PartnerSide,
  { which, origin }: { readonly which: Which; readonly origin: string },
): Promise<InviteLink> {
  const link = await holdLink(tx, side, which)
  refuseResend(link)
  await queueMail(tx, link.id, origin)
  await noteEvent(tx, link.id, 'resend')
  return requireLink(tx, side, which)
}

function refuseResend({ perPerson, canceledAt, declinedAt }: InviteLink): void {
  const refuse = (code: string, message: string) => validationError([{ field: 'invite_link', code, message }])
  if (!perPerson) throw refuse('reusable', 'is for many and goes to nobody in particular')
  if (canceledAt !== null) throw refuse('canceled', 'was canceled')
  if (declinedAt !== null) throw refuse('declined', 'was declined by the person it is for')
}
