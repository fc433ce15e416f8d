import type { Fields, VersionStep } from '#http/version-steps.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'

/** The older API's names; accepted as a filter in every version. */
export const OLDER_RESOURCE_TYPES: Readonly<Record<string, string>> = { company: 'Company', syndicate: 'Club' }

/** In older versions entries had a UUID, and companies and syndicates the older names. */
export const ACTIVITY_STEPS: readonly VersionStep[] = [
  {
    name: 'ids and kinds of activity',
    before: '2026-11-01',
    operations: ['listActivity'],
    response: (body, status) => (status === 200 ? { ...(body as Page), data: (body as Page).data.map(older) } : body),
  },
]

/** The result of the route's own schema. */
type Entry = Fields & { readonly id: string; readonly attributes: Fields & { readonly resource_type: string } }
type Page = Fields & { readonly data: readonly Entry[] }

function older({ id, attributes, ...entry }: Entry): Fields {
  const { resource_type: type } = attributes
  const resource_type = OLDER_RESOURCE_TYPES[type] ?? type
  return { id: uuidOf(id), ...entry, attributes: { ...attributes, resource_type } }
}

/** Always the same for an id: version 8 of RFC 9562, made from the id's digest. */
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
