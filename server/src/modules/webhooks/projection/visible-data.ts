import type { Version } from '#http/versions.ts'
import { EVENT_CATALOGUE, type EventName, type StoredEvent, wholeData } from '#modules/events/index.ts'

/** What an investment event may say beyond what everybody reads who receives it. */
export type InvestorRights = {
  readonly email: boolean
  readonly totals: boolean
  /** To be told of fields of identity that they differ. */
  readonly identityFields: boolean
  /** The address that an investment session was sent to. */
  readonly recipient: boolean
}

export type Seen = { readonly rights: InvestorRights; readonly version: Version; readonly steps?: readonly EventStep[] }

/**
 * `data` as JSON text. What nobody has to look into goes out as the text it is stored as, with the time it carries put
 * in at its end: most events are of that kind, and this is done for almost every delivery.
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
  // A JSON object ends with its brace; every event's data has a field before it.
  return `${data.slice(0, -1)},"occurred_at":"${occurred_at}"}`
}

/**
 * "Without the scope investor records are served with identity fields omitted": nor is it told that these differ. An investment
 * session's address goes to the installation that created it; "through the one that did not create it, email only with
 * read:investors:pii".
 */
function withinIdentity(event: StoredEvent, { identityFields, recipient }: InvestorRights): StoredEvent {
  const { group } = EVENT_CATALOGUE[event.name]
  const hidden = (group === 'investment_sync' && !identityFields) || (group === 'investment_session' && !recipient)
  return hidden ? { ...event, identity: null } : event
}

/**
 * "investor.email: only when the company's installation holds read:investors:pii. investor_totals: company-installed
 * apps only; not sent to user-connected apps." The investor's name is in every one of them.
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

/** How the data of some events looked before a version. */
type EventStep = {
  readonly before: Version
  readonly events: readonly EventName[]
  readonly data: (data: Fields) => Fields
}

/**
 * "Events follow the version the app had at fan-out." Every difference there is, newest first: none so far. What differs
 * between versions in the API's records does not in events; "a webhook's `reason` is `recomputed` in every version".
 */
const EVENT_STEPS: readonly EventStep[] = []

function stepsBefore(version: Version, name: EventName, steps: readonly EventStep[]): readonly EventStep[] {
  return steps.filter(({ before, events }) => version < before && events.includes(name))
}
