import { Type } from 'typebox'
import { EDITORS, requireRunning, requireTeam } from '#access/apps/index.ts'
import { findOfApp, type Installation } from '#access/installations/index.ts'
import { heldScopes } from '#access/scopes/index.ts'
import { signedIn } from '#http/access.ts'
import { pageQuery, pageSize } from '#http/pagination.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { Scope } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformQueries, WorldDatabase } from '#system/postgres/database.ts'
import { cachedCursors, cursorSealers, type Reader } from './cursors.ts'
import { inspectSync } from './inspect-sync.ts'
import type { TextPage } from './read-ledger.ts'
import { SyncInspection } from './schemas.ts'

export type PortalSyncDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly keys: Keyring
}

/**
 * For the app's team: what `GET /investments` would return now to a token of one installation, and what a cursor means.
 * It shows only what that token may see.
 */
export function portalSyncRoutes({ databases, keys }: PortalSyncDeps): Route[] {
  const cursorsFor = cachedCursors(cursorSealers(keys))
  return [
    route({
      operation: 'inspectAppSync',
      errors: [403, 409],
      method: 'GET',
      path: '/portal/api/apps/:app_id/installations/:id/sync',
      summary: 'Preview an installation’s sync',
      description:
        'Returns the page that `GET /investments` would return now to a token of this installation, from the beginning or from a cursor. Also returns how old the cursor is, how many changes follow it and, if the API rejects it, why. For a user’s own connection, neither the records nor the number of changes are returned: only tokens of the connection read them.',
      tag: 'Portal',
      alias: false,
      access: signedIn(),
      schema: {
        params: exactly({ app_id: idOf('app'), id: idOf('installation') }),
        query: Type.Object(pageQuery()),
        response: { 200: SyncInspection },
      },
      handler: async ({ caller, params: { app_id: app, id }, query, behaviour, requestId }) => {
        await requireTeam(databases.platform.reads, { account: caller.accountId, app }, EDITORS)
        const { world, installation } = await findOfApp(databases, app, id)
        const scopeSet = await usableScopes(databases.platform.reads, installation)
        const { page, ...rest } = await inspectSync(databases[world], {
          ...{ cursorsFor, cursor: query.cursor, size: pageSize(query.per_page) },
          ...{ readers: readersOf(installation, scopeSet), isShown: installation.target.type === 'company' },
          republished: behaviour.republishedReason,
        })
        const data = JSON.stringify({ installation_id: id, mode: world, ...rest })
        const start = `{"data":${data.slice(0, -1)},"page":`
        const end = `},"meta":{"request_id":"${requestId}"}}`
        return { status: 200, body: new StoredJson([Buffer.from(start), ...pageText(page), Buffer.from(end)]) }
      },
    }),
  ]
}

/** The records are stored as JSON text. */
function pageText(page: TextPage | null): readonly Buffer[] {
  if (page === null) return [Buffer.from('null')]
  return [Buffer.from('{"data":['), page.data, Buffer.from(`],"meta":${JSON.stringify(page.meta)}}`)]
}

/**
 * The scopes of the tokens that the app can get for this installation now. Rejects an installation that is
 * revoked, whose app is stopped, or that lacks `read:investments`.
 */
async function usableScopes(platform: PlatformQueries, { id, appId, state, scopes }: Installation) {
  const app = await requireRunning(platform, appId, { event: 'read', doing: 'its tokens read nothing' })
  if (state === 'revoked') {
    throw new ApiError('installation_revoked', {
      public: 'This installation was revoked, so its tokens read nothing.',
      remediation: 'Install the app again: a reinstall is a new installation.',
    })
  }
  const scopeSet = heldScopes(scopes, app.api_version)
  if (scopeSet.has('read:investments')) return scopeSet
  throw new ApiError('insufficient_scope', {
    public: 'This installation lacks the scope read:investments, so its tokens read no investments.',
    remediation: 'Declare the scope for the app, then have it installed again.',
    details: { installation: id, required: ['read:investments'] },
  })
}

/**
 * One reader (audience and right to PII) for each kind of token that an installation can have. On a user's own
 * connection, the user token of the consent also reads the companies that the user edits; an installation token of the
 * connection reads only the user's own investments.
 */
function readersOf({ target }: Installation, scopeSet: ReadonlySet<Scope>): readonly [Reader, ...Reader[]] {
  const pii = scopeSet.has('read:investors:pii')
  switch (target.type) {
    case 'company':
      return [{ audience: { kind: 'company', company: target.id }, pii }]
    case 'user':
      return [
        { audience: { kind: 'union', user: target.id }, pii },
        { audience: { kind: 'own', user: target.id }, pii },
      ]
    case 'syndicate':
      throw new ApiError('forbidden', {
        public: 'An installation on a syndicate does not see investments of companies.',
        remediation: 'Choose an installation on a company.',
      })
  }
}
