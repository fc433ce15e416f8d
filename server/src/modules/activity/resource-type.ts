import { OLDER_RESOURCE_TYPES } from '#http/version-steps/activity.ts'
import { ID_PREFIX, type IdKind, kindOfId } from '#kernel/ids.ts'

const typeOfKind = (kind: IdKind) => kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** "`syn_…` for Club": clients in the field still ask in the older words. */
export const RESOURCE_TYPES: readonly string[] = [
  ...(Object.keys(ID_PREFIX) as IdKind[]).map(typeOfKind),
  ...Object.values(OLDER_RESOURCE_TYPES),
]

/** What kind of thing an id names, in the words of the wire; null for what is no id. */
function typeOfId(id: string): string | null {
  const kind = kindOfId(id)
  return kind === null ? null : typeOfKind(kind)
}

/** Whether an id names a thing of this kind, in our word for it or the older one. */
export function isOfType(id: string, type: string | undefined): boolean {
  const own = typeOfId(id)
  return own !== null && (own === type || OLDER_RESOURCE_TYPES[own] === type)
}

/** Without an id the action says what it was about: `installations.create` about installations. */
export function resourceType(action: string, id: string | null): string {
  return (id === null ? null : typeOfId(id)) ?? action.split('.', 1)[0] ?? action
}
