import { createHash } from 'node:crypto'
import { ID_PREFIX, type Id, type IdKind } from '#kernel/ids.ts'

/** The same in every database for the same thing of the same world, so that what is read in two can be compared by the byte. */
export function idOf<K extends IdKind>(kind: K, world: number, name: string | number): Id<K> {
  const body = createHash('sha256').update(`${world} ${name}`).digest('hex').slice(0, 24)
  return `${ID_PREFIX[kind]}${body}` as Id<K>
}
