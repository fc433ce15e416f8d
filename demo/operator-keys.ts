import {
  authenticateOperator,
  createOperatorKey,
  listKeys,
  revokeOperatorKey,
} from '@portico/server/access/operator/index.ts'
import { WORLDS, type World } from '@portico/server/kernel/world.ts'
import type { Databases } from '@portico/server/system/postgres/database.ts'
import type { DemoFile, OperatorKeys } from './demo-file.ts'

const NAME = 'demo.json'
const ACTOR = 'demo'

/** A key is shown once, when it is made: what the file no longer holds, or what is no longer in force, is made anew. */
export async function ensureOperatorKeys(databases: Databases, file: Partial<DemoFile> | null): Promise<OperatorKeys> {
  const authenticate = authenticateOperator(databases)
  const ensure = async (world: World) => {
    const kept: unknown = file?.operator_keys?.[world]
    const holder = typeof kept === 'string' ? await authenticate(kept) : null
    return holder?.world === world ? String(kept) : await replaceKey(databases, world)
  }
  const keys = await Promise.all(WORLDS.map(async (world) => [world, await ensure(world)]))
  return Object.fromEntries(keys)
}

/** A person who deletes the file wants other keys: those it held end with it. */
async function replaceKey({ platform }: Databases, world: World): Promise<string> {
  const lost = (await listKeys(platform.reads)).filter(
    (key) => key.world === world && key.name === NAME && key.revoked_at === null,
  )
  return platform.transaction(async (tx) => {
    for (const { id } of lost) await revokeOperatorKey(tx, id, ACTOR)
    return (await createOperatorKey(tx, { world, name: NAME }, ACTOR)).key
  })
}
