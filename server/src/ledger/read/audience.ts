import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findInstalledOn, type InstalledOn } from './store.ts'

/**
 * "Audience of a token: user token: companies the user edits (installed there or not) and their own; company installation:
 * that company; user installation: that user's own; syndicate installation: 403 `forbidden`."
 */
export type Audience =
  | { readonly kind: 'union'; readonly user: Id<'user'> }
  | { readonly kind: 'company'; readonly company: Id<'company'> }
  | { readonly kind: 'own'; readonly user: Id<'user'> }

export type LedgerCaller = UserCaller | InstallationCaller
/** Synchronous if no lookup is needed. */
export type AudienceLookup = (db: WorldDatabase, caller: LedgerCaller) => Audience | Promise<Audience>

/** How many installations of a world are cached at most. A full cache is emptied before the next one is cached. */
const CACHED_MAX = 10_000

/**
 * An installation never moves to another target, so its target is cached. Whether the installation is active is checked
 * when a request's token is looked up.
 */
export function audienceLookup(): AudienceLookup {
  const cache = new WeakMap<WorldDatabase, Map<Id<'installation'>, InstalledOn>>()
  const lookUp = async (db: WorldDatabase, id: Id<'installation'>) => {
    const target = await findInstalledOn(db, id)
    const cached = cache.get(db) ?? new Map<Id<'installation'>, InstalledOn>()
    cache.set(db, cached)
    if (cached.size >= CACHED_MAX) cached.clear()
    cached.set(id, target)
    return audienceOf(target)
  }
  return (db, caller) => {
    if (caller.kind === 'user') return { kind: 'union', user: caller.userId }
    const cached = cache.get(db)?.get(caller.installationId)
    return cached === undefined ? lookUp(db, caller.installationId) : audienceOf(cached)
  }
}

/**
 * The audience of an installation's token. A user token always has the audience `union`: the companies that the person
 * edits, and the person's own investments.
 */
function audienceOf(target: InstalledOn): Audience {
  switch (target.type) {
    case 'company':
      return { kind: 'company', company: target.id }
    case 'user':
      return { kind: 'own', user: target.id }
    case 'syndicate':
      throw new ApiError('forbidden', {
        public: 'An installation on a syndicate does not see investments of companies.',
        remediation: 'Use the token of an installation on the company, or a user token of a person who edits it.',
      })
  }
}
