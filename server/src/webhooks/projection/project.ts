import { INVESTOR_PII } from '#access/scopes/index.ts'
import { EVENT_CATALOGUE, type EventName, type StoredEvent, wholeData } from '#events/index.ts'
import type { Version } from '#http/versions.ts'
import type { World } from '#kernel/world.ts'
import {
  type EntitlementQuestion,
  entitlement,
  givesScope,
  type NotEntitled,
  type ProjectedEvent,
  type ReceivingInstallation,
} from './entitlement.ts'

export type Projecting = EntitlementQuestion & {
  readonly event: ProjectedEvent
  /** The app's version at fan-out. */
  readonly version: Version
  readonly mode: World
  /** Caches the data of events that go to many receivers. */
  readonly dataOf?: DataOf | undefined
}

/** The body to sign and send, or the reason why nothing is sent. */
export type Projected = { readonly body: string } | { readonly refused: NotEntitled }

export type ProjectingDelivery = Omit<Projecting, 'event'> & {
  /** Null if the event was deleted. */
  readonly event: ProjectedEvent | null
  /** Whether the endpoint is subscribed to this event now. */
  readonly subscribed: boolean
}

export function projectDelivery(delivery: ProjectingDelivery): Projected {
  const { event, subscribed, app, installation, version, mode, dataOf } = delivery
  if (event === null) return { refused: 'event_expired' }
  // "PATCH events replaces the whole list": a queued event that is no longer in the list is not sent.
  return subscribed ? project({ event, app, installation, version, mode, dataOf }) : { refused: 'unsubscribed' }
}

/**
 * Renders an event at every send, with the receiver's rights at that moment. A delivery stores no body, so the queue
 * never sends data that the receiver may not read any more.
 */
export function project(projecting: Projecting): Projected {
  const { event, app, installation, version, mode, dataOf = visibleData } = projecting
  const audience = entitlement({ event, app, installation })
  if (typeof audience === 'string') return { refused: audience }
  const data = dataOf(event, { rights: rightsOf(event, installation), version })
  return {
    body: envelopeText({
      id: event.id,
      event: event.name,
      createdAt: event.created_at,
      mode,
      installation: installation && { id: installation.id, target: installation.target },
      data,
    }),
  }
}

function rightsOf({ created_by }: ProjectedEvent, installation: ReceivingInstallation | null): InvestorRights {
  if (installation === null) return { email: false, totals: false, identityFields: false, recipient: false }
  const { id, target, scopes } = installation
  return investorRights({ target: target.type, scopes, creator: created_by === id })
}

type EnvelopeParts = {
  readonly id: string
  readonly event: EventName
  readonly createdAt: string
  readonly mode: World
  /** Null for events about the app itself: the envelope then has no installation block. */
  readonly installation: object | null
  /** JSON text. */
  readonly data: string
}

/** The body of a delivery. `data` is JSON text already, and ids, names and times contain no character that JSON escapes. */
export function envelopeText({ id, event, createdAt, mode, installation, data }: EnvelopeParts): string {
  const block = installation === null ? '' : `"installation":${JSON.stringify(installation)},`
  return `{"id":"${id}","event":"${event}","created_at":"${createdAt}","mode":"${mode}",${block}"data":${data}}`
}

/** Fields of investment events that only some receivers get. */
export type InvestorRights = {
  readonly email: boolean
  readonly totals: boolean
  /** Names of changed identity fields. */
  readonly identityFields: boolean
  /** The address that an investment session was sent to. */
  readonly recipient: boolean
}

type Seen = { readonly rights: InvestorRights; readonly version: Version; readonly steps?: readonly EventStep[] }

/**
 * `data` as JSON text. This runs for almost every delivery. Most data needs no change and is sent as stored, with
 * occurred_at appended.
 */
export function visibleData(stored: StoredEvent, { rights, version, steps = EVENT_STEPS }: Seen): string {
  const { group } = EVENT_CATALOGUE[stored.name]
  const event = withinIdentity(stored, rights)
  const older = stepsBefore(version, event.name, steps)
  const investment = group === 'investment'
  if (!investment && event.identity === null && older.length === 0) return storedText(event)
  const whole = wholeData(event)
  const visible = investment ? withinRights(whole, rights) : whole
  return JSON.stringify(older.reduce((data, step) => step.data(data), visible))
}

function storedText({ name, data, occurred_at }: StoredEvent): string {
  if (!EVENT_CATALOGUE[name].occurredAt) return data
  // `data` is a JSON object with at least one field, so its last character is a brace and a comma can follow its last field.
  return `${data.slice(0, -1)},"occurred_at":"${occurred_at}"}`
}

/**
 * "Without the scope investor records are served with identity fields omitted": so changes of these fields are left out too.
 * The address of an investment session goes to the installation that created the session; "through the one that did not
 * create it, email only with read:investors:pii".
 */
function withinIdentity(event: StoredEvent, { identityFields, recipient }: InvestorRights): StoredEvent {
  const { group } = EVENT_CATALOGUE[event.name]
  const hidden = (group === 'investment_sync' && !identityFields) || (group === 'investment_session' && !recipient)
  return hidden ? { ...event, identity: null } : event
}

/**
 * "investor.email: only when the company's installation holds read:investors:pii. investor_totals: company-installed
 * apps only; not sent to user-connected apps." The investor's name is in all of these events.
 */
function withinRights(data: Fields, { email, totals }: InvestorRights): Fields {
  const seen: { [key: string]: unknown } = {}
  for (const key of Object.keys(data)) {
    if (key === 'investor_totals') continue
    seen[key] = key === 'investor' && !email ? withoutEmail(data[key] as Fields) : data[key]
  }
  if (totals) seen['investor_totals'] = data['investor_totals']
  return seen
}

function withoutEmail({ email, ...others }: Fields): Fields {
  return others
}

type Fields = { readonly [key: string]: unknown }

/** Converts the data of some events to the form that they had before a version. */
type EventStep = {
  readonly before: Version
  readonly events: readonly EventName[]
  readonly data: (data: Fields) => Fields
}

/**
 * "Events follow the version the app had at fan-out." All differences between versions, newest first. There are none so
 * far: API records differ between versions, events do not; "a webhook's `reason` is `recomputed` in every version".
 */
const EVENT_STEPS: readonly EventStep[] = []

function stepsBefore(version: Version, name: EventName, steps: readonly EventStep[]): readonly EventStep[] {
  return steps.filter(({ before, events }) => version < before && events.includes(name))
}

type Holder = {
  readonly target: ReceivingInstallation['target']['type']
  readonly scopes: readonly string[]
  /** Whether this installation created the investment session that the event is about. */
  readonly creator: boolean
}

/**
 * The email address goes to "the company's installation" that holds read:investors:pii, and the totals go to every
 * installation on a company: an app that a user connected to their own account gets neither. Changes of identity fields
 * go to receivers that can read these fields in the record: "a user always sees their own". The address of an
 * investment session goes to the installation that created the session, and to others with the scope.
 */
export function investorRights({ target, scopes, creator }: Holder): InvestorRights {
  const onCompany = target === 'company'
  const pii = givesScope(scopes, INVESTOR_PII)
  return {
    email: onCompany && pii,
    totals: onCompany,
    identityFields: target === 'user' || (onCompany && pii),
    recipient: creator || pii,
  }
}

/** The `data` of an event as JSON text, as a receiver with these rights sees it. */
export type DataOf = (event: StoredEvent, seen: Omit<Seen, 'steps'>) => string

type CachedText = Pick<StoredEvent, 'name' | 'occurred_at' | 'data' | 'identity'> & { readonly text: string }

type CacheLimits = { readonly textsMax: number; readonly cachedMs: number }

/**
 * Caches the text of an event for receivers with the same rights, because one event goes to many receivers within
 * moments. The cache is small and its entries expire soon. An entry is used only for the identical row, so an erased or
 * changed event is rendered again.
 */
export function sharedData({ textsMax, cachedMs }: CacheLimits, dataOf: DataOf = visibleData): DataOf {
  const cache = new Map<string, CachedText>()
  let isClearScheduled = false
  function scheduleClear(): void {
    if (isClearScheduled) return
    isClearScheduled = true
    setTimeout(() => {
      cache.clear()
      isClearScheduled = false
    }, cachedMs).unref()
  }
  return (event, seen) => {
    const { email, totals, identityFields, recipient } = seen.rights
    const key = `${event.id} ${seen.version} ${email} ${totals} ${identityFields} ${recipient}`
    const cached = cache.get(key)
    if (cached !== undefined && isSame(cached, event)) return cached.text
    const { name, occurred_at, data, identity } = event
    const text = dataOf(event, seen)
    if (cache.size >= textsMax) cache.clear()
    cache.set(key, { name, occurred_at, data, identity, text })
    scheduleClear()
    return text
  }
}

function isSame(cached: CachedText, now: StoredEvent): boolean {
  const { name, occurred_at, data, identity } = cached
  return name === now.name && occurred_at === now.occurred_at && data === now.data && identity === now.identity
}
