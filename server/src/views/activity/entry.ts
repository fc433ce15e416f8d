import type { Fields, VersionStep } from '#http/version-steps.ts'
import { ID_PREFIX, type Id, type IdKind, kindOfId } from '#kernel/ids.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'

export const STATUSES = ['success', 'failure', 'denied'] as const
export type Status = (typeof STATUSES)[number]

/**
 * Who acted: an app, the user (by deciding about an app's proposal), another person who decided about a proposal for the user, or
 * the system (when a proposal expired).
 */
export const ACTORS = ['app', 'user', 'reviewer', 'system'] as const
export type Actor = (typeof ACTORS)[number]

export type Outcome =
  | { readonly status: 'success' }
  /** The type of the error response to the app. */
  | { readonly status: 'failure' | 'denied'; readonly errorType: string }

/** The owner of the activity: a user, or the user that an installation is on. */
export type Owner = { readonly userId: Id<'user'> } | { readonly installationId: Id<'installation'> }

/** What an app did for a user, or tried to. It contains only our own ids and words, no text that a person wrote. */
export type NewEntry = {
  readonly owner: Owner
  readonly appId: Id<'app'>
  readonly actor?: Actor
  /** Dotted, the noun first: `syndicates.close_deal`. */
  readonly action: string
  readonly resourceId: string | null
  readonly changedFields?: readonly string[] | null
  readonly outcome: Outcome
  readonly intentId?: Id<'intent'> | null
  readonly requestId: string | null
}

/** `syndicates.*`, `syndicates.member.*`, or the full name of one action. */
export const ACTION_PATTERN = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*(\\.\\*)?$'

export type WantedActions = { readonly exactly: string | null; readonly beginning: string | null }

/** "action_pattern string (e.g. `syndicates.*`, `syndicates.member.*`)": the star matches the rest of a name at any depth. */
export function wantedActions(pattern: string | undefined): WantedActions {
  if (pattern === undefined) return { exactly: null, beginning: null }
  return pattern.endsWith('.*')
    ? { exactly: null, beginning: pattern.slice(0, -1) }
    : { exactly: pattern, beginning: null }
}

const typeOfKind = (kind: IdKind) => kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The older API's names; accepted as a filter in every version. */
export const OLDER_RESOURCE_TYPES: Readonly<Record<string, string>> = { company: 'Company', syndicate: 'Club' }

/** "`syn_…` for Club": existing clients still filter by the older words. */
export const RESOURCE_TYPES: readonly string[] = [
  ...(Object.keys(ID_PREFIX) as IdKind[]).map(typeOfKind),
  ...Object.values(OLDER_RESOURCE_TYPES),
]

/** The API's name for the type of record that has this id; null if it is not an id. */
function typeOfId(id: string): string | null {
  const kind = kindOfId(id)
  return kind === null ? null : typeOfKind(kind)
}

/** Whether the record with this id is of this type, which may have its current or its older name. */
export function isOfType(id: string, type: string | undefined): boolean {
  const own = typeOfId(id)
  return own !== null && (own === type || OLDER_RESOURCE_TYPES[own] === type)
}

/** Without a well-formed id the action's first word is the type: `installations.create` has the type installations. */
export function resourceType(action: string, id: string | null): string {
  return (id === null ? null : typeOfId(id)) ?? action.split('.', 1)[0] ?? action
}

/** In older versions an entry's id was a UUID, and the types of companies and syndicates had the older names. */
export const ACTIVITY_STEPS: readonly VersionStep[] = [
  {
    name: 'ids and kinds of activity',
    before: '2026-11-01',
    operations: ['listActivity'],
    response: (body, status) => (status === 200 ? { ...(body as Page), data: (body as Page).data.map(older) } : body),
  },
]

/** An entry as the route's schema defines it. */
type Entry = Fields & { readonly id: string; readonly attributes: Fields & { readonly resource_type: string } }
type Page = Fields & { readonly data: readonly Entry[] }

function older({ id, attributes, ...entry }: Entry): Fields {
  const { resource_type: type } = attributes
  const resource_type = OLDER_RESOURCE_TYPES[type] ?? type
  return { id: uuidOf(id), ...entry, attributes: { ...attributes, resource_type } }
}

/** The UUID of an id is always the same: it has version 8 of RFC 9562 and is made from the id's digest. */
function uuidOf(id: string): string {
  const hex = hexDigestOf(id)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
