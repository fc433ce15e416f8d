import { type Static, Type } from 'typebox'
import { Resource, Time } from '#access/organizations/http.ts'
import { ORGANIZATION_STATES } from '#access/organizations/index.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { OperatorCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseClientId, parseId } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { APP_STATES, type App, type AppProgram, conditionsUrl, PROGRAM_NAMES } from './app.ts'
import { logoUrl } from './client-store.ts'
import { conditionsInForce } from './conditions-store.ts'
import { whyUndeletable } from './delete-app.ts'
import { statusOf } from './lock-app.ts'
import { programsOf } from './state-store.ts'
import { findApp, type HistoryEntry, listHistory, wasThere } from './store.ts'

const Program = exactly({
  program: oneOf(PROGRAM_NAMES),
  tier: nullable(Type.Integer()),
  requested_at: nullable(Time),
  approved_at: nullable(Time),
})

/** The record of an app for its team and for the platform. */
export const AppRecord = Resource(
  { id: idOf('app'), type: 'app', title: 'App' },
  {
    name: Type.String(),
    description: nullable(Type.String()),
    website_url: nullable(Type.String()),
    logo_url: nullable(Type.String({ description: 'The logo’s address on this host. A new logo has a new address.' })),
    setup_url: nullable(Type.String({ description: 'Where people are sent after they installed the app.' })),
    organization: exactly({ id: idOf('organization'), name: Type.String(), status: oneOf(ORGANIZATION_STATES) }),
    status: oneOf([...APP_STATES, 'ended']),
    suspended_at: nullable(Time),
    suspended_reason: nullable(Type.String()),
    disabled_at: nullable(Time),
    api_version: Type.String({ description: 'The API version for requests that name no version.' }),
    scopes: Type.Array(Type.String(), { description: 'The declared scopes. Every app also has read:public.' }),
    approved_at: nullable(Time),
    approval: exactly({
      requested_at: nullable(Time, 'When the team asked for the approval again.'),
      declined_at: nullable(Time, 'When the platform last declined the request for approval or withdrew the approval.'),
    }),
    pii: exactly({ requested_at: nullable(Time), approved_at: nullable(Time) }),
    programs: Type.Array(Program),
    conditions: exactly({
      version: Type.String(),
      url: Type.String({ description: 'The address of the page with this version, on this host.' }),
      accepted_by: idOf('account'),
      accepted_at: Time,
      newer: nullable(
        exactly({ version: Type.String(), url: Type.String() }),
        'The version in force, if it was not accepted for the app. The app’s team can accept it. Until then the version in `version` holds.',
      ),
    }),
    deletable: Type.Boolean({
      description:
        'True if the app was never approved, never got a live token, was never installed, and is not suspended. Always false after the organization’s access was ended. Consents in the test world do not count as installations.',
    }),
    created_at: Time,
  },
)

type Beside = {
  readonly programs: readonly AppProgram[]
  /** The version of the usage conditions that is in force. */
  readonly inForce: string
}

export function appRecord(app: App, { programs, inForce }: Beside): Static<typeof AppRecord> {
  const { id, name, description, website_url, setup_url, api_version, approved_at, created_at } = app
  const { suspended_at, suspended_reason, disabled_at } = app
  return {
    id,
    type: 'app',
    attributes: {
      ...{ name, description, website_url, logo_url: logoUrl(id, app.logo_digest), setup_url },
      organization: { id: app.organization_id, name: app.organization_name, status: app.organization_state },
      status: statusOf(app),
      ...{ suspended_at, suspended_reason, disabled_at, api_version, scopes: [...app.scopes], approved_at },
      approval: { requested_at: app.approval_requested_at, declined_at: app.approval_declined_at },
      pii: { requested_at: app.pii_requested_at, approved_at: app.pii_approved_at },
      programs: programs.filter(({ app_id }) => app_id === id),
      conditions: {
        version: app.conditions_version,
        url: conditionsUrl(app.conditions_version),
        accepted_by: app.conditions_accepted_by,
        accepted_at: app.conditions_accepted_at,
        newer: app.conditions_version < inForce ? { version: inForce, url: conditionsUrl(inForce) } : null,
      },
      deletable: app.organization_state === 'active' && whyUndeletable(app).length === 0,
      created_at,
    },
  }
}

export async function showApps(queries: PlatformQueries, apps: readonly App[]) {
  const programs = await programsOf(
    queries,
    apps.map(({ id }) => id),
  )
  const inForce = await conditionsInForce(queries)
  return apps.map((app) => appRecord(app, { programs, inForce }))
}

export async function showApp(queries: PlatformQueries, id: Id<'app'>): Promise<{ data: Static<typeof AppRecord> }> {
  const app = await findApp(queries, id)
  if (app === null) throw notFound(`app ${id} is unknown`)
  const programs = await programsOf(queries, [id])
  return { data: appRecord(app, { programs, inForce: await conditionsInForce(queries) }) }
}

/** `key`: the app's server acted with one of the app's keys, without a signed-in person. */
const ActorType = oneOf(['member', 'key', 'platform', 'system'])
const Actor = exactly({
  type: ActorType,
  id: nullable(Type.String({ description: 'The account (`acct_…`) or the app’s own key (`pk_…`) that acted.' })),
  name: nullable(Type.String({ description: 'The name of the account or of the key.' })),
})
const NamedActor = exactly({
  type: ActorType,
  id: nullable(
    Type.String({
      description: 'The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted.',
    }),
  ),
  name: nullable(Type.String({ description: 'The name of the account or of the key.' })),
})

const ENTRY = { at: Time, action: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) }

/** A history entry for the app's team. */
export const HistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'HistoryEntry' },
  { ...ENTRY, actor: Actor },
)

/** A history entry for operators. */
export const PlatformHistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'PlatformHistoryEntry' },
  { ...ENTRY, actor: NamedActor, reason: nullable(Type.String({ description: 'The reason that the operator gave.' })) },
)

function entryWith<A extends object>({ id, at, action, details }: HistoryEntry, more: A) {
  const attributes = { at, action, details: JSON.parse(details) as Record<string, unknown>, ...more }
  return { id, type: 'history_entry' as const, attributes }
}

const PLATFORM = { type: 'platform', id: null, name: null } as const

/** Partners see that the platform acted, but not with which key or by which person. */
function actorOf({ actor, actor_name, by_operator }: HistoryEntry): Static<typeof Actor> {
  if (by_operator) return PLATFORM
  const account = parseId('account', actor)
  if (account !== null) return { type: 'member', id: account, name: actor_name }
  const key = parseClientId(actor)
  if (key !== null) return { type: 'key', id: key.id, name: actor_name }
  return actor === 'system' ? { type: 'system', id: null, name: null } : PLATFORM
}

/** Operators see which of their keys or staff members acted. */
function namedActorOf(entry: HistoryEntry): Static<typeof NamedActor> {
  const { actor: id, actor_name: name, by_operator } = entry
  // In entries from before staff roles existed, `by_operator` is always false, so the prefix of the actor's id decides.
  const isOperator = by_operator || parseId('operatorKey', id) !== null
  return isOperator ? { type: 'platform', id, name } : actorOf(entry)
}

const KIND = { kind: 'app_history', version: 1 }

type PageQuery = { readonly per_page?: number; readonly cursor?: string }

type Reading = { readonly queries: PlatformQueries; readonly cursors: CursorSealer }

/** The history of an app, for its team. */
export async function showHistory(reading: Reading, app: Id<'app'>, query: PageQuery) {
  return historyPage(reading, app, query, (entry) => entryWith(entry, { actor: actorOf(entry) }))
}

/** Only staff roles above viewer see names, addresses and reasons. A reason may name a person too. */
export const seesPeople = ({ role }: OperatorCaller): boolean => role !== 'viewer'

/** An entry for an operator. Without `named` it has neither the actor's name nor the reason. */
export function platformEntry(entry: HistoryEntry, named: boolean): Static<typeof PlatformHistoryRecord> {
  const actor = namedActorOf(entry)
  return entryWith(entry, { actor: named ? actor : { ...actor, name: null }, reason: named ? entry.reason : null })
}

/** The history of an app, for operators. A deleted app still has a history, because its removal duties stay. */
export async function showPlatformHistory(
  reading: Reading,
  app: Id<'app'>,
  { query, named }: { readonly query: PageQuery; readonly named: boolean },
) {
  if (!(await wasThere(reading.queries, app))) throw notFound(`app ${app} is unknown`)
  return historyPage(reading, app, query, (entry) => platformEntry(entry, named))
}

async function historyPage<Item>(
  { queries, cursors }: Reading,
  app: Id<'app'>,
  query: PageQuery,
  item: (entry: HistoryEntry) => Item,
) {
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, KIND, query.cursor) ?? []
  const rows = await listHistory(queries, app, { before: before === null ? null : String(before), limit: size + 1 })
  return page({ rows, size, item, next: ({ id }) => cursors.seal(KIND, [id]) })
}
