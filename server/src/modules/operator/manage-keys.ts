import { ApiError, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { findKey, insertKey, revokeKey } from './store.ts'

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
