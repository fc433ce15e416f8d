import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { closeGate } from './gate-store.ts'

/**
 * "An app that … issued a live token or was installed cannot be deleted." Noted once each, before it happens and as
 * statements of their own: a transaction that held the app `for share` and then wrote its row would deadlock with the
 * next one. Noted for what then fails is noted too much by one, and the app can still be disabled.
 *
 * The first time is a change of the row like any other and has its turn at the gate; later nobody waits for anything.
 */
const note = (column: 'first_live_token_at' | 'first_installed_at') => `
  update platform.apps a set ${column} = clock_timestamp()
    from (select ${closeGate('b.id')} from platform.apps b where b.id = $1 and b.${column} is null offset 0) closed
   where a.id = $1 and a.${column} is null`

const NOTE_LIVE_TOKEN = statement('apps.note_live_token', note('first_live_token_at'))

export async function noteLiveToken(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_LIVE_TOKEN, [app])
}

const NOTE_INSTALLED = statement('apps.note_installed', note('first_installed_at'))

/** Before the transaction that installs is opened. */
export async function noteInstalled(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  await db.reads.run(NOTE_INSTALLED, [app])
}

/** The same for a transaction that installs: the first thing it does with the app, before it holds the row to read it. */
export async function noteInstalledIn(tx: Tx, app: Id<'app'>): Promise<void> {
  await tx.run(NOTE_INSTALLED, [app])
}
