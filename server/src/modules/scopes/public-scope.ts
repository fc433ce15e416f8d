import type { ScopeName } from './catalogue.ts'

/** Every token of an app holds it. A list of scopes names it only to say that it was requested. */
export const PUBLIC_SCOPE: ScopeName = 'read:public'

/** What of these is stored as a grant: "read:public is never stored, never counted". */
export function withoutPublic<Name extends string>(scopes: readonly Name[]): readonly Name[] {
  return scopes.filter((name) => name !== PUBLIC_SCOPE)
}

/** The list as it was requested, from the stored grant and whether read:public was among the names. */
export function withPublic<Name extends string>(
  scopes: readonly Name[],
  requested: boolean,
): readonly (Name | ScopeName)[] {
  return requested ? [PUBLIC_SCOPE, ...withoutPublic(scopes)] : scopes
}

/** Whether everything that was granted is gone. A grant of read:public alone had nothing to lose. */
export function isLost(granted: readonly string[], left: readonly string[]): boolean {
  return withoutPublic(granted).length > 0 && withoutPublic(left).length === 0
}
