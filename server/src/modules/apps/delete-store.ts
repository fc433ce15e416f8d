import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const DELETE_TOKENS = platformStatement(
  'apps.delete_test_tokens',
  "delete from test.access_tokens where app_id = $1 and kind = 'client'",
)

const DELETE_SECRETS = platformStatement(
  'apps.delete_secrets',
  `delete from platform.app_secrets s using platform.app_keys k where k.id = s.key_id and k.app_id = $1`,
)

const DELETE_PROGRAMS = platformStatement('apps.delete_programs', 'delete from platform.app_programs where app_id = $1')
const DELETE_LOGO = platformStatement('apps.delete_logo_with_app', 'delete from platform.app_logos where app_id = $1')

/** A deleted app is a disabled one too, for everything that asks only whether an app may still do something. */
const MARK = platformStatement(
  'apps.mark_deleted',
  `update platform.apps set deleted_at = clock_timestamp(), disabled_at = coalesce(disabled_at, clock_timestamp())
    where id = $1`,
)

/** Under the app's lock, and after its keys have ended. */
export async function markDeleted(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  for (const rows of [DELETE_TOKENS, DELETE_SECRETS, DELETE_PROGRAMS, DELETE_LOGO, MARK]) await tx.run(rows, [id])
}
