import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'

export type Described = {
  readonly kind: 'client' | 'user' | 'installation'
  readonly userId: Id<'user'> | null
  readonly installationId: Id<'installation'> | null
  readonly scopes: readonly string[]
  /** Unix seconds, real time both: a sandbox that is ahead has its expiry so much earlier on the reader's clock. */
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
