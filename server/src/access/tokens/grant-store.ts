import { enterGate, type Presented, tryGate } from '#access/apps/index.ts'
import { PUBLIC_SCOPE, withoutPublic, withPublic } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered-statements.ts'
import { statement } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'
import { LIFETIME_SECONDS, REPEAT_SECONDS } from './issued-token.ts'
import type { Family } from './judge-tokens.ts'

export type CodeRow = {
  readonly hash: Buffer
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
}

const INSERT = statement(
  'tokens.insert_code',
  `insert into authorization_codes
     (hash, key_id, app_id, user_id, installation_id, redirect_uri, code_challenge, scopes, by_default, generation,
      expires_at, echo_public)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + c.ahead + make_interval(secs => $11), $12
     from world_clock c`,
)

export async function insertCodeRow(tx: Tx, code: CodeRow): Promise<void> {
  const { hash, keyId, appId, userId, installationId, redirectUri, codeChallenge, scopes, byDefault, generation } = code
  await tx.run(INSERT, [
    ...[hash, keyId, appId, userId, installationId, redirectUri, codeChallenge],
    ...[withoutPublic(scopes), byDefault, generation, LIFETIME_SECONDS.code, scopes.includes(PUBLIC_SCOPE)],
  ])
}

export type StoredCode = Omit<CodeRow, 'hash'> & {
  readonly consumed: boolean
  readonly revoked: boolean
  readonly expired: boolean
  /** The refresh family that was issued when it was consumed. */
  readonly familyId: string | null
}

const FIND = statement<StoredCode & { readonly echoPublic: boolean }>(
  'tokens.find_code',
  `select d.key_id as "keyId", d.app_id as "appId", d.user_id as "userId", d.installation_id as "installationId",
          d.redirect_uri as "redirectUri", d.code_challenge as "codeChallenge", d.scopes, d.by_default as "byDefault",
          d.echo_public as "echoPublic",
          d.generation, d.consumed_at is not null as consumed, d.revoked_at is not null as revoked,
          d.expires_at <= clock_timestamp() + c.ahead as expired, d.family_id::text as "familyId"
     from authorization_codes d cross join world_clock c
    where d.hash = $1`,
)

export async function findCode(tx: Tx, hash: Buffer): Promise<StoredCode | null> {
  const found = await tx.maybeOne(FIND, [hash])
  if (found === null) return null
  const { echoPublic, ...code } = found
  return { ...code, scopes: withPublic(code.scopes, echoPublic) }
}

/** Of two concurrent requests one updates the row; the other waits and then finds it consumed. */
const CONSUME = statement<{ hash: Buffer }>(
  'tokens.consume_code',
  `update authorization_codes d set consumed_at = clock_timestamp()
    where d.hash = $1 and d.consumed_at is null and d.revoked_at is null
      and d.expires_at > ${worldTime('')}
   returning d.hash`,
)

/** False if the code was consumed, revoked or expired. */
export async function consumeCode(tx: Tx, hash: Buffer): Promise<boolean> {
  return (await tx.maybeOne(CONSUME, [hash])) !== null
}

const GAVE = statement('tokens.code_gave', 'update authorization_codes set family_id = $2 where hash = $1')

export async function recordCodeFamily(tx: Tx, hash: Buffer, familyId: string): Promise<void> {
  await tx.run(GAVE, [hash, familyId])
}

type NewFamily = {
  readonly nameHash: Buffer
  readonly headHash: Buffer
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
}

const FAMILY_INSERT = statement<{ id: string }>(
  'tokens.insert_family',
  `insert into refresh_families
     (name_hash, head_hash, key_id, app_id, user_id, installation_id, scopes, by_default, generation, expires_at,
      echo_public)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + c.ahead + make_interval(secs => $10), $11
     from world_clock c
   returning id::text`,
)

export async function insertFamily(tx: Tx, family: NewFamily): Promise<string> {
  const { nameHash, headHash, keyId, appId, userId, installationId, scopes, byDefault, generation } = family
  const row = await tx.one(FAMILY_INSERT, [
    ...[nameHash, headHash, keyId, appId, userId, installationId],
    ...[withoutPublic(scopes), byDefault, generation, LIFETIME_SECONDS.refresh, scopes.includes(PUBLIC_SCOPE)],
  ])
  return row.id
}

type FamilyName = { readonly id: string; readonly installationId: Id<'installation'> }

const FAMILY_FIND = statement<FamilyName>(
  'tokens.find_family',
  'select id::text, installation_id as "installationId" from refresh_families where name_hash = $1',
)

/** Without a lock: the result says which rows must be locked first. */
export async function findFamily(tx: Tx, nameHash: Buffer): Promise<FamilyName | null> {
  return tx.maybeOne(FAMILY_FIND, [nameHash])
}

const LOCK = statement<Family & { readonly echoPublic: boolean }>(
  'tokens.lock_family',
  `select f.id::text, f.key_id as "keyId", f.app_id as "appId", f.user_id as "userId",
          f.installation_id as "installationId", f.head_hash as "headHash", f.previous_hash as "previousHash",
          f.rotated_at > clock_timestamp() - make_interval(secs => $2) as "rotatedJustNow", f.answer, f.scopes,
          f.by_default as "byDefault", f.echo_public as "echoPublic", f.generation, f.revoked_at is not null as revoked,
          f.expires_at <= ${worldTime('')} as expired
     from refresh_families f
    where f.id = $1
      for update`,
)

/** One statement locks and reads: after a wait PostgreSQL returns the changed row. */
export async function lockFamily(tx: Tx, id: string): Promise<Family | null> {
  const found = await tx.maybeOne(LOCK, [id, REPEAT_SECONDS])
  if (found === null) return null
  const { echoPublic, ...family } = found
  return { ...family, scopes: withPublic(family.scopes, echoPublic) }
}

const ROTATE = statement<{ id: string }>(
  'tokens.rotate_family',
  `update refresh_families f
      set previous_hash = f.head_hash, head_hash = $3, answer = $4, rotated_at = clock_timestamp(),
          expires_at = ${worldTime('')} + make_interval(secs => $5)
    where f.id = $1 and f.head_hash = $2 and f.revoked_at is null
   returning f.id::text`,
)

type Rotation = {
  readonly id: string
  readonly from: Buffer
  readonly to: Buffer
  readonly answer: Buffer
}

/** One conditional statement decides which request rotates; false for all others. */
export async function rotateHead(tx: Tx, { id, from, to, answer }: Rotation): Promise<boolean> {
  return (await tx.maybeOne(ROTATE, [id, from, to, answer, LIFETIME_SECONDS.refresh])) !== null
}

type ClientTokenRow = {
  readonly hexHash: string
  readonly client: Presented
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/**
 * Issues client-credentials tokens for many requests in one statement, which commits by itself. Apps that another transaction
 * is changing are skipped (a closed gate, a locked row), so that no request waits for another app's change; ISSUE_CLIENT serves
 * those. `for share` reads the newest version of the row and compares its revision again.
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

/** The creation time in Unix seconds; null if the app has changed since the client was looked up. */
export const issueUnchanged = gathered<ClientTokenRow, number | null>(LIMITS, async (db, rows) => {
  const asked = rows.map(({ hexHash, client, scopes, byDefault }) => ({
    hash: hexHash,
    key_id: client.keyId,
    app_id: client.appId,
    scopes: withoutPublic(scopes),
    by_default: byDefault,
    echo_public: scopes.includes(PUBLIC_SCOPE),
    generation: client.generation,
    revision: client.revision,
  }))
  const answer = await db.reads.one(ISSUE_CLIENTS, [JSON.stringify(asked), LIFETIME_SECONDS.client])
  const issued: Readonly<Record<string, number>> = JSON.parse(answer.issued ?? '{}')
  return rows.map((row) => issued[row.hexHash] ?? issueInTurn(db, row))
})

/**
 * The same for one request, whose app is being changed or has changed: it waits at the app's gate for the change. If the
 * revision differs afterwards, it writes no row, because the caller's checks no longer hold. It does not run on the shared
 * connection: the wait would block every other request there.
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
