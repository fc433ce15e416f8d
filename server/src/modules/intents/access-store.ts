import type { Id } from '#kernel/ids.ts'
import { enterGate } from '#modules/apps/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const ENTER = statement('intents.enter_gate', `select ${enterGate('$1::text')}`)
const SHARE_APP = statement<{ id: string }>('intents.share_app', 'select id from platform.apps where id = $1 for share')
const APP_STATE = statement<{ state: string }>('intents.app_state', 'select state from platform.apps where id = $1')

/** Held until we are done: a suspension comes before or after. Whether the app is in service. */
export async function shareApp(tx: Tx, id: Id<'app'>): Promise<boolean> {
  await tx.run(ENTER, [id])
  await tx.maybeOne(SHARE_APP, [id])
  return (await tx.maybeOne(APP_STATE, [id]))?.state === 'active'
}

const SHARE_CONNECTION = statement<{ id: string }>(
  'intents.share_connection',
  `select id from installations where app_id = $1 and user_id = $2 and state = 'active' for share`,
)

/** Whether the user is connected with the app, and stays so until we are done. */
export async function shareConnection(tx: Tx, app: Id<'app'>, user: Id<'user'>): Promise<boolean> {
  const held = () => tx.maybeOne(SHARE_CONNECTION, [app, user])
  // One that was replaced while we waited has a successor, which only a new statement sees.
  return ((await held()) ?? (await held())) !== null
}

const SHARE_INSTALLATION = statement<{ id: string }>(
  'intents.share_installation',
  `select id from installations where id = $1 and state = 'active' for share`,
)

export async function shareInstallation(tx: Tx, id: Id<'installation'>): Promise<boolean> {
  return (await tx.maybeOne(SHARE_INSTALLATION, [id])) !== null
}
