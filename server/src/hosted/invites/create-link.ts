import { EXCLUSIVE, holdRecipient, type PartnerSide, type Recipient } from '#hosted/sessions/index.ts'
import { ApiError, type FieldError, notFound } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type InviteLink, judgeLink, type WantedLink } from './link.ts'
import { holdMailing, isWrittenTo, queueMail } from './mail-store.ts'
import { findLink, insertLink, lockLink } from './store.ts'

type Creating = {
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

type ItemRefusal = { readonly index: number; readonly type: string; readonly detail: string }
type CreatedMany = { readonly made: readonly InviteLink[]; readonly refused: readonly ItemRefusal[] }

type Many = Omit<Creating, 'wanted'> & {
  readonly items: readonly unknown[]
  /** Throws what is wrong with an item's form. */
  readonly readItem: (item: unknown) => WantedLink
}

/**
 * Each item stands for itself: "207 {data[], errors[]{index,type,detail}}". An item that is refused has written nothing,
 * because everything it can be refused for is looked at first. Accounts are held in the order of their ids, so that two
 * batches never wait for each other in a circle; the answer keeps the order in which they were sent.
 */
export async function createMany(tx: Tx, { items, readItem, ...common }: Many): Promise<CreatedMany> {
  const made = new Map<number, InviteLink>()
  const refused: ItemRefusal[] = []
  for (const [index, item] of inLockOrder(items)) {
    try {
      made.set(index, await createLink(tx, { ...common, wanted: readItem(item) }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      refused.push({ index, ...refusalOf(error) })
    }
  }
  const inOrder = [...made].toSorted(([a], [b]) => a - b).map(([, link]) => link)
  return { made: inOrder, refused: refused.toSorted((a, b) => a.index - b.index) }
}

function inLockOrder(items: readonly unknown[]): readonly (readonly [number, unknown])[] {
  return [...items.entries()].toSorted(([, a], [, b]) => (accountOf(a) < accountOf(b) ? -1 : 1))
}

function accountOf(item: unknown): string {
  const named: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'platform_user_id') : ''
  return typeof named === 'string' ? named : ''
}

function refusalOf({ type, public: message, details }: ApiError): Omit<ItemRefusal, 'index'> {
  const fields = (details?.['fields'] ?? []) as readonly FieldError[]
  if (fields.length === 0) return { type, detail: message }
  const detail = fields.map((field) => `${field.field} ${field.message}`).join('; ')
  return { type: fields.some(({ code }) => code === EXCLUSIVE) ? EXCLUSIVE : type, detail: `${detail}.` }
}
