import { type Audience, covers, EVENT_CATALOGUE, type Subscription } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { DELIVERY_BATCH_MAX, DELIVERY_BATCH_MIN } from '../deliver/settings.ts'
import {
  type ConcerningEvent,
  concernedBy,
  entitlement,
  type NotEntitled,
  type ReceivingInstallation,
} from '../projection/entitlement.ts'
import type { StreamEntry } from '../stream/queue-store.ts'

/** All times here are the database's clock, as text in one format, so that they compare as text. */
export type TakenEvent = ConcerningEvent & {
  readonly id: Id<'event'>
  readonly recorded_at: string
  /** The W3C traceparent of the event's cause; null if the trace is not sampled. */
  readonly trace: string | null
  /** The event's place in the fan-out queue; null if an older version of the server deferred the event. */
  readonly seq: string | null
  /** The only app for which a deferred event is fanned out now; null for all apps. */
  readonly left_to: Id<'app'> | null
}

export type ListeningInstallation = ReceivingInstallation & {
  readonly app_id: Id<'app'>
  readonly recorded_at: string
  /** When the installation was revoked, if recently. */
  readonly stopped_at: string | null
}

export type ListeningEndpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  /** The installation that the endpoint is bound to; null for the whole app. */
  readonly installation_id: Id<'installation'> | null
  readonly events: readonly Subscription[]
  /** When each entry of `events` was subscribed to. */
  readonly subscribed_at: readonly string[]
  /** The app's current version. */
  readonly api_version: string
  /** Whether the lane is healthy and at full speed, so that deliveries may be packed into delivery batches. */
  readonly is_responsive: boolean
}

export type Due = {
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
  readonly endpoint: Id<'webhookEndpoint'>
  readonly version: string
  /** Why the delivery is canceled from the start; null if it is sent. */
  readonly canceled: NotEntitled | null
}

export type Listeners = {
  readonly installations: readonly ListeningInstallation[]
  readonly endpoints: readonly ListeningEndpoint[]
  /** The API version of each app that may read the event stream. */
  readonly readers: ReadonlyMap<Id<'app'>, string>
}

type Plan = { readonly made: readonly Due[]; readonly entries: readonly StreamEntry[] }

/**
 * "An endpoint registered for the whole app receives one delivery per installation an event concerns, each with its own
 * installation and data. An endpoint created for one installation only carries that installation." The same rules apply
 * as at every send, with one exception: fan-out does not check whether the app is suspended. The deliveries of a
 * suspended app are queued, and canceled when they are due. So the history shows them, and a replay can send them later.
 */
export function planOf(events: readonly TakenEvent[], { installations, endpoints, readers }: Listeners): Plan {
  const candidatesOf = installationFinder(installations)
  const ofApp = Map.groupBy(endpoints, ({ app_id }) => app_id as string)
  const made: Due[] = []
  const entries: StreamEntry[] = []
  for (const event of events) {
    const isFor = (app: string) => event.left_to === null || event.left_to === app
    const listening = (app: string) => (isFor(app) ? (ofApp.get(app) ?? []) : [])
    const show = (app: Id<'app'>, installation: Id<'installation'> | null) => {
      const version = isFor(app) ? readers.get(app) : undefined
      if (version !== undefined) entries.push({ event: event.id, installation, app, version, seq: event.seq })
    }
    for (const receiver of receiversOf(event, candidatesOf(event))) {
      made.push(...toEach(event, receiver, listening(receiver.app)))
      if (receiver.canceled === null) show(receiver.app, receiver.installation)
    }
    if (event.app_id === null) continue
    made.push(...toApp(event, listening(event.app_id)))
    if (isOfApp(event, event.app_id as Id<'app'>)) show(event.app_id as Id<'app'>, null)
  }
  return { made, entries }
}

function isOfApp(event: TakenEvent, id: Id<'app'>): boolean {
  return concernedBy(event, { app: { id, active: true }, installation: null }) !== null
}

/** Finds the installations that an event may concern: those on its subjects, and the installation that it names. */
function installationFinder(installations: readonly ListeningInstallation[]) {
  const onTarget = Map.groupBy(installations, ({ target }) => target.id)
  const byId = new Map(installations.map((installation) => [installation.id as string, [installation]]))
  return ({ company_id, syndicate_id, user_id, installation_id }: TakenEvent): Iterable<ListeningInstallation> => {
    const found = new Set<ListeningInstallation>()
    const add = (some: readonly ListeningInstallation[] = []) => some.forEach((one) => void found.add(one))
    for (const target of [company_id, syndicate_id, user_id]) if (target !== null) add(onTarget.get(target))
    if (installation_id !== null) add(byId.get(installation_id))
    return found
  }
}

/** An installation that receives the event, or would have received it before its revocation. */
type Receiver = {
  readonly installation: Id<'installation'>
  readonly app: Id<'app'>
  readonly target: ListeningInstallation['target']['type']
  readonly canceled: NotEntitled | null
}

function receiversOf(event: TakenEvent, candidates: Iterable<ListeningInstallation>): readonly Receiver[] {
  const receivers = [...candidates].flatMap((installation): readonly Receiver[] => {
    const { id, app_id: app, target } = installation
    const received = receives(event, installation)
    return received === null ? [] : [{ installation: id, app, target: target.type, ...received }]
  })
  return EVENT_CATALOGUE[event.name].group === 'investment_session' ? throughOne(receivers) : receivers
}

/**
 * "Investment session events go through the app's active installation on the session's company that holds
 * read:investment_sessions, chosen per event, else through the one that created the session." All of these
 * installations belong to the app that created the session. A delivery that a revocation canceled is recorded only if
 * no other installation receives the event.
 */
function throughOne(receivers: readonly Receiver[]): readonly Receiver[] {
  const sent = receivers.filter(({ canceled }) => canceled === null)
  const candidates = sent.length > 0 ? sent : receivers
  const onCompany = candidates.find(({ target }) => target === 'company')
  return onCompany === undefined ? candidates.slice(0, 1) : [onCompany]
}

function toEach(event: TakenEvent, { installation, canceled }: Receiver, endpoints: readonly ListeningEndpoint[]) {
  const bound = EVENT_CATALOGUE[event.name].endpoints === 'app_wide_and_bound'
  return endpoints
    .filter(({ installation_id }) => installation_id === null || (bound && installation_id === installation))
    .filter((endpoint) => isSubscribed(endpoint, event))
    .map((endpoint) => dueTo(event, endpoint, { installation, canceled }))
}

/**
 * Null if the installation does not receive the event. An installation receives no event from before its creation. An
 * event from before the installation's revocation becomes a canceled delivery, whether or not fan-out ran before the
 * revocation.
 */
function receives(event: TakenEvent, installation: ListeningInstallation): Pick<Due, 'canceled'> | null {
  if (installation.recorded_at > event.recorded_at) return null
  const app = { id: installation.app_id, active: true }
  const refused = refusalOf({ event, app, installation })
  if (refused === null) return { canceled: null }
  if (refused !== 'installation_revoked' || !wasBefore(event, installation.stopped_at)) return null
  return refusalOf({ event, app, installation: { ...installation, state: 'active' } }) === null
    ? { canceled: refused }
    : null
}

function refusalOf(question: Parameters<typeof entitlement>[0]): NotEntitled | null {
  const verdict = entitlement(question)
  return typeof verdict === 'string' ? verdict : null
}

function wasBefore({ recorded_at }: TakenEvent, stoppedAt: string | null): boolean {
  return stoppedAt !== null && recorded_at <= stoppedAt
}

/** Events about the app itself go to its app-wide endpoints. */
function toApp(event: TakenEvent, endpoints: readonly ListeningEndpoint[]): Due[] {
  return endpoints
    .filter(({ installation_id }) => installation_id === null)
    .filter(({ app_id }) => isOfApp(event, app_id))
    .filter((endpoint) => isSubscribed(endpoint, event))
    .map((endpoint) => dueTo(event, endpoint, { installation: null, canceled: null }))
}

type For = Pick<Due, 'installation' | 'canceled'>

function dueTo({ id: event }: TakenEvent, { id: endpoint, api_version: version }: ListeningEndpoint, to: For): Due {
  return { event, endpoint, version, ...to }
}

/** "Deliveries start when the endpoint subscribes; earlier changes are not redelivered." */
function isSubscribed(endpoint: ListeningEndpoint, { name, recorded_at }: TakenEvent): boolean {
  const { events, subscribed_at, api_version } = endpoint
  return events.some((subscription, at) => {
    const since = subscribed_at[at]
    return since !== undefined && since <= recorded_at && covers(subscription, name, api_version)
  })
}

/** A delivery with its id. */
export type Named = Due & { readonly id: Id<'delivery'> }

type Packed = {
  /** Each delivery batch is for one endpoint, in the order of events. */
  readonly deliveryBatches: readonly (readonly Named[])[]
  readonly singles: readonly Named[]
}

/** If many deliveries go to one healthy endpoint, packs them into delivery batches. All others stay single. */
export function pack(due: readonly Due[], isResponsive: (endpoint: Id<'webhookEndpoint'>) => boolean): Packed {
  const deliveryBatches: (readonly Named[])[] = []
  const singles: Named[] = []
  for (const [endpoint, all] of Map.groupBy(named(due), (one) => one.endpoint)) {
    const together = all.length >= DELIVERY_BATCH_MIN && isResponsive(endpoint)
    if (together) deliveryBatches.push(...piecesOf(all))
    else singles.push(...all)
  }
  return { deliveryBatches, singles }
}

/** Ids of the same millisecond are unordered. They are sorted, so that their order is the order of the events. */
export function named(due: readonly Due[]): Named[] {
  const ids = due.map(() => newId('delivery')).toSorted()
  return due.map((one, at) => ({ ...one, id: ids[at] ?? newId('delivery') }))
}

/** Makes delivery batches of about the same size, because a small last batch would cost as much as a full one. */
function piecesOf(all: readonly Named[]): (readonly Named[])[] {
  const count = Math.ceil(all.length / DELIVERY_BATCH_MAX)
  const from = (nth: number) => Math.floor((nth * all.length) / count)
  return Array.from({ length: count }, (_, nth) => all.slice(from(nth), from(nth + 1)))
}

/** The records by which fan-out finds installations. */
export type Subjects = {
  readonly companies: readonly string[]
  readonly syndicates: readonly string[]
  readonly users: readonly string[]
  readonly installations: readonly string[]
}

/** Audiences that are found by the event's installation_id. */
const BY_INSTALLATION: ReadonlySet<Audience['through']> = new Set(['itself', 'session_creator', 'proposer'])

/** Audiences that are found by the event's subject. */
const TARGET: { readonly [T in Audience['through']]?: 'company' | 'syndicate' | 'user' } = {
  ...{ company: 'company', code_owner: 'company', session_company: 'company' },
  ...{ syndicate: 'syndicate', user: 'user', proposer: 'user' },
}

/**
 * Uses only the audiences that the catalogue lists for each event. An event about an investment session, for example,
 * does not go to the recipient's connections, so these are not locked.
 */
export function subjectsOf(events: readonly TakenEvent[]): Subjects {
  const found = { company: new Set<string>(), syndicate: new Set<string>(), user: new Set<string>() }
  const installations = new Set<string>()
  for (const event of events) {
    for (const { through } of EVENT_CATALOGUE[event.name].audience) {
      if (BY_INSTALLATION.has(through)) add(installations, event.installation_id)
      const target = TARGET[through]
      if (target !== undefined) add(found[target], event[`${target}_id`])
    }
  }
  return {
    companies: [...found.company],
    syndicates: [...found.syndicate],
    users: [...found.user],
    installations: [...installations],
  }
}

function add(set: Set<string>, id: string | null): void {
  if (id !== null) set.add(id)
}
