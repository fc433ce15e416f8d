import { closure } from '#access/scopes/index.ts'
import type { TokenLookup } from '#http/ports.ts'
import type { PublishableCaller } from '#kernel/caller.ts'
import { type ClientId, type Id, parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, hexDigestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { sharedLookup } from '#system/postgres/shared-lookup.ts'
import { checkToken, type TokenCaller } from './check-tokens.ts'
import { parseRefreshToken } from './grants.ts'
import { type Described, describeAccess, describeRefresh, findKey, findTokens, recordUses } from './store.ts'

/**
 * Implements the edge's token lookup for app credentials. One indexed lookup and no cache between requests: every process
 * rejects a revoked, expired, suspended or disabled credential on the next request. Requests that arrive together share one
 * lookup.
 */
export function authenticateTokens(databases: Readonly<Record<World, WorldDatabase>>): TokenLookup {
  const noteUse = installationUses()
  const holderOf = sharedLookup<TokenCaller | 'ended' | null>(async (db, digests) => {
    const tokens = await findTokens(db, digests)
    return tokens.map((token) => {
      if (token === null) return null
      const caller = checkToken(db.world, token)
      if (caller !== null && token.installationId !== null) noteUse(db, token.installationId)
      return caller ?? 'ended'
    })
  })
  return (bearer, digest) => {
    const world = worldOfSecret('at', bearer)
    if (world !== null) {
      return holderOf(databases[world], digest ?? hexDigestOf(bearer))
    }
    const key = parseClientId(bearer)
    return key === null ? UNKNOWN : publishable(databases[key.world], key.id)
  }
}

const UNKNOWN = Promise.resolve(null)

/** "Holds read:public only": the scopes of a publishable key. */
const PUBLIC = closure(['read:public'])

/** "Publishable key: the anonymous public view; sent as Bearer." It is not secret, so it is looked up without hashing. */
async function publishable(db: WorldDatabase, keyId: ClientId): Promise<PublishableCaller | 'ended' | null> {
  const key = await findKey(db, keyId)
  if (key === null) return null
  if (key.state !== 'active') return 'ended'
  return { kind: 'publishable', world: db.world, appId: key.appId, keyId, scopes: PUBLIC, apiVersion: key.apiVersion }
}

export type Introspected = Described & { readonly type: 'access' | 'refresh' }

/**
 * RFC 7662, "own tokens only": null unless the text is a valid token of this client. Introspection does not count as a use of a refresh
 * token: a refresh token that was already rotated is reported as inactive, but its family stays valid.
 */
export async function introspectToken(
  db: WorldDatabase,
  { token, keyId }: { readonly token: string; readonly keyId: ClientId },
): Promise<Introspected | null> {
  if (worldOfSecret('at', token) === db.world) {
    const described = await describeAccess(db, digestOf(token), keyId)
    return described === null ? null : { ...described, type: 'access' }
  }
  const refresh = parseRefreshToken(token)
  if (refresh === null || refresh.world !== db.world) return null
  const described = await describeRefresh(db, refresh, keyId)
  return described === null ? null : { ...described, type: 'refresh' }
}

/** An hour is enough for "last used 3 hours ago". A finer time would need a write on every request. */
const NOTED_EVERY_MS = 3_600_000
/**
 * The maximum of entries, about 10 MB. Beyond it the oldest entries are dropped. The next use of an installation whose entry was
 * dropped is sent to the database even if less than an hour has passed.
 */
const NOTED_MAX = 50_000

/**
 * Records when an installation's tokens were last used, at most once an hour for each. A request only looks into a map: it does
 * not wait for the write, and does not fail if the write fails. All uses to record in one turn of the event loop are written by
 * one statement, and each world runs one such statement at a time.
 */
export function installationUses(nowMs: () => number = Date.now): (db: WorldDatabase, id: Id<'installation'>) => void {
  const noted = new Map<string, number>()
  const due: Record<World, Set<Id<'installation'>>> = { test: new Set(), live: new Set() }
  const busy: Record<World, boolean> = { test: false, live: false }

  async function write(db: WorldDatabase): Promise<void> {
    const { world } = db
    if (busy[world]) return
    busy[world] = true
    try {
      while (due[world].size > 0) {
        const ids = [...due[world]]
        due[world].clear()
        await recordUses(db, ids)
      }
    } catch {
      // These uses are lost. The next use of these installations is recorded if it is at least an hour later.
    } finally {
      busy[world] = false
      // Write the uses that arrived during a failed write. Their own call of `write` returned at once, because this call was
      // running.
      if (due[world].size > 0) setImmediate(() => void write(db))
    }
  }

  return (db, id) => {
    const now = nowMs()
    const before = noted.get(id)
    if (before !== undefined && now - before < NOTED_EVERY_MS) return
    noted.delete(id)
    noted.set(id, now)
    if (noted.size > NOTED_MAX) forgetOldest(noted)
    const isFirst = due[db.world].size === 0
    due[db.world].add(id)
    if (isFirst) setImmediate(() => void write(db))
  }
}

/** A map iterates in the order of insertion, so the first key is the oldest. */
function forgetOldest(noted: Map<string, number>): void {
  const [oldest] = noted.keys()
  if (oldest !== undefined) noted.delete(oldest)
}
