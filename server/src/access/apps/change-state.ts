import { recordAudit } from '#access/audit/index.ts'
import { lockAsMember } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type StateMachine, transition } from '#kernel/state-machine.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { AppState } from './app.ts'
import { requireRoom } from './create-app.ts'
import { ADMINS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { moveKeys, writeDisabled, writeEnabled, writeLifted, writeSuspended } from './state-store.ts'
import { findApp } from './store.ts'

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/** "A violating app is suspended (credentials stop being accepted, cannot be installed)": from the next request on. */
export async function suspendApp(tx: PlatformTx, { app, actor }: ByOperator, reason: string): Promise<void> {
  await move(tx, app, 'suspend')
  await writeSuspended(tx, app, reason)
  await recordAudit(tx, { actor, action: 'app.suspended', subject: app, details: { reason } })
}

/** "Only the platform lifts a suspension." If the app is active again, tokens issued before the suspension work again until they expire. */
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
  await lockAsMember(tx, { account: seat.account, organization }, { event: 'enable' })
  await requireRoom(tx, organization)
  await move(tx, seat.app, 'enable')
  await writeEnabled(tx, seat.app)
  await recordAudit(tx, { actor: seat.account, action: 'app.enabled', subject: seat.app })
}

/** Locks the app, applies the state machine, and moves the app's keys to the same state as the app. */
async function move(tx: PlatformTx, id: Id<'app'>, name: AppMove): Promise<void> {
  const app = await lockLiveApp(tx, id, name)
  const into = app.disabled_at === null ? 'active' : 'disabled'
  const { to, also } = transition(APP_MACHINE, { from: app.state, move: name, ...(name === 'lift' ? { into } : {}) })
  await moveKeys(tx, id, { state: to, stopTokensForGood: also.includes('stop_tokens_for_good') })
}

/**
 * from       move     to                                  also
 * (none)     create   active
 * active     suspend  suspended  by the platform, which gives its reason; credentials stop being accepted
 * disabled   suspend  suspended
 * suspended  lift     active (its tokens work again), or disabled if the team had disabled it before the suspension
 * active     disable  disabled   by the team               every token stops for good
 * disabled   enable   active     by the team
 *
 * "A violating app is suspended (credentials stop being accepted, cannot be installed); only the platform lifts a
 * suspension." "Disabling revokes all its tokens and can be reversed, but tokens are not restored": it increases the generation of
 * the keys, which ends every token of the earlier generation. A suspension may be a mistake, so it keeps the generation.
 */
type AppMove = 'create' | 'suspend' | 'lift' | 'disable' | 'enable'

type AppAlso = 'stop_tokens_for_good'

export const APP_MACHINE: StateMachine<AppState, AppMove, never, AppAlso> = {
  noun: 'app',
  table: {
    none: { create: { to: 'active', events: [] } },
    active: {
      suspend: { to: 'suspended', events: [] },
      disable: { to: 'disabled', events: [], also: ['stop_tokens_for_good'] },
    },
    suspended: {
      lift: [
        { to: 'active', events: [] },
        { to: 'disabled', events: [] },
      ],
    },
    disabled: { suspend: { to: 'suspended', events: [] }, enable: { to: 'active', events: [] } },
  },
}
