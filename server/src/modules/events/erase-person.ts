import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseAbout, eraseNamed, eraseSentTo } from './store.ts'

export type Forgotten = {
  readonly id: Id<'user'>
  /** Under which events may have been recorded before the address had an account. */
  readonly addresses: readonly string[]
}

/**
 * Takes a person out of everything that was recorded: events about them, events sent to their address before they had
 * an account, and their name where they approved or invited somebody else. The events stay, naming nobody.
 */
export async function eraseFromEvents(tx: Tx, { id, addresses }: Forgotten): Promise<void> {
  await eraseAbout(tx, id)
  await eraseSentTo(tx, addresses)
  await eraseNamed(tx, id)
}
