import { EDITORS, findApp, requireTeam, type Seat } from '#access/apps/index.ts'
import { countActive, previewNarrowing } from '#access/installations/index.ts'
import { rejectEnded } from '#access/organizations/index.ts'
import { mayCarry, type ScopeName, takesEffectOn } from '#access/scopes/index.ts'
import { previewRevoking } from '#access/tokens/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { additionTo, boundsOf, rejectBlocked, removable } from './change-scopes.ts'

/** `add` is applied before `remove`, like two requests in this order. */
export type WantedChange = { readonly add: readonly string[]; readonly remove: readonly string[] }

export type ScopePreview = {
  /** The scopes that the app would declare. */
  readonly scopes: readonly ScopeName[]
  readonly added: readonly ScopeName[]
  readonly removed: readonly ScopeName[]
  readonly modes: Readonly<Record<World, ModeEffects>>
}

type Counted = { readonly before: number; readonly after: number }

/** The effects of the change in one world. */
export type ModeEffects = {
  readonly installations: Counted & {
    readonly narrowed: number
    readonly disconnected: number
    /**
     * Installations that would stay active and lack an added scope until the app is installed again. A scope that has no effect on the
     * installation's target is ignored.
     */
    readonly lacking_added: number
  }
  readonly access_tokens: Counted & { readonly revoked: number }
  readonly refresh_tokens: Counted & { readonly revoked: number }
  readonly endpoints: Counted & { readonly disabled: number; readonly losing_events: number }
}

/** `main` passes the implementation of the webhooks module, because this module must not import that one. */
export type PreviewEndpoints = (queries: PlatformQueries, change: EndpointChange) => Promise<EndpointEffects>

export type EndpointChange = {
  readonly app: Id<'app'>
  readonly apiVersion: string
  readonly world: World
  /** The installations that would be revoked. */
  readonly disconnected: readonly Id<'installation'>[]
  /** The scopes that the app's installations may have now, and those that they could have afterwards. */
  readonly carried: ReadonlySet<ScopeName>
  readonly left: ReadonlySet<ScopeName>
}

export type EndpointEffects = {
  readonly enabled: number
  readonly disabled: number
  readonly losingEvents: number
}

/**
 * Computes the effects of `addScopes` and `removeScopes` with the same checks and rules. Takes no lock and changes nothing, so the counts
 * may be outdated when the change is made.
 */
export async function previewScopes(
  queries: PlatformQueries,
  { seat, wanted }: { readonly seat: Seat; readonly wanted: WantedChange },
  previewEndpoints: PreviewEndpoints,
): Promise<ScopePreview> {
  await requireTeam(queries, seat, EDITORS)
  const app = await findApp(queries, seat.app)
  if (app === null) throw notFound(`app ${seat.app} is unknown`)
  rejectEnded({ state: app.organization_state }, 'preview_scopes')
  rejectBlocked(app)
  const { scopes: withAdded, added } = additionTo(app, wanted.add)
  const removed = removable(wanted.remove, withAdded)
  const declared = withAdded.filter((name) => !removed.includes(name))
  const change = { app: app.id, declared, added, removed }
  const endpoints = (world: World, disconnected: readonly Id<'installation'>[]) =>
    previewEndpoints(queries, {
      ...{ app: app.id, apiVersion: app.api_version, world, disconnected },
      ...{ carried: mayCarry(app.scopes), left: mayCarry(declared) },
    })
  const effects = inEach((world) => effectsIn(queries, world, change, endpoints))
  return { scopes: declared, added, removed, modes: { test: await effects.test, live: await effects.live } }
}

type Change = {
  readonly app: Id<'app'>
  readonly declared: readonly ScopeName[]
  readonly added: readonly ScopeName[]
  readonly removed: readonly ScopeName[]
}

async function effectsIn(
  queries: PlatformQueries,
  world: World,
  { app, declared, added, removed }: Change,
  previewEndpoints: (world: World, disconnected: readonly Id<'installation'>[]) => Promise<EndpointEffects>,
): Promise<ModeEffects> {
  const { bounds, tokenBounds } = boundsOf(app, { declared, removed })
  // A scope without effect on the target, such as read:profile on a company, does not count as missing.
  const wanted = (place: 'user' | 'company' | 'syndicate') => added.filter((name) => takesEffectOn(name, place))
  const scopes = { user: wanted('user'), company: wanted('company'), syndicate: wanted('syndicate') }
  const { narrowed, disconnected, ending } =
    removed.length === 0 ? NOTHING_ENDS : await previewNarrowing(queries, { ...bounds, world })
  const { active, lacking } = await countActive(queries, world, { app, scopes, ending: disconnected })
  const { accessTokens, refreshTokens } = await previewRevoking(queries, world, { ...tokenBounds, ending })
  const { enabled, disabled, losingEvents } = await previewEndpoints(world, disconnected)
  const after = active - disconnected.length
  return {
    installations: {
      ...{ before: active, after, narrowed, disconnected: disconnected.length, lacking_added: lacking },
    },
    access_tokens: counted(accessTokens, removed),
    refresh_tokens: counted(refreshTokens, removed),
    endpoints: { before: enabled, after: enabled - disabled, disabled, losing_events: losingEvents },
  }
}

const NOTHING_ENDS = { narrowed: 0, disconnected: [], ending: [] }

/** A change that only adds scopes revokes nothing, even if a token has a scope that the app no longer declares. */
function counted({ valid, stopping }: { valid: number; stopping: number }, removed: readonly ScopeName[]) {
  const revoked = removed.length === 0 ? 0 : stopping
  return { before: valid, after: valid - revoked, revoked }
}
