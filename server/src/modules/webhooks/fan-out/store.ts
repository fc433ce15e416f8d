import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { ListeningEndpoint, ListeningInstallation, TakenEvent } from './deliveries-of.ts'
import type { Subjects } from './subjects-of.ts'

/** Gone from the queue with the commit of what they turn into, and back in their places if that fails. */
const TAKE = statement<TakenEvent>(
  'webhooks.take_events',
  `with taken as materialized (select seq from event_queue order by seq limit $1 for update skip locked),
        gone as (delete from event_queue q using taken where q.seq = taken.seq returning q.seq, q.event_id)
   select e.id, e.name, e.recorded_at, e.company_id, e.syndicate_id, e.user_id, e.installation_id, e.app_id
     from gone join events e on e.id = gone.event_id order by gone.seq`,
)

export async function takeEvents(tx: Tx, limit: number): Promise<TakenEvent[]> {
  return tx.many(TAKE, [limit])
}

/**
 * The installations the events are about, of apps that listen at all. `for share`: whoever revokes or narrows one waits,
 * and then cancels what fan-out made of it. What is read is what was locked: a row that was waited for comes back as it
 * is now, revoked perhaps.
 */
const LOCK_INSTALLATIONS = statement<{
  id: Id<'installation'>
  app_id: Id<'app'>
  state: ListeningInstallation['state']
  target_type: ListeningInstallation['target']['type']
  target_id: string
  scopes: readonly string[]
  recorded_at: string
}>(
  'webhooks.lock_concerned_installations',
  `select i.id, i.app_id, i.state, i.target_type, coalesce(i.company_id, i.syndicate_id, i.user_id) as target_id,
          i.scopes, i.recorded_at
     from installations i
    where i.id = any(array(
      select about.id
        from (select id, app_id from installations where company_id = any($1) and state = 'active'
              union select id, app_id from installations where syndicate_id = any($2) and state = 'active'
              union select id, app_id from installations where user_id = any($3) and state = 'active'
              union select id, app_id from installations where id = any($4)) about
       where exists (select from platform.webhook_endpoints w
                      where w.app_id = about.app_id and w.world = $5 and w.state <> 'removed')))
    order by i.id for share`,
)

export async function lockConcerned(tx: Tx, about: Subjects): Promise<ListeningInstallation[]> {
  const { companies, syndicates, users, installations } = about
  const rows = await tx.many(LOCK_INSTALLATIONS, [companies, syndicates, users, installations, tx.world])
  return rows.map(({ target_type: type, target_id: id, ...row }) => ({ ...row, target: { type, id } }))
}

/**
 * Disabled ones, too: "What is undelivered is kept." Not those of an ended organization: nothing leads back from that.
 * Their times as text with microseconds, in the form of the events'.
 */
const LOCK_ENDPOINTS = statement<ListeningEndpoint>(
  'webhooks.lock_concerned_endpoints',
  `select w.id, w.app_id, w.installation_id, w.events, a.api_version,
          array(select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                  from unnest(w.subscribed_at) with ordinality as s (at, place) order by place) as subscribed_at
     from platform.webhook_endpoints w
     join platform.apps a on a.id = w.app_id
     join platform.organizations o on o.id = a.organization_id and o.state = 'active'
    where w.app_id = any($1) and w.world = $2 and w.state <> 'removed'
    order by w.id for share of w`,
)

export async function lockEndpoints(tx: Tx, apps: readonly Id<'app'>[]): Promise<ListeningEndpoint[]> {
  return tx.many(LOCK_ENDPOINTS, [apps, tx.world])
}
