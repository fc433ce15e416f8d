import { type Static, Type } from 'typebox'
import { Resource, Time } from '#access/organizations/http.ts'
import { pageQuery } from '#http/pagination.ts'
import { exactly, idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import { VERSIONS } from '#http/versions.ts'
import { notFound } from '#kernel/errors.ts'
import type { ClientId } from '#kernel/ids.ts'
import { PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { CLIENT_TYPES, KEY_STATES, PROGRAM_NAMES, type ProgramTier } from './app.ts'
import { type AppKey, findKey, type KeySecret, secretsInForce } from './key-store.ts'
import { type KeyPlace, OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './keys.ts'
import { REDIRECT_URI_CHARS_MAX, REDIRECT_URIS_MAX } from './redirect-uri.ts'

const KeyId = Type.Unsafe<ClientId>(Type.String({ pattern: '^pk_(test|live)_[0-9A-Za-z]{24}$' }))

export const KeyRecord = Resource(
  { id: KeyId, type: 'app_key', title: 'AppKey' },
  {
    name: Type.String(),
    mode: oneOf(WORLDS),
    client_type: oneOf(CLIENT_TYPES),
    redirect_uris: Type.Array(Type.String()),
    status: oneOf(KEY_STATES),
    secrets: Type.Array(exactly({ created_at: Time, expires_at: nullable(Time) }), {
      description: 'The times of the secrets in force, oldest first. Empty for a public key. Only digests are stored.',
    }),
    created_at: Time,
    revoked_at: nullable(Time),
  },
)

/** The response of a request that may create a secret. No other response shows the secret. */
export const KeyResponse = exactly({
  data: KeyRecord,
  client_secret: nullable(Type.String({ description: 'Shown only in this response. Null if no secret was created.' })),
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

export const AppParam = exactly({ app_id: idOf('app') })
/** The name that the person typed to confirm. The schema accepts any text, because the text is only compared with the app's name. */
export const AppDeletionBody = exactly({
  name: Type.String({ maxLength: 200, description: 'The app’s name, exactly as it is.' }),
})
export const KeyParam = exactly({ app_id: idOf('app'), key_id: KeyId })

export const AppsQuery = exactly({ organization_id: Type.Optional(idOf('organization')), ...pageQuery() })
export const PageOnly = exactly({ ...pageQuery() })

const NAME_CHARS_MAX = 80
const Url = Type.String({ minLength: 1, maxLength: 2_000 })
const Description = Type.String({ minLength: 1, maxLength: 1_000, pattern: PARAGRAPHS_PATTERN })

const optionalTexts = {
  description: Type.Optional(nullable(Description)),
  website_url: Type.Optional(nullable(Url)),
  setup_url: Type.Optional(nullable(Url)),
}

/** The schema accepts any names: the scope rules check them and report what is wrong with each of them. */
export const ScopeList = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })

export const NewAppBody = exactly(
  {
    organization_id: idOf('organization'),
    name: line(NAME_CHARS_MAX),
    ...optionalTexts,
    scopes: Type.Optional(ScopeList),
    accepted_conditions: Type.String({
      maxLength: 20,
      description: 'The version of the usage conditions that you have read and accept for this app.',
    }),
  },
  'NewApp',
)

export const AppChangeBody = exactly(
  { name: Type.Optional(line(NAME_CHARS_MAX)), ...optionalTexts, api_version: Type.Optional(oneOf(VERSIONS)) },
  'AppChange',
)

const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: REDIRECT_URI_CHARS_MAX }), {
  maxItems: REDIRECT_URIS_MAX,
  description:
    'https on any host, http on loopback (the port may then differ), or a private-use scheme such as com.example.app:/',
})

export const NewKeyBody = exactly(
  {
    mode: oneOf(WORLDS),
    name: line(NAME_CHARS_MAX),
    client_type: oneOf(CLIENT_TYPES),
    redirect_uris: Type.Optional(RedirectUris),
  },
  'NewAppKey',
)

export const KeyChangeBody = exactly(
  {
    name: Type.Optional(line(NAME_CHARS_MAX)),
    client_type: Type.Optional(oneOf(CLIENT_TYPES)),
    redirect_uris: Type.Optional(RedirectUris),
  },
  'AppKeyChange',
)

export const RotationBody = exactly(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        description: `For how many seconds the current secret keeps working. Default ${OVERLAP_SECONDS_DEFAULT}; 0 ends it at once.`,
      }),
    ),
  },
  'SecretRotation',
)

export const ProgramBody = exactly(
  {
    program: oneOf(PROGRAM_NAMES),
    tier: Type.Optional(Type.Unsafe<ProgramTier>(Type.Integer({ minimum: 0, maximum: 1 }))),
  },
  'ProgramAtTier',
)

export const ReasonBody = exactly(
  { reason: Type.String({ minLength: 1, maxLength: 1_000, pattern: PARAGRAPHS_PATTERN }) },
  'Reason',
)
