import { type Static, Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { One, Resource } from '#access/organizations/http.ts'
import {
  CONCERNS,
  type Concern,
  inCatalogueOrder,
  isScopeName,
  type Obtained,
  PICKER,
  SCOPE_CATALOGUE,
  SCOPE_PLACES,
  takesEffectOn,
} from '#access/scopes/index.ts'
import { liveOperator, signedIn } from '#http/access.ts'
import { listOf, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { conditionsUrl, type NotifyAppTeam, PROGRAM_NAMES, programAt, REQUEST_KINDS, type RequestKind } from './app.ts'
import { AppRecord, HistoryRecord, showApp, showHistory } from './app-record.ts'
import {
  addToApp,
  approveApp,
  approvePii,
  declineRequest,
  grantProgram,
  requestApproval,
  requestPii,
  requestProgram,
  unapproveApp,
} from './approvals.ts'
import { conditionsInForce } from './conditions-store.ts'
import { acceptConditions } from './create-app.ts'
import { EDITORS, lockLiveApp, requireTeam } from './lock-app.ts'
import { AppParam, PageOnly, ProgramBody, ReasonBody, ScopeList } from './schemas.ts'

const platform = { tag: 'Platform partners', alias: false, access: liveOperator('compliance', 'partner') } as const

/**
 * Routes by which the operator decides about an app's approvals, programs and scopes. Withdrawing a program, a scope or the PII approval
 * also affects installations and issued tokens, so the routes for that are in the modules `installations` and `oauth`.
 */
export const approvalRoutes = ({ notify }: { readonly notify: NotifyAppTeam }): Route[] => [
  route({
    ...platform,
    operation: 'approveApp',
    method: 'POST',
    path: '/platform/apps/:app_id/approve',
    summary: 'Approve an app',
    description:
      'Approves an app, so that people outside its team can install it. The consent page no longer warns that the app was not reviewed.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await approveApp(ptx, { app, actor: caller.actor, notify })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'unapproveApp',
    method: 'POST',
    path: '/platform/apps/:app_id/unapprove',
    summary: 'Withdraw an app’s approval',
    description:
      'Withdraws the approval: people outside the app’s team can no longer install the app. Existing installations stay.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await unapproveApp(ptx, { app, actor: caller.actor })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'approvePii',
    method: 'POST',
    path: '/platform/apps/:app_id/pii_approval',
    summary: 'Approve investor PII',
    description: 'Approves an app for investor PII. Existing installations do not gain `read:investors:pii`.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await approvePii(ptx, { app, actor: caller.actor, notify })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'grantProgram',
    method: 'POST',
    path: '/platform/apps/:app_id/programs',
    summary: 'Grant an access program',
    description: 'Admits an app to an access program and adds the program’s scopes to the app.',
    schema: { params: AppParam, body: ProgramBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { program, tier } }) => {
      await grantProgram(ptx, { app, actor: caller.actor, notify }, programAt(program, tier))
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'declineAppRequest',
    method: 'POST',
    path: '/platform/apps/:app_id/requests/decline',
    summary: 'Decline a team’s request',
    description:
      'Declines a waiting request of a team: for the approval of the app, for investor PII, or for a program. The team gets the reason by mail, and can ask again.',
    schema: { params: AppParam, body: DeclineBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { kind, program = null, reason } }) => {
      if ((kind === 'program') !== (program !== null)) throw programMismatch(kind)
      await declineRequest(ptx, { app, actor: caller.actor, notify }, { kind, program, reason })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'addPlatformScopes',
    method: 'POST',
    path: '/platform/apps/:app_id/scopes',
    summary: 'Add operator-only scopes',
    description: 'Adds scopes that the app’s team cannot select by itself.',
    schema: {
      params: AppParam,
      body: exactly({ scopes: ScopeList }, 'ScopesToAdd'),
      response: { 200: One(AppRecord) },
    },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await addPlatformScopes(ptx, { app, actor: caller.actor }, body.scopes)
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
]

const DeclineBody = exactly(
  {
    kind: oneOf(REQUEST_KINDS),
    program: Type.Optional(oneOf(PROGRAM_NAMES, 'For the kind `program`.')),
    reason: ReasonBody.properties.reason,
  },
  'DeclinedRequest',
)

function programMismatch(kind: RequestKind) {
  const message = kind === 'program' ? 'is required: name the program' : 'is only for the kind program'
  return validationError([{ field: 'program', code: kind === 'program' ? 'required' : 'unexpected', message }])
}

/**
 * Why the platform cannot add a scope here; null if it can. It can add scopes that are "Available, not selectable
 * (added by the platform …)". A removed scope that is not self-serve can be restored too: "only the platform can add
 * it back". An app gets all other scopes in another way or never: "admin:read, admin:write and admin:attribution are
 * internal and never granted to partner apps".
 */
const WHY_NOT: Readonly<Record<Obtained, string | null>> = {
  platform: null,
  kept: null,
  creation: 'every app has it',
  picker: 'the app’s team selects it',
  implied: 'it comes with a scope that includes it',
  program: 'it comes with its program',
  assistant: 'it is not offered to apps',
  never: 'it is never granted to apps',
}

function rejectNotThePlatforms(scopes: readonly string[]): void {
  const reasons = scopes.flatMap((name) => {
    const why = isScopeName(name) ? WHY_NOT[SCOPE_CATALOGUE[name].obtained] : 'there is no such scope'
    return why === null ? [] : [{ name, why }]
  })
  if (reasons.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${reasons.map(({ name, why }) => `${name} (${why})`).join(', ')}.`,
    remediation: 'Name only scopes that the platform adds to an app one by one.',
    details: { scopes: reasons.map(({ name }) => name) },
  })
}

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/**
 * Allowed even if the app is suspended or disabled, but not after its organization has ended. Existing tokens and installations do not
 * gain the scopes.
 */
async function addPlatformScopes(
  tx: PlatformTx,
  { app: id, actor }: ByOperator,
  scopes: readonly string[],
): Promise<void> {
  rejectNotThePlatforms(scopes)
  const app = await lockLiveApp(tx, id, 'add_scopes')
  const added = await addToApp(tx, app, inCatalogueOrder(scopes))
  if (added.length === 0) return
  await recordAudit(tx, { actor, action: 'app.scopes_added', subject: id, details: { added } })
}

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** A scope with the data that the picker shows. */
const PickerScope = Resource(
  { id: Type.String(), type: 'scope', title: 'PickerScope' },
  {
    concerns: oneOf(Object.keys(CONCERNS) as Concern[]),
    heading: Type.String(),
    consent: Type.String({ description: 'What people read before they consent.' }),
    sensitive: nullable(Type.String()),
    implies: Type.Array(Type.String()),
    beta: Type.Boolean(),
    takes_effect_on: Type.Array(oneOf(SCOPE_PLACES), {
      description:
        '`user`: people who connect the app; `company`, `syndicate`: companies and syndicates on which the app is installed; `app`: the app itself, by client credentials. In other places the scope has no effect.',
    }),
  },
)

const PICKER_SCOPES: readonly Static<typeof PickerScope>[] = PICKER.map(
  ({ name, concerns, consent, sensitive, implies, beta }) => ({
    id: name,
    type: 'scope',
    attributes: {
      ...{ concerns, heading: CONCERNS[concerns], consent, sensitive, implies: [...implies], beta },
      takes_effect_on: SCOPE_PLACES.filter((place) => takesEffectOn(name, place)),
    },
  }),
)

/** Routes by which an app's team lists scopes, accepts usage conditions, requests approvals and programs, and reads the app's history. */
export const requestRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...portal,
    operation: 'listPickerScopes',
    method: 'GET',
    path: '/portal/api/scopes',
    summary: 'List selectable scopes',
    description: 'Returns the scopes that an app’s team can select by itself, in the order to show them.',
    schema: { query: PageOnly, response: { 200: listOf(PickerScope) } },
    handler: async ({ query, behaviour: { unpagedLists: lists } }) => {
      const body = shortListPage({
        ...{ rows: PICKER_SCOPES, query, lists, cursors, kind: { kind: 'picker_scopes', version: 1 } },
        place: (scope) => [PICKER_SCOPES.indexOf(scope)],
        item: (scope) => scope,
      })
      return { status: 200, body }
    },
  }),
  route({
    ...portal,
    operation: 'readUsageConditions',
    method: 'GET',
    path: '/portal/api/usage_conditions',
    summary: 'Get the usage conditions',
    description:
      'Returns the version of the usage conditions in force and where to read it. Every new app must accept it.',
    schema: { response: { 200: One(exactly({ version: Type.String(), url: Type.String() })) } },
    handler: async () => {
      const version = await conditionsInForce(platform.reads)
      const data = { version, url: conditionsUrl(version) }
      return { status: 200, body: { data } }
    },
  }),
  route({
    ...portal,
    operation: 'acceptUsageConditions',
    method: 'POST',
    path: '/portal/api/apps/:app_id/conditions',
    summary: 'Accept newer usage conditions',
    description:
      'Accepts the version of the usage conditions in force for an app that accepted an older one. The earlier acceptance stays on record. Accepting the same version again changes nothing.',
    schema: {
      params: AppParam,
      body: exactly(
        {
          accepted_conditions: Type.String({ description: 'The version that you have read and accept for this app.' }),
        },
        'ConditionsToAccept',
      ),
      response: { 200: One(AppRecord) },
    },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await acceptConditions(ptx, { account: caller.accountId, app }, body.accepted_conditions)
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'requestAppApproval',
    method: 'POST',
    path: '/portal/api/apps/:app_id/approval_request',
    summary: 'Request the app’s approval again',
    description:
      'Asks the platform to approve the app after the platform declined or withdrew the approval. A new app waits for its approval without this request.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await requestApproval(ptx, { account: caller.accountId, app })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'requestPiiApproval',
    method: 'POST',
    path: '/portal/api/apps/:app_id/pii_request',
    summary: 'Request investor PII approval',
    description: 'Asks the platform to approve the app for investor PII.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await requestPii(ptx, { account: caller.accountId, app })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'requestProgram',
    method: 'POST',
    path: '/portal/api/apps/:app_id/program_requests',
    summary: 'Request an access program',
    description: 'Asks the platform to admit the app to an access program.',
    schema: { params: AppParam, body: ProgramBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { program, tier } }) => {
      await requestProgram(ptx, { account: caller.accountId, app }, programAt(program, tier))
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'listAppHistory',
    method: 'GET',
    path: '/portal/api/apps/:app_id/history',
    summary: 'Get an app’s history',
    description: 'Returns what was done to an app and who did it, newest first.',
    schema: { params: AppParam, query: PageOnly, response: { 200: listOf(HistoryRecord) } },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      await requireTeam(platform.reads, { account: caller.accountId, app }, EDITORS)
      return { status: 200, body: await showHistory({ queries: platform.reads, cursors }, app, query) }
    },
  }),
]
