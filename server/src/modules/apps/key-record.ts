import { type Static, Type } from 'typebox'
import type { ClientId } from '#kernel/client-id.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS } from '#kernel/world.ts'
import { Exactly, OneOf, OrNull, Resource, Time } from '#modules/organizations/http.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { CLIENT_TYPES, KEY_STATES } from './client.ts'
import { type AppKey, findKey } from './key-store.ts'
import type { KeyPlace } from './keys.ts'
import { type KeySecret, secretsInForce } from './secret-store.ts'

export const KeyId = Type.Unsafe<ClientId>(Type.String({ pattern: '^pk_(test|live)_[0-9A-Za-z]{24}$' }))

export const KeyRecord = Resource(
  { id: KeyId, type: 'app_key', title: 'AppKey' },
  {
    name: Type.String(),
    mode: OneOf(WORLDS),
    client_type: OneOf(CLIENT_TYPES),
    redirect_uris: Type.Array(Type.String()),
    status: OneOf(KEY_STATES),
    secrets: Type.Array(Exactly({ created_at: Time, expires_at: OrNull(Time) }), {
      description: 'The secrets in force, oldest first; none of a public key. What they are is not kept.',
    }),
    created_at: Time,
    revoked_at: OrNull(Time),
  },
)

/** What creates or replaces a secret shows it this once. */
export const KeyAnswer = Exactly({
  data: KeyRecord,
  client_secret: OrNull(Type.String({ description: 'Shown in this answer alone.' })),
})

function keyRecord(key: AppKey, secrets: readonly KeySecret[]): Static<typeof KeyRecord> {
  const { id, name, world: mode, client_type, redirect_uris, state: status, created_at, revoked_at } = key
  const own = secrets.filter(({ key_id }) => key_id === id)
  return {
    id,
    type: 'app_key',
    attributes: {
      ...{ name, mode, client_type, redirect_uris: [...redirect_uris], status, created_at, revoked_at },
      secrets: own.map(({ created_at, expires_at }) => ({ created_at, expires_at })),
    },
  }
}

export async function showKeys(queries: PlatformQueries, keys: readonly AppKey[]) {
  const secrets = await secretsInForce(
    queries,
    keys.map(({ id }) => id),
  )
  return keys.map((key) => keyRecord(key, secrets))
}

export async function showKey(queries: PlatformQueries, { app, key: id }: Pick<KeyPlace, 'app' | 'key'>) {
  const key = await findKey(queries, app, id)
  if (key === null) throw notFound(`app ${app} has no key ${id}`)
  return keyRecord(key, await secretsInForce(queries, [id]))
}
