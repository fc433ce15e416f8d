import { ApiError, type FieldError } from '#kernel/errors.ts'
import { EXCLUSIVE } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Creating, createLink } from './create-link.ts'
import type { InviteLink } from './link.ts'
import type { WantedLink } from './new-link.ts'

export type ItemRefusal = { readonly index: number; readonly type: string; readonly detail: string }
export type CreatedMany = { readonly made: readonly InviteLink[]; readonly refused: readonly ItemRefusal[] }

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
