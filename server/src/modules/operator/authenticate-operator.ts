import type { OperatorCaller } from '#kernel/caller.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findKeyInForce, touchKey } from './store.ts'

type Worlds = Readonly<Record<World, WorldDatabase>>

/** Fills the edge's token lookup for operator keys: one indexed lookup, nothing remembered between requests. */
export function authenticateOperator(databases: Worlds): (bearer: string) => Promise<OperatorCaller | null> {
  return async (bearer) => {
    const world = worldOfSecret('ok', bearer)
    if (world === null) return null
    const key = await findKeyInForce(databases[world], digestOf(bearer))
    if (key === null) return null
    if (key.unused_lately) noteUse(databases[world], key.id)
    return { kind: 'operator', world, operatorKeyId: key.id }
  }
}

/** Beside the request, which neither waits for it nor fails with it: when a key was last used is worth no more. */
function noteUse(db: WorldDatabase, id: OperatorCaller['operatorKeyId']): void {
  touchKey(db, id).catch(() => {})
}
