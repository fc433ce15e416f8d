import { isDeepStrictEqual } from 'node:util'
import { type AuditEntry, recordAudit } from '#access/audit/index.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type ClientId, newClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { NotifyAppTeam } from './app.ts'
import {
  type AppKey,
  countKeys,
  dropSecrets,
  findKey,
  insertKey,
  insertSecret,
  type KeyTexts,
  letRunOut,
  revokeKeyRow,
  takeExpiringSecrets,
  updateKeyRow,
} from './key-store.ts'
import { EDITORS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { rejectRedirectUris } from './redirect-uri.ts'

/** The maximum per app and world. Revoked keys do not count. */
export const KEYS_MAX = 20

/** The secret is returned only here. Null for a public key, which has no secret, and for a change that creates no secret. */
export type KeyWithSecret = { readonly id: ClientId; readonly secret: string | null }

export type NewAppKey = KeyTexts & { readonly world: World }

export async function createKey(tx: PlatformTx, seat: Seat, key: NewAppKey): Promise<KeyWithSecret> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'create_key')
  rejectRedirectUris(key.redirect_uris)
  if ((await countKeys(tx, app.id, key.world)) >= KEYS_MAX) throw tooMany(key.world)
  const id = newClientId(key.world)
  await insertKey(tx, { ...key, id, app_id: app.id })
  const secret = key.client_type === 'public' ? null : await giveSecret(tx, { id, world: key.world })
  const { world, name, client_type } = key
  await audit(tx, seat, 'app.key_created', { key: id, mode: world, name, client_type, ...urisIn(key) })
  return { id, secret }
}

export type KeyChange = Partial<KeyTexts>

/**
 * "Redirect URI and client type of a key can be changed from the app page." A key that becomes public loses its secrets, because a
 * public client cannot keep a secret; a key that becomes confidential gets a secret.
 */
export async function updateKey(tx: PlatformTx, place: KeyPlace, change: KeyChange): Promise<KeyWithSecret> {
  const before = await lockKey(tx, place, 'update_key')
  if (change.redirect_uris !== undefined) rejectRedirectUris(change.redirect_uris)
  const after: AppKey = { ...before, ...change }
  if (isDeepStrictEqual(after, before)) return { id: before.id, secret: null }
  await updateKeyRow(tx, after)
  const { name, client_type } = after
  await audit(tx, place, 'app.key_updated', { key: before.id, name, client_type, ...urisIn(after) })
  if (after.client_type === before.client_type) return { id: before.id, secret: null }
  await dropSecrets(tx, before.id)
  return { id: before.id, secret: after.client_type === 'public' ? null : await giveSecret(tx, before) }
}

/** Final. The key's tokens stop working too, because every token check reads the key. */
export async function revokeKey(tx: PlatformTx, place: KeyPlace): Promise<void> {
  const key = await lockKey(tx, place, 'revoke_key')
  await revokeKeyRow(tx, key.app_id, key.id)
  await dropSecrets(tx, key.id)
  await audit(tx, place, 'app.key_revoked', { key: key.id })
}

/** How long a replaced client secret still works if the request does not set `overlap_seconds`: a day. 0 ends it at once. */
export const OVERLAP_SECONDS_DEFAULT = 86_400
export const OVERLAP_SECONDS_MAX = 604_800

/**
 * The current secret keeps working for `overlapSeconds`, so that the app can run until its team has rolled out the new secret. At most two
 * secrets of a key work at a time.
 */
export async function rotateSecret(tx: PlatformTx, place: KeyPlace, overlapSeconds: number): Promise<KeyWithSecret> {
  const key = await lockKey(tx, place, 'rotate_secret')
  if (key.client_type === 'public') throw hasNoSecret()
  if (overlapSeconds === 0) await dropSecrets(tx, key.id)
  else await letRunOut(tx, key.id, overlapSeconds)
  const secret = await giveSecret(tx, key)
  await audit(tx, place, 'app.secret_rotated', { key: key.id, overlap_seconds: overlapSeconds })
  return { id: key.id, secret }
}

export type KeyPlace = Seat & { readonly key: ClientId }

/** Long enough for a person to roll out the new secret within a working day. */
export const NOTICE_HOURS_BEFORE_EXPIRY = 12

/** Notifies the teams whose replaced client secrets will end soon, once for each secret. Returns the number of secrets. */
export async function noticeExpiringSecrets(tx: PlatformTx, limit: number, notify: NotifyAppTeam): Promise<number> {
  const secrets = await takeExpiringSecrets(tx, NOTICE_HOURS_BEFORE_EXPIRY, limit)
  for (const { app, world, key, name, expires_at: expiresAt } of secrets) {
    await notify(tx, { kind: 'app_key.secret_expiring', app, world, key, name, expiresAt })
  }
  return secrets.length
}

/** Locks the app, then reads the key. Rejects a revoked key and a key of an ended organization, because both states are final. */
async function lockKey(tx: PlatformTx, place: KeyPlace, event: string): Promise<AppKey> {
  await requireTeam(tx, place, EDITORS)
  const app = await lockLiveApp(tx, place.app, event)
  const key = await findKey(tx, app.id, place.key)
  if (key === null) throw notFound(`app ${app.id} has no key ${place.key}`)
  if (key.state === 'revoked') throw alreadyRevoked(event)
  return key
}

async function giveSecret(tx: PlatformTx, { id, world }: Pick<AppKey, 'id' | 'world'>): Promise<string> {
  const secret = newSecret('sk', world)
  await insertSecret(tx, id, digestOf(secret))
  return secret
}

async function audit(tx: PlatformTx, seat: Seat, action: string, details: NonNullable<AuditEntry['details']>) {
  await recordAudit(tx, { actor: seat.account, action, subject: seat.app, details })
}

/** Shortens each URI, because a history entry has a maximum length. */
function urisIn({ redirect_uris }: Pick<AppKey, 'redirect_uris'>) {
  return { redirect_uris: redirect_uris.map((uri) => uri.slice(0, 200)) }
}

function tooMany(world: World): ApiError {
  return new ApiError('forbidden', {
    public: `This app has ${KEYS_MAX} ${world} keys, which is as many as it can have.`,
    remediation: 'Revoke one that is not used any more.',
  })
}

function alreadyRevoked(event: string): ApiError {
  return new ApiError('illegal_transition', {
    public: 'This key is revoked, which is final.',
    remediation: 'Create another key.',
    details: { from: 'revoked', event, allowed: [] },
  })
}

function hasNoSecret(): ApiError {
  return new ApiError('illegal_transition', {
    public: 'A public key has no secret.',
    remediation: 'Change the client type of the key to confidential. The key then gets a secret.',
    details: { from: 'public', event: 'rotate_secret', allowed: [] },
  })
}
