import { newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import { withoutPublic } from '#modules/scopes/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import type { Installation } from './installation.ts'
import { installationEvent } from './installation-event.ts'
import { INSTALLATION_MACHINE } from './installation-states.ts'
import { inWorld } from './reach.ts'
import { findInstallations, insertInstallation, type NewInstallation } from './store.ts'

export type Creating = Omit<NewInstallation, 'id' | 'state'>

/** With its event. Null where the app has an active installation on the target: then nothing happens. */
export async function createInstallation(tx: Tx, made: Creating, because: Because): Promise<Installation | null> {
  const { to: state, events } = transition(INSTALLATION_MACHINE, { from: 'none', move: 'create' })
  const id = newId('installation')
  const scopes = withoutPublic(made.scopes)
  if (!(await insertInstallation(tx, { ...made, scopes, id, state }))) return null
  const [installation] = await findInstallations(tx, [id])
  if (installation === undefined) throw new Error('an installation just made cannot be found')
  const told = events.map((name) => installationEvent(name, installation))
  await inWorld(tx).append(told, because)
  return installation
}
