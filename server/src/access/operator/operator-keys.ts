import { recordAudit } from '#access/audit/index.ts'
import { reasonMistake } from '#http/operator-reason.ts'
import type { OperatorCaller, PlatformRole } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, newSecret, worldOfSecret } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { findKey, findKeyInForce, insertKey, listDigests, revokeKey, touchKey } from './store.ts'

type Worlds = Readonly<Record<World, WorldDatabase>>

/** Implements the edge's token lookup for operator keys: one indexed lookup per request, because nothing is cached between requests. */
export function authenticateOperator(databases: Worlds): (bearer: string) => Promise<OperatorCaller | null> {
  return async (bearer) => {
    const world = worldOfSecret('ok', bearer)
    if (world === null) return null
    const key = await findKeyInForce(databases[world], digestOf(bearer))
    if (key === null) return null
    if (key.unused_lately) noteUse(databases[world], key.id)
    const { id: actor, name, role, reason } = key
    return { kind: 'operator', world, actor, name, role, reason, session: null }
  }
}

/** The request does not wait for this write. If it fails, only the time of the last use is not recorded. */
function noteUse(db: WorldDatabase, id: Id<'operatorKey'>): void {
  touchKey(db, id).catch(() => {})
}

const LOOK_AGAIN_MS = 1_000

/**
 * Whether a digest (SHA-256, hex) belongs to an operator key, valid or revoked. There are few keys, so all digests are cached and
 * read again at most once a second, no matter how many guesses arrive.
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

export type WantedKey = {
  readonly world: World
  readonly name: string
  /** If omitted, the key gets the role `admin`, like the keys from before roles existed. */
  readonly role?: PlatformRole
  /** The key expires after this many days. If omitted, it never expires. */
  readonly days?: number | null
  /**
   * The reason that is recorded for requests with this key that send no reason. If omitted, a request to a route that
   * requires a reason must send one.
   */
  readonly reason?: string | null
}

/** The longest lifetime that can be set, about ten years. A key that is needed for longer is created without an expiry. */
export const KEY_DAYS_MAX = 3_650

/** Only the result contains the key itself. */
export async function createOperatorKey(
  tx: PlatformTx,
  { world, name, role = 'admin', days = null, reason = null }: WantedKey,
  actor: string,
): Promise<MadeKey> {
  if (!LINE.test(name) || [...name].length > NAME_CHARS_MAX) {
    const message = `must be one line of 1 to ${NAME_CHARS_MAX} visible characters`
    throw validationError([{ field: 'name', code: 'invalid_format', message }])
  }
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= KEY_DAYS_MAX)) {
    const message = `must be a whole number from 1 to ${KEY_DAYS_MAX}`
    throw validationError([{ field: 'days', code: 'out_of_range', message }])
  }
  const mistake = reason === null ? null : reasonMistake(reason)
  if (mistake !== null) throw validationError([{ field: 'reason', ...mistake }])
  const id = newId('operatorKey')
  const key = newSecret('ok', world)
  const expires_at = await insertKey(tx, { id, world, name, hash: digestOf(key), role, reason, days })
  const details = { world, name, role, ...(expires_at === null ? {} : { expires_at }) }
  await recordAudit(tx, { actor, action: 'operator_key.created', subject: id, details })
  return { id, key }
}

/** Final. Takes effect with the next request. A revoked key can only be replaced by a new one. */
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
