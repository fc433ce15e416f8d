import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { holdAsMember } from '#modules/organizations/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { APP_MACHINE, type AppMove } from './app-states.ts'
import { requireRoom } from './create-app.ts'
import { holdApp } from './lock-app.ts'
import { moveKeys, writeDisabled, writeEnabled, writeLifted, writeSuspended } from './state-store.ts'
import { findApp } from './store.ts'
import { ADMINS, requireTeam, type Seat } from './team.ts'

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/** "A violating app is suspended (credentials stop being accepted, cannot be installed)": from the next request on. */
export async function suspendApp(tx: PlatformTx, { app, actor }: ByOperator, reason: string): Promise<void> {
  await move(tx, app, 'suspend')
  await writeSuspended(tx, app, reason)
  await recordAudit(tx, { actor, action: 'app.suspended', subject: app, details: { reason } })
}

/** "Only the platform lifts a suspension." What was issued before it works again, unless it ran out. */
export async function liftSuspension(tx: PlatformTx, { app, actor }: ByOperator): Promise<void> {
  await move(tx, app, 'lift')
  await writeLifted(tx, app)
  await recordAudit(tx, { actor, action: 'app.suspension_lifted', subject: app })
}

export async function disableApp(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, ADMINS)
  await move(tx, seat.app, 'disable')
  await writeDisabled(tx, seat.app)
  await recordAudit(tx, { actor: seat.account, action: 'app.disabled', subject: seat.app })
}

export async function enableApp(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, ADMINS)
  const organization = (await findApp(tx, seat.app))?.organization_id
  if (organization === undefined) throw notFound(`app ${seat.app} is unknown`)
  await holdAsMember(tx, { account: seat.account, organization }, { event: 'enable' })
  await requireRoom(tx, organization)
  await move(tx, seat.app, 'enable')
  await writeEnabled(tx, seat.app)
  await recordAudit(tx, { actor: seat.account, action: 'app.enabled', subject: seat.app })
}

/** The app held, the table asked, the keys moved along. */
async function move(tx: PlatformTx, id: Id<'app'>, name: AppMove): Promise<void> {
  const app = await holdApp(tx, id, name)
  const into = app.disabled_at === null ? 'active' : 'disabled'
  const { to, also } = transition(APP_MACHINE, { from: app.state, move: name, ...(name === 'lift' ? { into } : {}) })
  await moveKeys(tx, id, { state: to, stopTokensForGood: also.includes('stop_tokens_for_good') })
}
