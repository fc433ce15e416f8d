import type { Id } from '#kernel/ids.ts'
import { EVENT_CATALOGUE, type EventName } from '#modules/events/index.ts'
import { concernedBy } from '../projection/concerned-by.ts'
import { entitlement } from '../projection/entitlement.ts'
import type { ConcerningEvent, ReceivingInstallation } from '../projection/receiver.ts'

/** All times here are the database's clock, as text of one form: they compare as text. */
export type TakenEvent = ConcerningEvent & { readonly id: Id<'event'>; readonly recorded_at: string }

export type ListeningInstallation = ReceivingInstallation & {
  readonly app_id: Id<'app'>
  readonly recorded_at: string
}

export type ListeningEndpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  /** The one it is bound to. */
  readonly installation_id: Id<'installation'> | null
  readonly events: readonly EventName[]
  /** Since when, place by place. */
  readonly subscribed_at: readonly string[]
  /** The app's, at this moment. */
  readonly api_version: string
}

export type Due = {
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
  readonly endpoint: Id<'webhookEndpoint'>
  readonly version: string
}

export type Listeners = {
  readonly installations: readonly ListeningInstallation[]
  readonly endpoints: readonly ListeningEndpoint[]
}

/**
 * "An endpoint registered for the whole app receives one delivery per installation an event concerns, each with its own
 * installation and data. An endpoint created for one installation only carries that installation." Decided by the same
 * rules as every send. An app that is suspended is not asked about here: its deliveries are made, and canceled at the
 * send, where its history shows them and a replay can bring them back.
 */
export function deliveriesOf(events: readonly TakenEvent[], { installations, endpoints }: Listeners): Due[] {
  const onTarget = Map.groupBy(installations, ({ target }) => target.id)
  const byId = new Map(installations.map((installation) => [installation.id as string, [installation]]))
  const ofApp = Map.groupBy(endpoints, ({ app_id }) => app_id as string)
  return events.flatMap((event) => {
    const near = [event.company_id, event.syndicate_id, event.user_id].flatMap((id) => onTarget.get(id ?? '') ?? [])
    const itself = byId.get(event.installation_id ?? '') ?? []
    const concerned = [...new Set([...near, ...itself])].filter((installation) => hears(event, installation))
    return [
      ...concerned.flatMap((installation) => toEach(event, installation, ofApp.get(installation.app_id) ?? [])),
      ...toApp(event, ofApp.get(event.app_id ?? '') ?? []),
    ]
  })
}

/** Nothing that was recorded before the installation was. */
function hears(event: TakenEvent, installation: ListeningInstallation): boolean {
  const app = { id: installation.app_id, active: true }
  return installation.recorded_at <= event.recorded_at && typeof entitlement({ event, app, installation }) !== 'string'
}

function toEach(event: TakenEvent, { id }: ListeningInstallation, endpoints: readonly ListeningEndpoint[]): Due[] {
  const bound = EVENT_CATALOGUE[event.name].reach === 'app_wide_and_bound'
  return endpoints
    .filter(({ installation_id }) => installation_id === null || (bound && installation_id === id))
    .filter((endpoint) => isSubscribed(endpoint, event))
    .map((endpoint) => ({ event: event.id, installation: id, endpoint: endpoint.id, version: endpoint.api_version }))
}

/** What concerns the app as such reaches the endpoints of the whole app. */
function toApp(event: TakenEvent, endpoints: readonly ListeningEndpoint[]): Due[] {
  return endpoints
    .filter(({ installation_id }) => installation_id === null)
    .filter(({ app_id }) => concernedBy(event, { app: { id: app_id, active: true }, installation: null }) !== null)
    .filter((endpoint) => isSubscribed(endpoint, event))
    .map((endpoint) => ({ event: event.id, installation: null, endpoint: endpoint.id, version: endpoint.api_version }))
}

/** "Deliveries start when the endpoint subscribes; earlier changes are not redelivered." */
function isSubscribed({ events, subscribed_at }: ListeningEndpoint, { name, recorded_at }: TakenEvent): boolean {
  const since = subscribed_at[events.indexOf(name)]
  return since !== undefined && since <= recorded_at
}
