import type { InstallationState, Target } from '#access/installations/index.ts'
import type { EventName } from '#events/index.ts'
import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { shownTime } from '#system/postgres/world-clock.ts'
import type { ProjectedEvent, ReceivingInstallation } from './entitlement.ts'
import { type Projected, projectDelivery } from './project.ts'

/** Whether the investment of `events e` is hidden from its company. A subquery for each row, never a join. */
export const HIDDEN = 'coalesce((select v.hidden from investments v where v.id = e.investment_id), false)'

/** Whether `events e` changed only the investor's identity: the publisher then leaves `fields` empty. */
export const IDENTITY_ONLY = `(e.name = 'investment.changed' and e.data -> 'fields' = '[]')`

/** The action that the intent of `events e` proposes; null for all other events. */
export const ACTION = `case when starts_with(e.name, 'intent.') then e.data ->> 'action' end`

/** The installation that created the investment session of `events e`; null for all other events. */
export const CREATED_BY = `case when starts_with(e.name, 'investment_session.') then
    (select s.installation_id from investment_sessions s where s.id = e.investment_session_id) end`

/**
 * Whether the endpoint w is subscribed to the event e by name or by a wildcard. Fan-out has decided what a wildcard
 * covers.
 */
const SUBSCRIBED = `w.events && array[e.name::text, '*', split_part(e.name::text, '.', 1) || '.*']`

/** Whether the app a and its organization o are active. */
export const APP_ACTIVE = `a.state = 'active' and o.state = 'active'`

export const INSTALLATION_TARGET = 'coalesce(i.company_id, i.syndicate_id, i.user_id)'

/** Whether the installation i is a user's own connection and the account of that user is disabled. */
export const ACCOUNT_DISABLED = 'exists (select from disabled_holders h where h.holder_id = i.user_id)'

/**
 * The columns that `project` needs, for statements that read a batch of `delivery_queue q` or `event_stream_entries q`.
 * Joins must keep every row: a row that is left out would be read again in every round.
 */
export const SHOWN_COLUMNS = `
  q.event_id, e.name as event_name, ${shownTime('e', 'recorded_at')} as event_created_at, e.occurred_at as event_occurred_at,
  e.company_id as event_company_id, e.syndicate_id as event_syndicate_id, e.user_id as event_user_id,
  e.installation_id as event_installation_id, e.app_id as event_app_id, e.data as event_data,
  e.identity as event_identity, ${HIDDEN} as event_hidden, ${IDENTITY_ONLY} as event_identity_only,
  ${ACTION} as event_action, ${CREATED_BY} as event_created_by, a.id as app_id, ${APP_ACTIVE} as app_active,
  i.id as installation_id, i.state as installation_state, i.target_type,
  ${INSTALLATION_TARGET} as target_id, i.scopes as installation_scopes,
  ${ACCOUNT_DISABLED} as account_disabled, q.api_version`

/** Like `SHOWN_COLUMNS`, for deliveries: the subscriptions of the endpoint w decide too. */
export const PROJECTED_COLUMNS = `${SHOWN_COLUMNS}, ${SUBSCRIBED} as subscribed`

/** Joins endpoint, app and organization once per lane instead of once per delivery. */
export const receiverJoins = (naming: string) => `
  join platform.webhook_endpoints w on w.id = ${naming}.endpoint_id
  join platform.apps a on a.id = w.app_id
  join platform.organizations o on o.id = a.organization_id`

export const EVENT_JOINS = `
  left join events e on e.id = q.event_id
  left join installations i on i.id = q.installation_id`

export type ShownRow = {
  readonly event_id: Id<'event'>
  /** Null if the event was deleted. */
  readonly event_name: EventName | null
  readonly event_created_at: string
  readonly event_occurred_at: string
  readonly event_company_id: string | null
  readonly event_syndicate_id: string | null
  readonly event_user_id: string | null
  readonly event_installation_id: string | null
  readonly event_app_id: string | null
  readonly event_data: string
  readonly event_identity: string | null
  readonly event_hidden: boolean
  readonly event_identity_only: boolean
  readonly event_action: string | null
  readonly event_created_by: string | null
  readonly app_id: Id<'app'>
  readonly app_active: boolean
  readonly installation_id: Id<'installation'> | null
  readonly installation_state: InstallationState
  readonly target_type: Target['type']
  readonly target_id: string
  readonly installation_scopes: readonly string[]
  readonly account_disabled: boolean
  readonly api_version: Version
}

/** `subscribed`: whether the endpoint is subscribed to this event now. */
export type ProjectedRow = ShownRow & { readonly subscribed: boolean }

/** The event as a reader without an endpoint sees it. */
export function projectShown(row: ShownRow, mode: World): Projected {
  return projectRow({ ...row, subscribed: true }, mode)
}

export function projectRow(row: ProjectedRow, mode: World): Projected {
  const { subscribed, api_version: version } = row
  const app = { id: row.app_id, active: row.app_active }
  return projectDelivery({ event: eventOf(row), subscribed, app, installation: installationOf(row), version, mode })
}

function eventOf(row: ShownRow): ProjectedEvent | null {
  if (row.event_name === null) return null
  return {
    id: row.event_id,
    name: row.event_name,
    created_at: row.event_created_at,
    occurred_at: row.event_occurred_at,
    company_id: row.event_company_id,
    syndicate_id: row.event_syndicate_id,
    user_id: row.event_user_id,
    installation_id: row.event_installation_id,
    app_id: row.event_app_id,
    data: row.event_data,
    identity: row.event_identity,
    hidden: row.event_hidden,
    identity_only: row.event_identity_only,
    action: row.event_action,
    created_by: row.event_created_by,
  }
}

function installationOf(row: ShownRow): ReceivingInstallation | null {
  if (row.installation_id === null) return null
  return {
    id: row.installation_id,
    state: row.installation_state,
    target: { type: row.target_type, id: row.target_id },
    scopes: row.installation_scopes,
    accountDisabled: row.account_disabled,
  }
}
