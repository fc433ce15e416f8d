import { Type } from 'typebox'
import { EDITORS, findApp, programsOf, requireTeam } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { countTokensOf, lastUses } from '#access/tokens/index.ts'
import { recentlyProven, signedIn } from '#http/access.ts'
import { pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { type Installation, TARGET_TYPES } from '../installation.ts'
import { findOfApp, listFor, readInstallation } from '../installation-access.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import { mintToken } from '../mint-token.ts'
import { missingScopes, requestedScopes } from '../missing-scopes.ts'
import { revokeInstallation } from '../revocations.ts'
import {
  AppInstallation,
  InstallationList,
  InstallationWithToken,
  installationRecord,
  Mode,
  NewAppInstallationToken,
  OneInstallation,
  type Position,
  pagesOf,
  showPage,
  tokenBlock,
  WAYS_OUT,
} from './schemas.ts'

type Deps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
  readonly onRevoked: readonly OnRevoked[]
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const PATH = '/portal/api/apps/:app_id/installations'
const InstallationParam = Type.Object({ app_id: idOf('app'), id: idOf('installation') })

/** Routes for the app's own team, in both worlds. */
export const portalInstallationRoutes = (deps: Deps): Route[] => [
  route({
    ...portal,
    operation: 'listAppInstallations',
    method: 'GET',
    path: PATH,
    summary: 'List an app’s installations',
    description:
      'Returns where the app is installed, newest first. Revoked installations stay in the list for 30 days.',
    schema: {
      params: Type.Object({ app_id: idOf('app') }),
      query: Type.Object({ mode: Type.Optional(Mode), ...pageQuery() }),
      response: { 200: InstallationList },
    },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      const { reads, world } = deps.databases[query.mode ?? 'live']
      const list = (at: Position) => listFor(reads, { app, user: null }, { ...at, targetTypes: TARGET_TYPES })
      const pages = pagesOf(deps.cursors, { list: 'portal_installations', world, app })
      return {
        status: 200,
        body: await showPage(pages, { size: pageSize(query.per_page), cursor: query.cursor }, list),
      }
    },
  }),
  route({
    ...portal,
    operation: 'getAppInstallation',
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Get an app’s installation',
    description:
      'Returns an installation with the scopes that the app asks for and, for each scope that the installation lacks, the reason.',
    schema: { params: InstallationParam, response: { 200: AppInstallation } },
    handler: async ({ caller, params: { app_id: app, id } }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      const { reads } = deps.databases[(await findOfApp(deps.databases, app, id)).world]
      const member = { kind: 'member', appId: app, accountId: caller.accountId } as const
      const installation = await readInstallation(reads, member, { id, targetTypes: TARGET_TYPES })
      return { status: 200, body: { data: await detailOf(deps, reads, installation) } }
    },
  }),
  route({
    ...portal,
    access: recentlyProven(),
    operation: 'createAppInstallationToken',
    method: 'POST',
    path: `${PATH}/:id/tokens`,
    summary: 'Issue an installation token',
    description:
      'Issues a token of an installation on a company or syndicate, for two hours, with all of its scopes or with some of them. The token is shown only once. The app’s history records that it was issued.',
    schema: { params: InstallationParam, body: NewAppInstallationToken, response: { 201: InstallationWithToken } },
    inWorld: async ({ caller, params: { app_id: app, id } }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      return (await findOfApp(deps.databases, app, id)).world
    },
    transaction: async ({ tx, caller, params: { app_id: app, id }, body, requestId, counted }) => {
      const member = { kind: 'member', appId: app, accountId: caller.accountId, keyId: body.key_id } as const
      const wanted = { id, targetTypes: TARGET_TYPES, scopes: body.scopes ?? null, neverExpires: false, requestId }
      const { installation, token } = await mintToken(tx, member, wanted)
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
  route({
    ...portal,
    operation: 'revokeAppInstallation',
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Revoke an app’s installation',
    description: 'Revokes an installation of the app and, at once, every token of it.',
    schema: { params: InstallationParam, response: { 200: OneInstallation } },
    // The transaction is opened here, because the installation's world is known only once it is found.
    handler: async ({ caller, params: { app_id: app, id }, requestId }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      const context = changeContext(requestId, deps)
      const world = (await findOfApp(deps.databases, app, id)).world
      const installation = await deps.databases[world].transaction(async (tx) => {
        const revoked = await revokeInstallation(tx, { id, role: 'partner' }, context)
        const details = { installation: id, mode: world }
        const entry = { actor: caller.accountId, action: 'installation.revoked', subject: app, details }
        if (revoked.ended) await recordAuditIn(tx, entry)
        return revoked.installation
      })
      return { status: 200, body: { data: installationRecord(installation) } }
    },
  }),
]

/** The record, with details that show the app's team why a token lacks a scope. */
async function detailOf({ databases }: Deps, reads: WorldQueries, installation: Installation) {
  const { id, appId } = installation
  const [app, programs, uses, tokens] = await Promise.all([
    findApp(databases.platform.reads, appId),
    programsOf(databases.platform.reads, [appId]),
    lastUses(reads, [id]),
    countTokensOf(reads, id),
  ])
  if (app === null) throw notFound(`${appId} is unknown`)
  const wishes = { scopes: app.scopes, piiApproved: app.pii_approved_at !== null, programs }
  return {
    ...installationRecord(installation),
    mode: reads.world,
    requested_scopes: [...requestedScopes(installation, wishes)],
    missing_scopes: missingScopes(installation, wishes).map((one) => ({ ...one, remedy: WAYS_OUT[one.reason] })),
    last_used_at: uses.get(id) ?? null,
    valid_tokens: tokens,
  }
}
