import { isDeepStrictEqual } from 'node:util'
import { EVENT_EXAMPLES } from '#events/http.ts'
import type { EventName } from '#events/index.ts'
import type { Endpoint, Installation, Target } from './participants.ts'

/**
 * Which receivers may get which events, and in which form. This is written from the specification, without the
 * product's code.
 */
type Fields = Readonly<Record<string, unknown>>

export type HappenedEvent = {
  readonly id: string
  readonly name: EventName
  /** The times that the world's clock may have shown when the event was recorded. */
  readonly created_at: readonly string[]
  readonly occurred_at: string
  readonly company_id: string | null
  readonly syndicate_id: string | null
  readonly user_id: string | null
  readonly installation_id: string | null
  readonly app_id: string | null
  readonly data: Fields
  readonly identity: Fields | null
}

/** How an event is matched to installations: by their target, or because an installation is the event's subject. */
type Doors = { readonly [Type in Target['type'] | 'itself']?: string | null }

const LIFECYCLE: Doors = { company: 'read:companies', user: 'read:investments' }
const DOORS = {
  'investment.created': LIFECYCLE,
  'investment.amount_changed': LIFECYCLE,
  'investment.changed': { company: 'read:investments', user: 'read:investments' },
  'offering.opened': { company: 'read:companies' },
  'syndicate_member.joined': { syndicate: 'read:syndicates' },
  'installation.revoked': { itself: null },
  'referral_cohorts.published': {},
} as const satisfies { readonly [Name in EventName]?: Doors }

export type SoakEvent = keyof typeof DOORS
export const INVESTOR_PII = 'read:investors:pii'
export const SOAK_EVENTS = Object.keys(DOORS) as readonly SoakEvent[]
/** The only event that needs no installation. */
export const APP_EVENT = 'referral_cohorts.published'

const doorsOf = (name: EventName): Doors => DOORS[name as SoakEvent]

/** Returns the required scopes, or undefined if the event does not concern the installation. */
export function scopesNeeded(event: HappenedEvent, { id, target }: Installation): readonly string[] | undefined {
  const doors = doorsOf(event.name)
  if ('itself' in doors) return event.installation_id === id ? [] : undefined
  const scope = event[`${target.type}_id`] === target.id ? doors[target.type] : undefined
  if (scope === undefined || scope === null) return undefined
  return isOfIdentityAlone(event) && target.type === 'company' ? [scope, INVESTOR_PII] : [scope]
}

/** "A change that only identity readers can see": for other readers no field differs. */
function isOfIdentityAlone({ name, data }: HappenedEvent): boolean {
  return name === 'investment.changed' && (data['fields'] as readonly string[]).length === 0
}

/** Whether this event is sent to this endpoint, for this installation or, without an installation, for the app. */
export function isAddressed(event: HappenedEvent, installation: Installation | null, endpoint: Endpoint): boolean {
  if (!endpoint.events.includes(event.name)) return false
  if (installation === null) {
    return event.name === APP_EVENT && event.app_id === endpoint.app.id && endpoint.boundTo === null
  }
  if (installation.app !== endpoint.app || scopesNeeded(event, installation) === undefined) return false
  return endpoint.boundTo === null || endpoint.boundTo === installation
}

type Seeing = { readonly event: HappenedEvent; readonly installation: Installation | null; readonly pii: boolean }

/** Whether the delivered data is exactly what this receiver may see. */
export function isRight({ event, installation, pii }: Seeing, body: unknown): boolean {
  const block = installation === null ? {} : { installation: { id: installation.id, target: installation.target } }
  const data = dataFor(event, installation?.target.type ?? null, pii)
  return event.created_at.some((created_at) =>
    isDeepStrictEqual(body, { id: event.id, event: event.name, created_at, mode: 'test', ...block, data }),
  )
}

function dataFor(event: HappenedEvent, on: Target['type'] | null, pii: boolean): Fields {
  const timed = 'occurred_at' in EVENT_EXAMPLES[event.name] ? { occurred_at: event.occurred_at } : {}
  const { investor_totals, ...data } = { ...event.data, ...timed } as Fields
  if (event.identity === null) return data
  if (event.name === 'investment.changed') {
    const fields = on === 'user' || pii ? [data['fields'], event.identity['fields']].flat() : data['fields']
    return { ...data, fields }
  }
  const { email, ...named } = { ...(data['investor'] as Fields), ...(event.identity['investor'] as Fields) }
  const onCompany = on === 'company'
  const investor = onCompany && pii ? { ...named, email } : named
  return { ...data, investor, ...(onCompany ? { investor_totals } : {}) }
}
