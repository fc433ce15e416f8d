import { type OrganizationRole, rejectEnded, rejectRole } from '#access/organizations/index.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import type { App, KeyState } from './app.ts'
import { findTeamRoleOn } from './client-store.ts'
import { findApp, lockApp } from './store.ts'

/**
 * Every change of an app or one of its keys takes this lock first. So changes happen one after the other, and no token is issued meanwhile.
 * Locks first, then reads in a new statement, which sees the change that the lock waited for.
 */
export async function lockAppForChange(tx: PlatformTx, id: Id<'app'>): Promise<App> {
  const app = (await lockApp(tx, id)) ? await findApp(tx, id) : null
  if (app === null) throw notFound(`app ${id} is unknown`)
  return app
}

/** Like `lockAppForChange`, but also rejects an app of an ended organization. */
export async function lockLiveApp(tx: PlatformTx, id: Id<'app'>, event: string): Promise<App> {
  const app = await lockAppForChange(tx, id)
  rejectEnded({ state: app.organization_state }, event)
  return app
}

/**
 * The team of an app that is suspended, disabled or ended cannot act for it in the portal either. A suspension has its own error. A
 * disabled or ended app is a conflict (409), because the caller has the right and only the app's state forbids it.
 */
export function rejectStopped(state: Exclude<KeyState, 'revoked'>, event: string, doing: string): void {
  if (state === 'active') return
  if (state === 'suspended') {
    throw new ApiError('app_suspended', {
      public: `The platform suspended this app, so ${doing}.`,
      remediation: 'Only the platform lifts a suspension: settle its reason with the platform first.',
    })
  }
  throw new ApiError('illegal_transition', {
    public: `This app is ${state}, so ${doing}.`,
    remediation: state === 'disabled' ? 'Enable the app first.' : 'Its organization’s access was ended for good.',
    details: { from: state, event, allowed: state === 'disabled' ? ['enable'] : [] },
  })
}

/** Returns the app for an act of its team. Rejects an app that is suspended, disabled or ended. */
export async function requireRunning(
  queries: PlatformQueries,
  id: Id<'app'>,
  { event, doing }: { readonly event: string; readonly doing: string },
): Promise<App> {
  const app = await findApp(queries, id)
  if (app === null) throw notFound(`app ${id} is unknown`)
  rejectStopped(statusOf(app), event, doing)
  return app
}

/** The state of the app that people see: `ended` if its organization has ended, otherwise its own state. */
export const statusOf = ({ organization_state, state }: Pick<App, 'organization_state' | 'state'>) =>
  organization_state === 'ended' ? 'ended' : state

/** "Developers edit apps, keys and scopes", and so may higher roles. Disabling, enabling and deleting an app needs an admin or an owner. */
export const EDITORS: readonly OrganizationRole[] = ['owner', 'admin', 'developer']
export const ADMINS: readonly OrganizationRole[] = ['owner', 'admin']

export type Seat = { readonly account: Id<'account'>; readonly app: Id<'app'> }

/** 404 for an account that is not on the team, as for an unknown app. 403 if the role is too low. */
export async function requireTeam(
  queries: PlatformQueries,
  seat: Seat,
  roles: readonly OrganizationRole[],
): Promise<OrganizationRole> {
  const role = await findTeamRoleOn(queries, seat)
  if (role === null) throw notFound(`${seat.account} is on no team of app ${seat.app}`)
  rejectRole(role, roles)
  return role
}
