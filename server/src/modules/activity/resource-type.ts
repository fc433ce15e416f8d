import { ID_PREFIX, type IdKind, kindOfId } from '#kernel/ids.ts'

const typeOfKind = (kind: IdKind) => kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const RESOURCE_TYPES: readonly string[] = (Object.keys(ID_PREFIX) as IdKind[]).map(typeOfKind)

/** What kind of thing an id names, in the words of the wire; null for what is no id. */
export function typeOfId(id: string): string | null {
  const kind = kindOfId(id)
  return kind === null ? null : typeOfKind(kind)
}

/** Without an id the action says what it was about: `installations.create` about installations. */
export function resourceType(action: string, id: string | null): string {
  return (id === null ? null : typeOfId(id)) ?? action.split('.', 1)[0] ?? action
}
