import { createHash } from 'node:crypto'
import { ID_PREFIX, type Id, type IdKind } from '#kernel/ids.ts'

/**
 * Returns an id that is the same in every database for the same record of the same world, so that responses can be
 * compared byte by byte.
 */
export function idOf<K extends IdKind>(kind: K, world: number, name: string | number): Id<K> {
  const body = createHash('sha256').update(`${world} ${name}`).digest('hex').slice(0, 24)
  return `${ID_PREFIX[kind]}${body}` as Id<K>
}
