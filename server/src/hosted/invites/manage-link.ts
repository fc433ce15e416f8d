import { lockPeople, lockUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { EXCLUSIVE, lockRecipient, type PartnerSide, type Recipient } from '#hosted/sessions/index.ts'
import { ApiError, type FieldError, notFound, UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { readInvestment } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { checkLink, type InviteLink, isUsedUp, type WantedLink } from './link.ts'
import { hasDeclined, isMailedOrQueued, lockMailing, queueMail } from './mail-store.ts'
import {
  eraseRecipient,
  findLink,
  insertLink,
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

/** "PATCH only allocation_cents, max_uses (422 below uses_count)". An omitted field keeps its value; null lifts the limit. */
export async function changeLink(
  tx: Tx,
  side: PartnerSide,
  { which, change }: { readonly which: Which; readonly change: LimitChange },
): Promise<InviteLink> {
  const link = await lockOwnLink(tx, side, which)
  const { allocation_cents: allocation = link.allocation, max_uses: maxUses = link.maxUses } = change
  rejectUses(link, maxUses)
  await setLimits(tx, link.id, { allocation, maxUses })
  return requireLink(tx, side, which)
}

function rejectUses({ perPerson, uses }: InviteLink, maxUses: number | null): void {
  if (maxUses === null) return
  const usesError = (code: string, message: string) => validationError([{ field: 'max_uses', code, message }])
  if (perPerson) throw usesError('per_person', 'is not for a link to one person')
  if (maxUses < uses) throw usesError('below_uses', `must not be below uses_count, which is ${uses}`)
}

/** "DELETE = soft cancel, 200, idempotent." The row and its history stay. */
export async function cancelLink(tx: Tx, side: PartnerSide, which: Which): Promise<InviteLink> {
  const link = await lockOwnLink(tx, side, which)
  if (await setCanceled(tx, link.id)) await noteEvent(tx, link.id, 'cancel')
  return requireLink(tx, side, which)
}

/**
 * "Resend 422 for reusable, canceled, declined." No app may flood a person with our mails, so a resend is also 422 if the
 * link was used, if the person declined another link of this app, or if the app mailed the person about the offering
 * within the last hour or has such a mail in the queue.
 */
export async function resendLink(
  tx: Tx,
  side: PartnerSide,
  { which, origin }: { readonly which: Which; readonly origin: string },
): Promise<InviteLink> {
  await lockMailing(tx, side)
  const link = await lockOwnLink(tx, side, which)
  const recipient = resendable(link)
  if (await hasDeclined(tx, side, recipient))
    throw linkError('declined', 'is for a person who declined one of your invitations')
  if (await isMailedOrQueued(tx, side, { offering: link.offering, recipient })) {
    throw linkError(
      'too_soon',
      'is for a person whom you mailed about this offering within the last hour, or to whom such a mail is queued',
    )
  }
  await queueMail(tx, link.id, { origin, kind: 'resend' })
  return requireLink(tx, side, which)
}

function resendable({ perPerson, canceledAt, declinedAt, investment, email, userId }: InviteLink): Recipient {
  if (!perPerson) throw linkError('reusable', 'is for many people and is not mailed')
  if (declinedAt !== null) throw linkError('declined', 'was declined by its recipient')
  if (investment !== null) throw linkError('invested', 'has been used')
  if (canceledAt === null && email !== null) return { email }
  if (canceledAt === null && userId !== null) return { userId }
  throw linkError('canceled', 'was canceled')
}

function linkError(code: string, message: string) {
  return validationError([{ field: 'invite_link', code, message }])
}

type Use = {
  readonly link: Id<'inviteLink'>
  readonly investment: Id<'investment'>
  /** Rejects a link that was used `max_uses` times. The sandbox's routes set it, because no hosted page checks the link for them. */
  readonly limited?: boolean
}

/**
 * Records an investment through a link. The investment has already happened, so a link that was canceled or used up meanwhile is
 * accepted too. A link to another offering or for another user is rejected, because it contradicts the investment. A link for an
 * email address is not compared with the investor.
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
  if (link.offering !== made.offering) throw rejectUse('other_offering', 'leads to another offering')
  if (link.userId !== null && link.userId !== made.investor) throw rejectUse('other_recipient', 'is for another person')
  if (limited && isUsedUp(link)) throw rejectUse('used_up', 'was used as often as its max_uses allows')
  // The host's checkout got the link from the investor, so the investor has opened it.
  if (await setOpened(tx, id)) await noteEvent(tx, id, 'open')
  await setOpener(tx, id, made.investor)
  await insertUse(tx, id, { investment, at: occurredAt })
  await noteEvent(tx, id, 'invest')
}

function rejectUse(code: string, message: string) {
  return validationError([{ field: 'invite_link', code, message }])
}

/** Erases a person from the links that are for them or that they opened, and cancels these links. */
export async function eraseInvites(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await eraseRecipient(tx, userId, addresses)
}

type Creating = {
  readonly side: PartnerSide
  readonly offering: Id<'offering'>
  readonly wanted: WantedLink
  /** Our own address, for the mail's link. */
  readonly origin: string
}

/**
 * The caller has checked that the offering accepts investors. A person gets at most one mail an hour from an app about an
 * offering.
 */
export async function createLink(tx: Tx, { side, offering, wanted, origin }: Creating): Promise<InviteLink> {
  const recipient = checkLink(wanted)
  const mailed = recipient !== null && wanted.send_email !== false
  if (mailed) await lockMailing(tx, side)
  await lockRecipient(tx, recipient)
  const id = newId('inviteLink')
  await insertLink(tx, rowOf({ id, offering, installation: side.installation }, wanted, recipient))
  if (mailed && !(await isMailedOrQueued(tx, side, { offering, recipient }))) {
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

type CreateLinkWhich = Parameters<typeof findLink>[2]

async function requireLink(tx: Tx, side: PartnerSide, which: CreateLinkWhich): Promise<InviteLink> {
  const link = await findLink(tx, side, which)
  if (link === null) throw notFound(`${which.id} is not of ${side.app} on ${side.target}`)
  return link
}

/** Reads the link again after the lock, because the first read cannot see the change for which the lock waited. */
async function lockOwnLink(tx: Tx, side: PartnerSide, which: CreateLinkWhich): Promise<InviteLink> {
  await requireLink(tx, side, which)
  await lockLink(tx, which.id)
  return requireLink(tx, side, which)
}

type ItemRefusal = { readonly index: number; readonly type: string; readonly detail: string }
type CreatedMany = { readonly made: readonly InviteLink[]; readonly refused: readonly ItemRefusal[] }

type Many = Omit<Creating, 'wanted'> & {
  readonly items: readonly unknown[]
  /** Throws if an item is malformed. */
  readonly readItem: (item: unknown) => WantedLink
}

/**
 * Each item succeeds or fails alone: "207 {data[], errors[]{index,type,detail}}". Every check of an item runs before its first
 * write, so a rejected item has written nothing. The locks that the items need are taken before the first item, in one order for
 * all batches, so that two batches never deadlock.
 */
export async function createMany(tx: Tx, { items, readItem, ...common }: Many): Promise<CreatedMany> {
  const made: InviteLink[] = []
  const refused: ItemRefusal[] = []
  const read = items.map((item) => readOrError(() => readItem(item)))
  await lockMailing(tx, common.side)
  await lockPeople(tx, namedIn(read.filter((each) => !(each instanceof ApiError))))
  for (const [index, wanted] of read.entries()) {
    try {
      if (wanted instanceof ApiError) throw wanted
      made.push(await createLink(tx, { ...common, wanted }))
    } catch (error) {
      refused.push({ index, ...refusalOf(callersError(error)) })
    }
  }
  return { made, refused }
}

function readOrError(read: () => WantedLink): WantedLink | ApiError {
  try {
    return read()
  } catch (error) {
    return callersError(error)
  }
}

/** Returns an error that the caller of the API made. Throws every other error. */
function callersError(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500) return error
  throw error
}

function namedIn(links: readonly WantedLink[]) {
  return {
    ids: links.flatMap(({ platform_user_id: id }) => id ?? []),
    addresses: links.flatMap(({ email }) => email ?? []),
  }
}

function refusalOf({ type, public: message, details }: ApiError): Omit<ItemRefusal, 'index'> {
  const fields = (details?.['fields'] ?? []) as readonly FieldError[]
  if (fields.length === 0) return { type, detail: message }
  const detail = fields.map((field) => `${field.field} ${field.message}`).join('; ')
  return { type: fields.some(({ code }) => code === EXCLUSIVE) ? EXCLUSIVE : type, detail: `${detail}.` }
}
