import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { closeGate } from './store.ts'

/**
 * "An app that … issued a live token or was installed cannot be deleted." Noted once each and before anything holds the
 * app `for share`: of two transactions that held it so and then wrote its row, each would wait for the other.
 *
 * The first time is a change of the row like any other and has its turn at the gate; later nobody waits for anything.
 */
const note = (column: 'first_live_token_at' | 'first_installed_at') => `
  update platform.apps a set ${column} = clock_timestamp()
    from (select ${closeGate('b.id')} from platform.apps b where b.id = $1 and b.${column} is null offset 0) closed
   where a.id = $1 and a.${column} is null`

const NOTE_LIVE_TOKEN = statement('apps.note_live_token', note('first_live_token_at'))

/** Committed at once. Noted for what then fails is noted too much by one, and the app can still be disabled. */
export async function noteLiveToken(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_LIVE_TOKEN, [app])
}

const NOTE_INSTALLED = statement('apps.note_installed', note('first_installed_at'))

/**
 * For a person's consent: a consent in the test world alone does not keep an app from being deleted. Committed at once,
 * before the transaction that connects the person is opened; too much by one where that fails.
 */
export async function noteInstalled(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_INSTALLED, [app])
}

/**
 * As part of the transaction that installs, and undone with it. It must be the first thing that does anything with the
 * app; the first time, everybody else who comes to the app waits until that transaction ends.
 */
export async function noteInstalledIn(tx: Tx, app: Id<'app'>): Promise<void> {
  await tx.run(NOTE_INSTALLED, [app])
}
