import { type Static, Type } from 'typebox'
import { Exactly, One, OneOf, OrNull, Resource } from '#access/organizations/http.ts'
import { CONCERNS, type Concern, PICKER } from '#access/scopes/index.ts'
import { signedIn } from '#http/access.ts'
import { listOf, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { AppRecord, showApp } from './app-record.ts'
import { requestPii, requestProgram } from './approvals.ts'
import { HistoryRecord, showHistory } from './history-record.ts'
import { programAt } from './program.ts'
import { AppParam, PageOnly, ProgramBody } from './schemas.ts'
import { EDITORS, requireTeam } from './team.ts'
import { CONDITIONS_VERSION, conditionsUrl } from './usage-conditions.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** A scope as the picker shows it. */
const PickerScope = Resource(
  { id: Type.String(), type: 'scope', title: 'PickerScope' },
  {
    concerns: OneOf(Object.keys(CONCERNS) as Concern[]),
    heading: Type.String(),
    consent: Type.String({ description: 'What people read before they consent.' }),
    sensitive: OrNull(Type.String()),
    implies: Type.Array(Type.String()),
    beta: Type.Boolean(),
  },
)

const PICKER_SCOPES: readonly Static<typeof PickerScope>[] = PICKER.map(
  ({ name, concerns, consent, sensitive, implies, beta }) => ({
    id: name,
    type: 'scope',
    attributes: { concerns, heading: CONCERNS[concerns], consent, sensitive, implies: [...implies], beta },
  }),
)

/** What an app can ask for, what it asked for, and what became of it. */
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
    schema: { response: { 200: One(Exactly({ version: Type.String(), url: Type.String() })) } },
    handler: async () => {
      const data = { version: CONDITIONS_VERSION, url: conditionsUrl(CONDITIONS_VERSION) }
      return { status: 200, body: { data } }
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
