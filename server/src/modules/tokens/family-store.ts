import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import { PUBLIC_SCOPE, withoutPublic, withPublic } from '#modules/scopes/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Family } from './judge-refresh.ts'
import { LIFETIME_SECONDS, REPEAT_SECONDS } from './lifetimes.ts'

export type NewFamily = {
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

const INSERT = statement<{ id: string }>(
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
  const row = await tx.one(INSERT, [
    ...[nameHash, headHash, keyId, appId, userId, installationId],
    ...[withoutPublic(scopes), byDefault, generation, LIFETIME_SECONDS.refresh, scopes.includes(PUBLIC_SCOPE)],
  ])
  return row.id
}

type FamilyName = { readonly id: string; readonly installationId: Id<'installation'> }

const FIND = statement<FamilyName>(
  'tokens.find_family',
  'select id::text, installation_id as "installationId" from refresh_families where name_hash = $1',
)

/** Without a lock, because it says which locks come before its own. */
export async function findFamily(tx: Tx, nameHash: Buffer): Promise<FamilyName | null> {
  return tx.maybeOne(FIND, [nameHash])
}

const LOCK = statement<Family & { readonly echoPublic: boolean }>(
  'tokens.lock_family',
  `select f.id::text, f.key_id as "keyId", f.app_id as "appId", f.user_id as "userId",
          f.installation_id as "installationId", f.head_hash as "headHash", f.previous_hash as "previousHash",
          f.rotated_at > clock_timestamp() - make_interval(secs => $2) as "rotatedJustNow", f.answer, f.scopes,
          f.by_default as "byDefault", f.echo_public as "echoPublic", f.generation, f.revoked_at is not null as revoked,
          f.expires_at <= (select clock_timestamp() + ahead from world_clock) as expired
     from refresh_families f
    where f.id = $1
      for update`,
)

/** One row, so that the lock and the look are one: after a wait PostgreSQL gives the row as it has become. */
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
          expires_at = (select clock_timestamp() + ahead from world_clock) + make_interval(secs => $5)
    where f.id = $1 and f.head_hash = $2 and f.revoked_at is null
   returning f.id::text`,
)

export type Rotation = {
  readonly id: string
  readonly from: Buffer
  readonly to: Buffer
  readonly answer: Buffer
}

/** One conditional statement decides who rotates; false for everybody else. */
export async function rotateHead(tx: Tx, { id, from, to, answer }: Rotation): Promise<boolean> {
  return (await tx.maybeOne(ROTATE, [id, from, to, answer, LIFETIME_SECONDS.refresh])) !== null
}
