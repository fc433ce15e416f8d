import type { Id } from '#kernel/ids.ts'
import type { Permission } from '#modules/syndicates/index.ts'

/** Who has the last word: those who run the syndicate, or the very person in whose name something is posted. */
export type Deciders = 'managers' | 'proposer'

type Person = {
  readonly userId: Id<'user'>
  /** What they are in the syndicate it concerns; null for nobody. */
  readonly permission: Permission | null
}

export type Say = { readonly sees: boolean; readonly approves: boolean; readonly rejects: boolean }

/**
 * "Proposer can never be approver; approval only by a user with permission on the resource", which is full access: an
 * operator proposes. An installation is nobody, so whoever runs the syndicate may approve what it proposed.
 * "comments.create: only requester approves." Whoever proposed something may take it back.
 */
export function sayOf(deciders: Deciders, proposer: Id<'user'> | null, { userId, permission }: Person): Say {
  const proposed = proposer === userId
  if (deciders === 'proposer') return { sees: proposed, approves: proposed, rejects: proposed }
  const full = permission === 'full_access'
  const sees = full || (proposed && permission !== null)
  return { sees, approves: full && !proposed, rejects: sees }
}
