import { recordAudit } from '#access/audit/index.ts'
import type { OperatorCaller } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, newSecret, worldOfSecret } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { findKey, findKeyInForce, insertKey, listDigests, revokeKey, touchKey } from './store.ts'

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

const LOOK_AGAIN_MS = 1_000

/**
 * Whether a digest (SHA-256, hex) is that of an operator key, in force or revoked. There are few, so all are
 * remembered, and looked at again at most once a second: however many are guessed, it costs no more.
 */
export function knownOperatorKeys({ reads }: Pick<PlatformDatabase, 'reads'>): (digest: string) => Promise<boolean> {
  let digests: ReadonlySet<string> = new Set()
  let reading: Promise<void> = Promise.resolve()
  let readAtMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    digests = new Set((await listDigests(reads)).map((digest) => digest.toString('hex')))
  }

  return async (digest) => {
    if (digests.has(digest)) return true
    if (performance.now() - readAtMs >= LOOK_AGAIN_MS) {
      readAtMs = performance.now()
      reading = read()
    }
    await reading
    return digests.has(digest)
  }
}

export type MadeKey = { readonly id: Id<'operatorKey'>; readonly key: string }

const NAME_CHARS_MAX = 80
const LINE = new RegExp(LINE_PATTERN, 'u')

/** The key itself is in this answer and nowhere else. */
export async function createOperatorKey(
  tx: PlatformTx,
  { world, name }: { readonly world: World; readonly name: string },
  actor: string,
): Promise<MadeKey> {
  if (!LINE.test(name) || [...name].length > NAME_CHARS_MAX) {
    const message = `must be one line of 1 to ${NAME_CHARS_MAX} visible characters`
    throw validationError([{ field: 'name', code: 'invalid_format', message }])
  }
  const id = newId('operatorKey')
  const key = newSecret('ok', world)
  await insertKey(tx, { id, world, name, hash: digestOf(key) })
  await recordAudit(tx, { actor, action: 'operator_key.created', subject: id, details: { world, name } })
  return { id, key }
}

/** Final, and in force with the next request: a key is replaced by another one, never brought back. */
export async function revokeOperatorKey(tx: PlatformTx, id: Id<'operatorKey'>, actor: string): Promise<void> {
  const revoked = await revokeKey(tx, id)
  if (revoked === null) throw (await findKey(tx, id)) === null ? unknownKey(id) : alreadyRevoked()
  await recordAudit(tx, { actor, action: 'operator_key.revoked', subject: id, details: revoked })
}

function unknownKey(id: string): ApiError {
  return new ApiError('not_found', { public: `There is no operator key ${id}.` })
}

function alreadyRevoked(): ApiError {
  return new ApiError('illegal_transition', {
    public: 'This operator key is revoked already.',
    details: { from: 'revoked', event: 'revoke', allowed: [] },
  })
}
