import type { Id } from '#kernel/ids.ts'
import type { Subscription } from '#modules/events/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import { shownTime } from '#system/postgres/world-clock.ts'
import { PREVIOUS_SECRETS } from '../../endpoints/secret-store.ts'
import type { SealedSecrets } from '../../endpoints/secrets.ts'
import {
  ACCOUNT_DISABLED,
  ACTION,
  APP_ACTIVE,
  CREATED_BY,
  HIDDEN,
  IDENTITY_ONLY,
  INSTALLATION_TARGET,
  receiverJoins,
} from '../../projection/projected-store.ts'
import type { ProjectedEvent, ReceivingInstallation } from '../../projection/receiver.ts'
import { NOW } from '../due-store.ts'

export type Receiver = SealedSecrets & {
  readonly url: string
  readonly events: readonly Subscription[]
  readonly app_id: Id<'app'>
  readonly app_active: boolean
  /** World time of this statement. */
  readonly now: string
  /** Something of this lane is due in the queue as well; false where that was not asked for. */
  readonly rows_due: boolean
}

/** Where to, signed with what, and whose it is: of the lanes that are this worker's at this moment. */
const RECEIVERS = shortStatement<Receiver>(
  'webhooks.parcel_receivers',
  `select w.id, w.url, w.secret, ${PREVIOUS_SECRETS}, w.events, a.id as app_id, ${APP_ACTIVE} as app_active, (${NOW}) as now,
          lane.endpoint_id = any($3)
            and coalesce((select d.due_at from delivery_queue d where d.endpoint_id = lane.endpoint_id
                           order by d.due_at, d.id limit 1) <= (select world_now()), false) as rows_due
     from webhook_lanes lane ${receiverJoins('lane')}
    where lane.endpoint_id = any($2) and lane.owner = $1 and lane.state = 'enabled'
      and lane.lease_until > clock_timestamp()`,
)

const STANDING = shortStatement<{ id: Id<'delivery'> }>(
  'webhooks.standing_parcels',
  'select id::text as id from delivery_parcels where id = any($1)',
)

const EVENTS = shortStatement<ProjectedEvent>(
  'webhooks.parcel_events',
  `select e.id::text as id, e.name, ${shownTime('e', 'recorded_at')} as created_at, e.occurred_at, e.company_id,
          e.syndicate_id, e.user_id, e.installation_id, e.app_id, e.data, e.identity, ${HIDDEN} as hidden,
          ${IDENTITY_ONLY} as identity_only, ${ACTION} as action, ${CREATED_BY} as created_by
     from events e where e.id = any($1)`,
)

type InstallationRow = Omit<ReceivingInstallation, 'target'> & {
  readonly target_type: ReceivingInstallation['target']['type']
  readonly target_id: string
}

const INSTALLATIONS = shortStatement<InstallationRow>(
  'webhooks.parcel_installations',
  `select i.id, i.state, i.target_type, ${INSTALLATION_TARGET} as target_id, i.scopes,
          ${ACCOUNT_DISABLED} as "accountDisabled"
     from installations i where i.id = any($1)`,
)

export type Asked = {
  readonly endpoints: readonly Id<'webhookEndpoint'>[]
  readonly lookingAtRows: readonly Id<'webhookEndpoint'>[]
  readonly parcels: readonly Id<'delivery'>[]
  readonly events: readonly Id<'event'>[]
  readonly installations: readonly Id<'installation'>[]
}

/** All that decides whether and how they may be sent, as it is now; each once, however many ask for it. */
export type Read = {
  readonly receivers: ReadonlyMap<Id<'webhookEndpoint'>, Receiver>
  readonly standing: ReadonlySet<Id<'delivery'>>
  readonly events: ReadonlyMap<Id<'event'>, ProjectedEvent>
  readonly installations: ReadonlyMap<Id<'installation'>, ReceivingInstallation>
}

export async function readForMembers(db: WorldDatabase, owner: string, asked: Asked): Promise<Read> {
  const [receivers, standing, events, installations] = await Promise.all([
    db.short(RECEIVERS, [owner, asked.endpoints, asked.lookingAtRows]),
    db.short(STANDING, [asked.parcels]),
    db.short(EVENTS, [asked.events]),
    db.short(INSTALLATIONS, [asked.installations]),
  ])
  return {
    receivers: new Map(receivers.map((one) => [one.id, one])),
    standing: new Set(standing.map(({ id }) => id)),
    events: new Map(events.map((one) => [one.id, one])),
    installations: new Map(
      installations.map(({ target_type: type, target_id: id, ...one }) => [one.id, { ...one, target: { type, id } }]),
    ),
  }
}
