import type { ScopeNames } from './catalogue.ts'

/**
 * "With write:follows, read:mcp or retired read:follows: every followed company. With read:profile or write:profile
 * without those: the public list." All of them open the list by read:profile:follows; this decides on the rows.
 */
export function seesEveryFollow(granted: ScopeNames): boolean {
  const held = new Set(granted)
  return held.has('write:follows') || held.has('read:mcp') || held.has('read:follows')
}
