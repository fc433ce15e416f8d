import { Type } from 'typebox'
import { type NotifyAppTeam, PROGRAM_NAMES, type ProgramName } from '#access/apps/index.ts'
import type { OnRevoked } from '#access/installations/index.ts'
import { liveOperator, signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly } from '#http/schema-fields.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import {
  type Addition as Added,
  addScopes,
  type CountEnabledEndpoints,
  type RemovalContext,
  type Removal as Removed,
  removeScopes,
  removeScopesByOperator,
  withdrawProgram,
} from './change-scopes.ts'
import { type PreviewEndpoints, previewScopes, type ScopePreview } from './preview-scopes.ts'

export type ScopeChangeDeps = {
  /** The platform's own name, which is recorded as the role for changes by its staff. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
  readonly notify: NotifyAppTeam
  readonly previewEndpoints: PreviewEndpoints
  readonly countEnabledEndpoints: CountEnabledEndpoints
}

/** Routes for "changing an app's scopes", by its team and by the platform. Most other routes of apps are in the apps module. */
export const scopeChangeRoutes = (deps: ScopeChangeDeps): Route[] => [
  route({
    operation: 'addAppScopes',
    method: 'POST',
    path: '/portal/api/apps/:app_id/scopes',
    alias: false,
    summary: 'Add scopes to an app',
    description: 'Declares more scopes on the app. Existing tokens and installations keep exactly the scopes they had.',
    tag: 'Portal',
    access: signedIn(),
    schema: { params: AppParam, body: ScopeChange, response: { 200: Addition } },
    platform: async ({ ptx, caller, params, body }) => {
      const added = await addScopes(ptx, { account: caller.accountId, app: params.app_id }, body.scopes)
      return { status: 200, body: shownAddition(params.app_id, added) }
    },
  }),
  route({
    operation: 'removeAppScopes',
    method: 'POST',
    path: '/portal/api/apps/:app_id/scopes/remove',
    alias: false,
    summary: 'Remove scopes from an app',
    description:
      'Removes scopes from the app and, at once, from its keys, installations, codes and tokens in both worlds.',
    tag: 'Portal',
    access: signedIn(),
    schema: { params: AppParam, body: ScopeChange, response: { 200: Removal } },
    platform: async ({ ptx, caller, params, body, requestId }) => {
      const seat = { account: caller.accountId, app: params.app_id }
      const removed = await removeScopes(ptx, { seat, scopes: body.scopes }, context(deps, requestId))
      await deps.notify(ptx, removalNotice(seat.app, 'team', removed))
      return { status: 200, body: shownRemoval(params.app_id, removed) }
    },
  }),
  route({
    operation: 'previewAppScopes',
    method: 'POST',
    path: '/portal/api/apps/:app_id/scopes/preview',
    alias: false,
    summary: 'Preview a scope change',
    description:
      'Returns what adding and then removing these scopes would do in each mode, and changes nothing. A change that would be rejected is rejected here with the same error.',
    tag: 'Portal',
    access: signedIn(),
    schema: { params: AppParam, body: WantedScopes, response: { 200: Preview } },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      const wanted = { add: body.add ?? [], remove: body.remove ?? [] }
      const previewing = { seat: { account: caller.accountId, app }, wanted }
      const preview = await previewScopes(ptx, previewing, deps.previewEndpoints)
      return { status: 200, body: shownPreview(app, preview) }
    },
  }),
  route({
    operation: 'removeAppScopesByOperator',
    method: 'POST',
    path: '/platform/apps/:app_id/scopes/remove',
    alias: false,
    summary: 'Remove scopes as the operator',
    description:
      'Removes scopes from an app, whether its team or the operator added them. This works while the app is suspended or disabled, too.',
    tag: 'Platform partners',
    access: liveOperator('compliance', 'partner'),
    schema: { params: AppParam, body: ScopeChange, response: { 200: Removal } },
    platform: async ({ ptx, caller, params, body, requestId }) => {
      const by = { app: params.app_id, actor: caller.actor, role: deps.brand }
      const removed = await removeScopesByOperator(ptx, { by, scopes: body.scopes }, context(deps, requestId))
      await deps.notify(ptx, removalNotice(by.app, 'platform', removed))
      return { status: 200, body: shownRemoval(params.app_id, removed) }
    },
  }),
  route({
    operation: 'withdrawAppProgram',
    method: 'DELETE',
    path: '/platform/apps/:app_id/programs/:program',
    alias: false,
    summary: 'Withdraw an access program',
    description:
      'Withdraws an access program from an app together with the scopes that the program added, or declines the app’s request for the program.',
    tag: 'Platform partners',
    access: liveOperator('compliance', 'partner'),
    schema: { params: ProgramParam, response: { 200: Removal } },
    platform: async ({ ptx, caller, params, requestId }) => {
      const by = { app: params.app_id, actor: caller.actor, role: deps.brand }
      const removed = await withdrawProgram(ptx, { by, program: params.program }, context(deps, requestId))
      if (removed.removed.length > 0) await deps.notify(ptx, removalNotice(by.app, 'platform', removed))
      return { status: 200, body: shownRemoval(params.app_id, removed) }
    },
  }),
]

function context({ onRevoked, countEnabledEndpoints }: ScopeChangeDeps, requestId: string): RemovalContext {
  return { cause: requestId, caused: [], onRevoked, countEnabledEndpoints }
}

function removalNotice(app: Id<'app'>, by: 'team' | 'platform', { scopes: _declared, removed, ...stopped }: Removed) {
  return { kind: 'app.scopes_removed' as const, app, by, scopes: removed, stopped }
}

function shownAddition(id: Id<'app'>, { scopes, added }: Added) {
  return { data: { id, type: 'scope_addition' as const, attributes: { scopes: [...scopes], added: [...added] } } }
}

function shownRemoval(id: Id<'app'>, { scopes, removed, ...counts }: Removed) {
  const attributes = { ...counts, scopes: [...scopes], removed: [...removed] }
  return { data: { id, type: 'scope_removal' as const, attributes } }
}

function shownPreview(id: Id<'app'>, { scopes, added, removed, modes }: ScopePreview) {
  const attributes = { scopes: [...scopes], added: [...added], removed: [...removed], modes }
  return { data: { id, type: 'scope_preview' as const, attributes } }
}

const AppId = Type.Unsafe<Id<'app'>>(Type.String({ pattern: idPattern('app') }))

const AppParam = exactly({ app_id: AppId })

const ProgramParam = exactly({
  app_id: AppId,
  program: Type.Unsafe<ProgramName>(Type.Enum([...PROGRAM_NAMES], { type: 'string' })),
})

/** The schema accepts any strings, so that one error can list all unknown and unusable names. */
const names = (minItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems, maxItems: 100, uniqueItems: true })

const OptionalNames = names(0)

const ScopeChange = exactly({ scopes: names(1) }, 'ScopeChange')

const WantedScopes = exactly(
  { add: Type.Optional(OptionalNames), remove: Type.Optional(OptionalNames) },
  'WantedScopes',
)

const Declared = Type.Array(Type.String(), { description: 'The scopes that the app declares now.' })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Addition = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('scope_addition'),
      attributes: exactly({
        scopes: Declared,
        added: Type.Array(Type.String(), { description: 'The scopes that the app did not declare before.' }),
      }),
    }),
  },
  'ScopeAddition',
)

const Removal = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('scope_removal'),
      attributes: exactly({
        scopes: Declared,
        removed: Type.Array(Type.String()),
        installs_narrowed: Count('Installations that lost a scope and keep others.'),
        installs_disconnected: Count('Installations that had no scope left and are revoked.'),
        tokens_revoked: Count('Valid access tokens that were revoked.'),
        refresh_tokens_revoked: Count('Valid refresh tokens that were revoked.'),
        endpoints_disabled: Count('Enabled webhook endpoints that were bound to an installation that is revoked.'),
      }),
    }),
  },
  'ScopeRemoval',
)

const COUNTED = { before: Count('How many there are now.'), after: Count('How many there would be.') }
const REVOKED = { ...COUNTED, revoked: Count('Valid tokens that would be revoked.') }

const ModePreview = exactly(
  {
    installations: exactly({
      ...COUNTED,
      narrowed: Count('Installations that would lose a scope and keep others.'),
      disconnected: Count('Installations that would have no scope left and be revoked.'),
      lacking_added: Count(
        'Installations that would stay active, but lack an added scope until the app is installed or connected again.',
      ),
    }),
    access_tokens: exactly(REVOKED),
    refresh_tokens: exactly(REVOKED),
    endpoints: exactly({
      ...COUNTED,
      disabled: Count('Endpoints that are bound to an installation that would be revoked.'),
      losing_events: Count(
        'Endpoints that would stay enabled and no longer receive some of the events that they subscribe to.',
      ),
    }),
  },
  'ScopePreviewInMode',
)

const Preview = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('scope_preview'),
      attributes: exactly({
        scopes: Type.Array(Type.String(), { description: 'The scopes that the app would declare.' }),
        added: Type.Array(Type.String(), { description: 'The scopes of `add` that the app does not declare yet.' }),
        removed: Type.Array(Type.String()),
        modes: exactly({ test: ModePreview, live: ModePreview }),
      }),
    }),
  },
  'ScopePreview',
)
