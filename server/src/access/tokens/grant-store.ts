import { PUBLIC_SCOPE, withoutPublic, withPublic } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { worldTime } from '#system/postgres/world-clock.ts'
import type { Family } from './check-tokens.ts'
import { LIFETIME_SECONDS, REPEAT_SECONDS } from './issued-token.ts'

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
  /** The refresh family that was issued for the code. */
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

/** If two requests run at once, one updates the row; the other waits and then finds the code consumed. */
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

/** Reads without a lock, because the result shows which rows must be locked first. */
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

/** One statement locks and reads. If it had to wait, PostgreSQL returns the changed row. */
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

/** One conditional statement decides which request rotates the family. False for all other requests. */
export async function rotateHead(tx: Tx, { id, from, to, answer }: Rotation): Promise<boolean> {
  return (await tx.maybeOne(ROTATE, [id, from, to, answer, LIFETIME_SECONDS.refresh])) !== null
}

/** The state on which a token of an installation depends, from tables of the installations, people and accounts modules. */
export type Connection = {
  readonly active: boolean
  /** Whether the installation's user is deactivated. False if the target is a company or a syndicate. */
  readonly deactivated: boolean
  /** Whether the account of the installation's user is disabled. */
  readonly disabled: boolean
  readonly byDefault: boolean
}

/** `for share`: a concurrent revocation waits until the new token is committed and then revokes it, too. */
const LOCK_CONNECTION = statement<{ id: string }>(
  'tokens.lock_installation',
  'select id from installations where id = $1 for share',
)

const READ_CONNECTION = statement<Connection>(
  'tokens.read_installation',
  `select i.state = 'active' as active, u.deactivated_at is not null as deactivated,
          exists (select from disabled_holders h where h.holder_id = i.user_id) as disabled, i.by_default as "byDefault"
     from installations i left join users u on u.id = i.user_id
    where i.id = $1`,
)

/** Lock order: after the app, before the code or the family. Locks first, then reads in a new statement. */
export async function lockConnection(tx: Tx, id: Id<'installation'>): Promise<Connection | null> {
  if ((await tx.maybeOne(LOCK_CONNECTION, [id])) === null) return null
  return tx.maybeOne(READ_CONNECTION, [id])
}

type Issued = { readonly createdAt: number }

export type TokenRow = {
  readonly hash: Buffer
  readonly kind: 'user' | 'installation'
  readonly keyId: string
  readonly appId: string
  readonly userId: string | null
  readonly installationId: string
  readonly familyId: string | null
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
  /** Null for a token that never expires. */
  readonly lifetimeSeconds: number | null
  /** The digest of the client secret that minted the token; null if no secret did. */
  readonly mintedWith?: Buffer | null
}

const TOKEN_INSERT = statement<Issued>(
  'tokens.insert',
  `insert into access_tokens
     (hash, kind, key_id, app_id, user_id, installation_id, family_id, scopes, by_default, generation, expires_at,
      echo_public, minted_with)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + c.ahead + make_interval(secs => $11), $12, $13
     from world_clock c
   returning floor(extract(epoch from created_at))::float8 as "createdAt"`,
)

/** The caller has locked the app. */
export async function insertToken(tx: Tx, row: TokenRow): Promise<Issued> {
  const { hash, kind, keyId, appId, userId, installationId, familyId, scopes, byDefault, generation } = row
  return tx.one(TOKEN_INSERT, [
    ...[hash, kind, keyId, appId, userId, installationId, familyId],
    ...[withoutPublic(scopes), byDefault, generation, row.lifetimeSeconds],
    ...[scopes.includes(PUBLIC_SCOPE), row.mintedWith ?? null],
  ])
}

type Remaining = { readonly revoked: boolean; readonly seconds: number }

const REMAINING = statement<Remaining>(
  'tokens.remaining',
  `select t.revoked_at is not null as revoked,
          floor(extract(epoch from t.expires_at - clock_timestamp() - c.ahead))::int as seconds
     from access_tokens t cross join world_clock c
    where t.hash = $1 and t.expires_at is not null`,
)

/** The remaining time of a token that expires. Null if the purge has deleted the token. */
export async function findRemaining(tx: Tx, hash: Buffer): Promise<Remaining | null> {
  return tx.maybeOne(REMAINING, [hash])
}
