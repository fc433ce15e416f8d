import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/**
 * "An app that … issued a live token or was installed cannot be deleted." Noted once each, before it happens and as
 * statements of their own: a transaction that held the app `for share` and then wrote its row would deadlock with the
 * next one. Noted for what then fails is noted too much by one, and the app can still be disabled.
 */
const NOTE_LIVE_TOKEN = statement(
  'apps.note_live_token',
  `update platform.apps set first_live_token_at = clock_timestamp() where id = $1 and first_live_token_at is null`,
)

export async function noteLiveToken(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_LIVE_TOKEN, [app])
}

const NOTE_INSTALLED = statement(
  'apps.note_installed',
  `update platform.apps set first_installed_at = clock_timestamp() where id = $1 and first_installed_at is null`,
)

/** Before the transaction that installs is opened. */
export async function noteInstalled(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  await db.reads.run(NOTE_INSTALLED, [app])
}
