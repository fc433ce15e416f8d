import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** What a sandbox may have left: tokens of the app itself. Everything else needs an installation, and there was none. */
const DELETE_TOKENS = platformStatement('apps.delete_test_tokens', 'delete from test.access_tokens where app_id = $1')

const DELETE_SECRETS = platformStatement(
  'apps.delete_secrets',
  `delete from platform.app_secrets s using platform.app_keys k where k.id = s.key_id and k.app_id = $1`,
)

const DELETE_KEYS = platformStatement('apps.delete_keys', 'delete from platform.app_keys where app_id = $1')
const DELETE_PROGRAMS = platformStatement('apps.delete_programs', 'delete from platform.app_programs where app_id = $1')
const DELETE_LOGO = platformStatement('apps.delete_logo_with_app', 'delete from platform.app_logos where app_id = $1')
const DELETE_APP = platformStatement('apps.delete', 'delete from platform.apps where id = $1')

/** Under the app's lock, which whoever issues waits for and then finds nothing. */
export async function deleteRows(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  for (const rows of [DELETE_TOKENS, DELETE_SECRETS, DELETE_KEYS, DELETE_PROGRAMS, DELETE_LOGO, DELETE_APP])
    await tx.run(rows, [id])
}
