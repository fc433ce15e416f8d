import type { ClientId } from '#kernel/client-id.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** When a secret was made and when it runs out; the secret itself is known to nobody here. */
export type KeySecret = {
  readonly key_id: ClientId
  readonly created_at: string
  readonly expires_at: string | null
}

const IN_FORCE = platformStatement<KeySecret>(
  'apps.secrets_in_force',
  `select key_id, created_at, expires_at from platform.app_secrets
    where key_id = any($1) and (expires_at is null or expires_at > clock_timestamp()) order by key_id, created_at`,
)

export async function secretsInForce(queries: PlatformQueries, keys: readonly ClientId[]): Promise<KeySecret[]> {
  return queries.many(IN_FORCE, [keys])
}

const INSERT = platformStatement(
  'apps.insert_secret',
  'insert into platform.app_secrets (key_id, hash) values ($1, $2)',
)

export async function insertSecret(tx: PlatformTx, key: ClientId, hash: Buffer): Promise<void> {
  await tx.run(INSERT, [key, hash])
}

/** All but the newest, which is the one without an end. */
const DROP_OLDER = platformStatement(
  'apps.drop_older_secrets',
  'delete from platform.app_secrets where key_id = $1 and expires_at is not null',
)

const LET_RUN_OUT = platformStatement(
  'apps.let_secret_run_out',
  `update platform.app_secrets set expires_at = clock_timestamp() + make_interval(secs => $2) where key_id = $1`,
)

/** The newest becomes the older one and is in force that much longer; what was the older one is gone. */
export async function letRunOut(tx: PlatformTx, key: ClientId, overlapSeconds: number): Promise<void> {
  await tx.run(DROP_OLDER, [key])
  await tx.run(LET_RUN_OUT, [key, overlapSeconds])
}

const DROP = platformStatement('apps.drop_secrets', 'delete from platform.app_secrets where key_id = $1')

export async function dropSecrets(tx: PlatformTx, key: ClientId): Promise<void> {
  await tx.run(DROP, [key])
}
