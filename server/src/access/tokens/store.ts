import { enterGate, type KeyState, type Presented, tryGate } from '#access/apps/index.ts'
import { PUBLIC_SCOPE, withoutPublic } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered-statements.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'
import type { CheckedToken } from './check-tokens.ts'
import { LIFETIME_SECONDS } from './issued-token.ts'

/**
 * Bulk revocations run on a world's connection, with bare table names, and on the platform's connection, with schema names. Rows are locked
 * in key order before they change, so that concurrent revocations do not deadlock. Expired tokens and families are not changed or counted.
 * They stay expired, because a world's time only moves forward.
 */
export type Schema = '' | `${World}.`

const unexpired = (schema: Schema) => `(x.expires_at is null or x.expires_at > ${schema}world_now())`

export const codesText = (schema: Schema, which: string) => `
  update ${schema}authorization_codes d set revoked_at = clock_timestamp()
    from (select x.hash from ${schema}authorization_codes x
           where x.revoked_at is null and ${which} order by x.hash for update) theirs
   where d.hash = theirs.hash`

export const familiesText = (schema: Schema, which: string) => `
  update ${schema}refresh_families f set revoked_at = clock_timestamp(), answer = null
    from (select x.id from ${schema}refresh_families x
           where x.revoked_at is null and ${unexpired(schema)} and ${which} order by x.id for update) theirs
   where f.id = theirs.id`

export const tokensText = (schema: Schema, which: string) => `
  update ${schema}access_tokens t set revoked_at = clock_timestamp()
    from (select x.hash from ${schema}access_tokens x
           where x.revoked_at is null and ${unexpired(schema)} and ${which} order by x.hash for update) theirs
   where t.hash = theirs.hash`

type Carrying = {
  readonly app: Id<'app'>
  readonly allowed: readonly string[]
  /** The allowed scopes of a default grant. */
  readonly allowedByDefault: readonly string[]
  readonly removed: readonly string[]
}

const CARRIES = `x.app_id = $1
  and (x.scopes && $4 or not x.scopes <@ case when x.by_default then $3::text[] else $2::text[] end)`

const statements = (world: World) => ({
  codes: platformStatement(`tokens.revoke_codes_beyond_${world}`, codesText(`${world}.`, CARRIES)),
  families: platformStatement(`tokens.revoke_families_beyond_${world}`, familiesText(`${world}.`, CARRIES)),
  tokens: platformStatement(`tokens.revoke_tokens_beyond_${world}`, tokensText(`${world}.`, CARRIES)),
})

const EXCEEDING = { test: statements('test'), live: statements('live') }

type Kind = 'codes' | 'families' | 'tokens'

/** Revokes the rows of this kind that have a scope that is not allowed, and returns their number. */
export async function revokeCarrying(
  tx: PlatformTx,
  { world, kind }: { readonly world: World; readonly kind: Kind },
  { app, allowed, allowedByDefault, removed }: Carrying,
): Promise<number> {
  return tx.run(EXCEEDING[world][kind], [app, allowed, allowedByDefault, removed])
}

export type TokenCounts = { readonly valid: number; readonly stopping: number }

/** `stopping` counts the rows that `revokeCarrying` would revoke, and those of the installations that would end ($5). */
const countText = (table: string, schema: Schema) => `
  select count(*)::int as valid, count(*) filter (where ${CARRIES} or x.installation_id = any($5))::int as stopping
    from ${schema}${table} x where x.app_id = $1 and x.revoked_at is null and ${unexpired(schema)}`

const counts = (world: World) => ({
  families: platformStatement<TokenCounts>(
    `tokens.count_families_${world}`,
    countText('refresh_families', `${world}.`),
  ),
  tokens: platformStatement<TokenCounts>(`tokens.count_tokens_${world}`, countText('access_tokens', `${world}.`)),
})

const COUNTS = { test: counts('test'), live: counts('live') }

export async function countCarrying(
  queries: PlatformQueries,
  { world, kind }: { readonly world: World; readonly kind: Exclude<Kind, 'codes'> },
  { app, allowed, allowedByDefault, removed, ending }: Carrying & { readonly ending: readonly Id<'installation'>[] },
): Promise<TokenCounts> {
  return queries.one(COUNTS[world][kind], [app, allowed, allowedByDefault, removed, ending])
}

const COUNT_OF = statement<{ count: number }>(
  'tokens.count_of_installation',
  `select count(*)::int as count from access_tokens x
    where x.installation_id = $1 and x.revoked_at is null and ${unexpired('')}`,
)

/** The access tokens of an installation that are neither revoked nor expired. */
export async function countTokensOf(queries: WorldQueries, id: Id<'installation'>): Promise<number> {
  return (await queries.one(COUNT_OF, [id])).count
}

/**
 * A token that a server key minted becomes invalid with the secret that minted it: when the secret has expired after a rotation, or is
 * deleted.
 */
const SECRET_ENDED = `(t.minted_with is not null and not exists (
                     select from platform.app_secrets s where s.key_id = t.key_id and s.hash = t.minted_with
                        and (s.expires_at is null or s.expires_at > clock_timestamp())))`

/**
 * Runs before every request with an access token of an app. Reads two rows by primary key, the one row of the clock, the few holders
 * whose account is disabled, and the minting secret if there is one. It checks several tokens at once. Each of them is looked up
 * separately, so the plan does not depend on their number.
 */
const CHECK = shortStatement<CheckedToken & { place: number }>(
  'tokens.check',
  `select asked.place::int as place, t.kind, t.key_id as "keyId", t.app_id as "appId", t.user_id as "userId",
          t.installation_id as "installationId", t.scopes, t.generation, t.expires_at as "expiresAt", t.revoked,
          t.key_state as "keyState", t.key_generation as "keyGeneration", t.api_version as "apiVersion",
          t.holder_disabled as "holderDisabled",
          clock_timestamp() + c.ahead as now
     from world_clock c cross join unnest($1::bytea[]) with ordinality as asked (hash, place) cross join lateral (
            select t.kind, t.key_id, t.app_id, t.user_id, t.installation_id, t.scopes, t.generation, t.expires_at,
                   t.revoked_at is not null or ${SECRET_ENDED} as revoked, k.state as key_state,
                   k.generation as key_generation, k.api_version,
                   exists (select from disabled_holders h
                            where h.holder_id = coalesce(t.user_id, t.installation_id)) as holder_disabled
              from access_tokens t join platform.app_keys k on k.id = t.key_id
             where t.hash = asked.hash limit 1) t`,
)

/** Takes SHA-256 digests in hex and returns one result for each. */
export async function findTokens(
  db: WorldDatabase,
  digests: readonly string[],
): Promise<readonly (CheckedToken | null)[]> {
  const found: (CheckedToken | null)[] = digests.map(() => null)
  const tokens = await db.short(CHECK, [digests.map((hex) => `\\x${hex}`)])
  for (const token of tokens) found[token.place - 1] = token
  return found
}

type CheckedKey = { readonly appId: Id<'app'>; readonly state: KeyState; readonly apiVersion: string }

const CHECK_KEY = shortStatement<CheckedKey>(
  'tokens.check_key',
  `select app_id as "appId", state, api_version as "apiVersion" from platform.app_keys where id = $1 and world = $2`,
)

export async function findKey(db: WorldDatabase, id: ClientId): Promise<CheckedKey | null> {
  const [key] = await db.short(CHECK_KEY, [id, db.world])
  return key ?? null
}

export type Described = {
  readonly kind: 'client' | 'user' | 'installation'
  readonly userId: Id<'user'> | null
  readonly installationId: Id<'installation'> | null
  readonly scopes: readonly string[]
  /** Both times are Unix seconds of wall time. If the sandbox clock is ahead, the token expires that much earlier. */
  readonly createdAt: number
  readonly expiresAt: number | null
}

const EPOCH = (time: string) => `floor(extract(epoch from ${time}))::float8`

const ACCESS = shortStatement<Described>(
  'tokens.introspect_access',
  `select t.kind, t.user_id as "userId", t.installation_id as "installationId",
          case when t.echo_public then array_prepend('read:public', t.scopes) else t.scopes end as scopes,
          ${EPOCH('t.created_at')} as "createdAt", ${EPOCH('t.expires_at - c.ahead')} as "expiresAt"
     from access_tokens t join platform.app_keys k on k.id = t.key_id cross join world_clock c
    where t.hash = $1 and t.key_id = $2 and t.revoked_at is null
      and not exists (select from disabled_holders h where h.holder_id = coalesce(t.user_id, t.installation_id))
      and k.state = 'active' and k.generation = t.generation
      and (t.minted_with is null or exists (
        select from platform.app_secrets s where s.key_id = t.key_id and s.hash = t.minted_with
           and (s.expires_at is null or s.expires_at > clock_timestamp())))
      and (t.expires_at is null or t.expires_at > clock_timestamp() + c.ahead)`,
)

const REFRESH = shortStatement<Described>(
  'tokens.introspect_refresh',
  `select 'user' as kind, f.user_id as "userId", f.installation_id as "installationId",
          case when f.echo_public then array_prepend('read:public', f.scopes) else f.scopes end as scopes,
          ${EPOCH('f.created_at')} as "createdAt", ${EPOCH('f.expires_at - c.ahead')} as "expiresAt"
     from refresh_families f join platform.app_keys k on k.id = f.key_id cross join world_clock c
    where f.name_hash = $1 and f.head_hash = $2 and f.key_id = $3 and f.revoked_at is null
      and not exists (select from disabled_holders h where h.holder_id = f.user_id)
      and k.state = 'active' and k.generation = f.generation and f.expires_at > clock_timestamp() + c.ahead`,
)

export async function describeAccess(db: WorldDatabase, hash: Buffer, keyId: string): Promise<Described | null> {
  const [token] = await db.short(ACCESS, [hash, keyId])
  return token ?? null
}

type RefreshHashes = { readonly nameHash: Buffer; readonly hash: Buffer }

export async function describeRefresh(
  db: WorldDatabase,
  { nameHash, hash }: RefreshHashes,
  keyId: string,
): Promise<Described | null> {
  const [family] = await db.short(REFRESH, [nameHash, hash, keyId])
  return family ?? null
}

/** Updates rows in the order of their ids, so that two processes that record the same installations do not deadlock. */
const RECORD = statement(
  'tokens.record_uses',
  `insert into installation_uses as known (installation_id, used_at)
   select id, clock_timestamp() from unnest($1::text[]) as used (id) order by id
   on conflict on constraint installation_uses_pkey do update set used_at = excluded.used_at
    where known.used_at < excluded.used_at - interval '50 minutes'`,
)

/** Several processes may record the same installation; within 50 minutes, only the first of them changes its row. */
export async function recordUses(db: WorldDatabase, ids: readonly Id<'installation'>[]): Promise<void> {
  await db.reads.run(RECORD, [ids])
}

const FIND = statement<{ id: Id<'installation'>; usedAt: string }>(
  'tokens.find_uses',
  'select installation_id as id, used_at as "usedAt" from installation_uses where installation_id = any($1)',
)

/** When each installation's tokens were last used, to the hour. Installations without a recorded use are omitted. */
export async function lastUses(
  queries: WorldQueries,
  ids: readonly Id<'installation'>[],
): Promise<ReadonlyMap<Id<'installation'>, string>> {
  const found = ids.length === 0 ? [] : await queries.many(FIND, [ids])
  return new Map(found.map(({ id, usedAt }) => [id, usedAt]))
}

type ClientTokenRow = {
  readonly hexHash: string
  readonly client: Presented
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/**
 * Issues client-credentials tokens for many requests in one statement, which commits by itself. Skips an app that another transaction
 * is changing: the app's gate (access/apps/store.ts) is closed, or its row is locked. So no request waits for the change of another app.
 * ISSUE_CLIENT issues the tokens of the skipped apps. `for share` reads the newest version of the row and compares its revision again.
 */
const ISSUE_CLIENTS = statement<{ readonly issued: string | null }>(
  'tokens.issue_clients',
  `with asked as materialized (
     select hash, key_id, app_id, scopes, by_default, echo_public, generation, revision
       from json_to_recordset($1) as (hash text, key_id text, app_id text, scopes text[], by_default boolean,
                                      echo_public boolean, generation integer, revision bigint)
   ), entered as materialized (
     select app_id from (select distinct app_id from asked) app where ${tryGate('app_id')}
   ), issued as (
     insert into access_tokens (hash, kind, key_id, app_id, scopes, by_default, echo_public, generation, expires_at)
     select decode(w.hash, 'hex'), 'client', w.key_id, a.id, w.scopes, w.by_default, w.echo_public, w.generation,
            clock_timestamp() + c.ahead + make_interval(secs => $2)
       from entered e
       join platform.apps a on a.id = e.app_id
       join asked w on w.app_id = a.id and w.revision = a.revision
      cross join world_clock c
      where a.state = 'active'
        for share of a skip locked
     returning hash, created_at
   )
   select json_object_agg(encode(hash, 'hex'), floor(extract(epoch from created_at))) as issued from issued`,
)

const LIMITS = { rowsMax: 64, statementsMax: 2 }

/** Returns the creation time in Unix seconds. Null if the app has changed since the client was looked up. */
export const issueUnchanged = gathered<ClientTokenRow, number | null>(LIMITS, async (db, rows) => {
  const requests = rows.map(({ hexHash, client, scopes, byDefault }) => ({
    hash: hexHash,
    key_id: client.keyId,
    app_id: client.appId,
    scopes: withoutPublic(scopes),
    by_default: byDefault,
    echo_public: scopes.includes(PUBLIC_SCOPE),
    generation: client.generation,
    revision: client.revision,
  }))
  const response = await db.reads.one(ISSUE_CLIENTS, [JSON.stringify(requests), LIFETIME_SECONDS.client])
  const issued: Readonly<Record<string, number>> = JSON.parse(response.issued ?? '{}')
  return rows.map((row) => issued[row.hexHash] ?? issueInTurn(db, row))
})

/**
 * Like ISSUE_CLIENTS, for one request whose app is being changed or has changed: the statement waits at the app's gate for the change. If
 * the revision differs afterwards, it writes no row, because the caller's checks no longer hold. It does not run on the shared connection,
 * because its wait would block every other request there.
 */
const ISSUE_CLIENT = statement<{ readonly createdAt: number }>(
  'tokens.issue_client',
  `insert into access_tokens (hash, kind, key_id, app_id, scopes, by_default, generation, expires_at, echo_public)
   select decode($1, 'hex'), 'client', $2, a.id, $3, $4, $5, clock_timestamp() + c.ahead + make_interval(secs => $6), $9
     from (select ${enterGate('$7')} offset 0) entered cross join platform.apps a cross join world_clock c
    where a.id = $7 and a.revision = $8 and a.state = 'active'
      for share of a
   returning floor(extract(epoch from created_at))::float8 as "createdAt"`,
)

async function issueInTurn(db: WorldDatabase, row: ClientTokenRow): Promise<number | null> {
  const { hexHash, scopes, byDefault } = row
  const { keyId, appId, generation, revision } = row.client
  const issued = await db.reads.maybeOne(ISSUE_CLIENT, [
    ...[hexHash, keyId, withoutPublic(scopes), byDefault, generation],
    ...[LIFETIME_SECONDS.client, appId, revision, scopes.includes(PUBLIC_SCOPE)],
  ])
  return issued?.createdAt ?? null
}

/** Tokens that have neither expired nor been revoked, whatever the state of their app. */
const IN_FORCE = inEach((world) =>
  platformStatement<TokensInForce>(
    `tokens.count_of_apps_${world}`,
    `select (select count(*)::int from ${world}.access_tokens x
              where x.app_id = any($1) and x.revoked_at is null and ${unexpired(`${world}.`)}) as access,
            (select count(*)::int from ${world}.refresh_families x
              where x.app_id = any($1) and x.revoked_at is null and ${unexpired(`${world}.`)}) as refresh`,
  ),
)

type TokensInForce = { readonly access: number; readonly refresh: number }

export async function countTokensOfApps(queries: PlatformQueries, world: World, apps: readonly Id<'app'>[]) {
  return queries.one(IN_FORCE[world], [apps])
}
