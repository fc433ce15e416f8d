import { notFound } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { holdRecipient, type PartnerSide, type Recipient } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { InviteLink } from './link.ts'
import { holdMailing, isWrittenTo, queueMail } from './mail/store.ts'
import { judgeLink, type WantedLink } from './new-link.ts'
import { findLink, insertLink, lockLink } from './store.ts'

export type Creating = {
  readonly side: PartnerSide
  readonly offering: Id<'offering'>
  readonly wanted: WantedLink
  /** Our own address, as the mail is to name it. */
  readonly origin: string
}

/** To an offering that takes people in. Nobody is written to twice in an hour about the same one. */
export async function createLink(tx: Tx, { side, offering, wanted, origin }: Creating): Promise<InviteLink> {
  const recipient = judgeLink(wanted)
  const mailed = recipient !== null && wanted.send_email !== false
  if (mailed) await holdMailing(tx, side)
  await holdRecipient(tx, recipient)
  const id = newId('inviteLink')
  await insertLink(tx, rowOf({ id, offering, installation: side.installation }, wanted, recipient))
  if (mailed && !(await isWrittenTo(tx, side, { offering, recipient }))) {
    await queueMail(tx, id, { origin, kind: 'send' })
  }
  return requireLink(tx, side, { offering, id })
}

type Place = {
  readonly id: Id<'inviteLink'>
  readonly offering: Id<'offering'>
  readonly installation: Id<'installation'>
}

function rowOf(place: Place, wanted: WantedLink, recipient: Recipient | null) {
  return {
    ...place,
    perPerson: recipient !== null,
    email: recipient !== null && 'email' in recipient ? recipient.email : null,
    userId: recipient !== null && 'userId' in recipient ? recipient.userId : null,
    firstName: wanted.first_name ?? null,
    lastName: wanted.last_name ?? null,
    message: wanted.message ?? null,
    allocation: wanted.allocation_cents ?? null,
    maxUses: wanted.max_uses ?? null,
  }
}

type Which = Parameters<typeof findLink>[2]

export async function requireLink(tx: Tx, side: PartnerSide, which: Which): Promise<InviteLink> {
  const link = await findLink(tx, side, which)
  if (link === null) throw notFound(`${which.id} is not of ${side.app} on ${side.target}`)
  return link
}

/** Locked, and then looked at. */
export async function holdLink(tx: Tx, side: PartnerSide, which: Which): Promise<InviteLink> {
  await requireLink(tx, side, which)
  await lockLink(tx, which.id)
  return requireLink(tx, side, which)
}
