import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { AccessChange } from './access-store.ts'
import { type Change, findConcerned, putBackChanges, type Share, takeChanges } from './changes-store.ts'

export type Work = {
  /** How many rows were taken from the to-do list. */
  readonly taken: number
  /** Each once, in the order in which they were first told of. */
  readonly investments: readonly Id<'investment'>[]
  /** Whose access changed at which company, each once. */
  readonly access: readonly AccessChange[]
}

/**
 * The next part of the to-do list, at most `limit` investments of what names them and as many of what concerns several.
 * An offering may have a hundred thousand: what is left of it goes back to the end of the list, behind whatever
 * happened meanwhile.
 */
export async function takeWork(tx: Tx, share: Share): Promise<Work> {
  const changes = await takeChanges(tx, share)
  const investments = new Set(changes.filter(({ kind }) => kind === 'investment').map(idOf<'investment'>))
  const wide = changes.filter(({ kind }) => kind !== 'investment' && kind !== 'access')
  for (const id of await goThrough(tx, wide, share.limit)) investments.add(id)
  return { taken: changes.length, investments: [...investments], access: accessOf(changes) }
}

function accessOf(changes: readonly Change[]): AccessChange[] {
  const each = changes.flatMap((change) =>
    change.company === null ? [] : [{ user: idOf<'user'>(change), company: change.company }],
  )
  return [...new Map(each.map((one) => [`${one.user} ${one.company}`, one])).values()]
}

async function goThrough(tx: Tx, wide: readonly Change[], limit: number): Promise<Id<'investment'>[]> {
  if (wide.length === 0) return []
  const each = Math.ceil(limit / wide.length)
  const found = await findConcerned(tx, wide, each)
  const rest = wide.flatMap((change, place) => {
    const ids = found[place] ?? []
    return ids.length < each ? [] : [{ ...change, after: ids.at(-1) ?? '' }]
  })
  if (rest.length > 0) await putBackChanges(tx, rest)
  return found.flat()
}

function idOf<K extends 'investment' | 'user'>({ id }: Change): Id<K> {
  return id as Id<K>
}
