import { serverKeyHolder } from '#access/oauth/http.ts'
import { areStillAllowed, type Watcher } from '#access/requests/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import type { Caller, Scope } from '#kernel/caller.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import type { WebhookCaller } from '../endpoints/manager.ts'
import { findOnTeam } from './read-store.ts'

/** The credential that opened a stream: a token or server key, or the session of a person on the app's team. */
export type Credential = TokenCredential | ({ readonly kind: 'session' } & Watcher)

type TokenCredential = { readonly kind: 'token'; readonly caller: WebhookCaller; readonly bearer: string | null }

/**
 * Returns for each credential whether a request with it would still be served. Checks all of them with few statements.
 */
export type StillHeld = (credentials: readonly Credential[]) => Promise<readonly boolean[]>

type Deps = { readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase } }

const SCOPE: Scope = 'read:webhooks'

/**
 * Repeats the checks of a request while the stream is open: the token or key is valid and holds the scope, and a person
 * is on the app's team. Lookups in the same turn of the event loop share their statements.
 */
export function credentialChecks({ databases }: Deps, world: World): StillHeld {
  const ofToken = authenticateTokens(databases)
  const ofKey = serverKeyHolder(databases)
  const holderOf = async ({ caller, bearer }: TokenCredential): Promise<Caller | null> => {
    if (caller.kind === 'server_key') return ofKey(caller)
    const holder = bearer === null ? null : await ofToken(bearer)
    return holder === 'ended' ? null : holder
  }
  const areTokensHeld = async (credentials: readonly TokenCredential[]): Promise<readonly boolean[]> => {
    const holders = await Promise.all(credentials.map(holderOf))
    const users = holders.flatMap((one) => (one?.kind === 'user' ? [{ user: one.userId, app: one.appId }] : []))
    const found = await findOnTeam(databases.platform.reads, world, users)
    const team = new Set(found.map(({ user, app }) => `${user} ${app}`))
    return holders.map((holder) => {
      if (holder === null || holder.kind === 'operator' || !holder.scopes.has(SCOPE)) return false
      return holder.kind !== 'user' || team.has(`${holder.userId} ${holder.appId}`)
    })
  }
  return async (credentials) => {
    const tokens = credentials.filter((one) => one.kind === 'token')
    const sessions = credentials.filter((one) => one.kind === 'session')
    const [heldTokens, heldSessions] = await Promise.all([
      areTokensHeld(tokens),
      sessions.length === 0 ? [] : areStillAllowed(databases.platform.reads, sessions),
    ])
    const held = new Map<Credential, boolean>([
      ...tokens.map((one, at) => [one, heldTokens[at] === true] as const),
      ...sessions.map((one, at) => [one, heldSessions[at] === true] as const),
    ])
    return credentials.map((one) => held.get(one) === true)
  }
}
