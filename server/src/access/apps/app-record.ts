import { type Static, Type } from 'typebox'
import { Exactly, IdOf, OneOf, OrNull, Resource, Time } from '#access/organizations/http.ts'
import { ORGANIZATION_STATES } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { APP_STATES, type App } from './app.ts'
import { logoUrl } from './change-logo.ts'
import { whyUndeletable } from './delete-app.ts'
import { type AppProgram, PROGRAM_NAMES } from './program.ts'
import { programsOf } from './program-store.ts'
import { findApp } from './store.ts'
import { conditionsUrl } from './usage-conditions.ts'

const Program = Exactly({
  program: OneOf(PROGRAM_NAMES),
  tier: OrNull(Type.Integer()),
  requested_at: OrNull(Time),
  approved_at: OrNull(Time),
})

/** An app as its team and the platform see it. */
export const AppRecord = Resource(
  { id: IdOf('app'), type: 'app', title: 'App' },
  {
    name: Type.String(),
    description: OrNull(Type.String()),
    website_url: OrNull(Type.String()),
    logo_url: OrNull(Type.String({ description: 'On this host; another one when the logo changes.' })),
    setup_url: OrNull(Type.String({ description: 'Where people are sent after installing.' })),
    organization: Exactly({ id: IdOf('organization'), name: Type.String(), status: OneOf(ORGANIZATION_STATES) }),
    status: OneOf([...APP_STATES, 'ended']),
    suspended_at: OrNull(Time),
    suspended_reason: OrNull(Type.String()),
    disabled_at: OrNull(Time),
    api_version: Type.String({ description: 'What requests that name no version get.' }),
    scopes: Type.Array(Type.String(), { description: 'What the app declares. Every app has read:public besides.' }),
    approved_at: OrNull(Time),
    pii: Exactly({ requested_at: OrNull(Time), approved_at: OrNull(Time) }),
    programs: Type.Array(Program),
    conditions: Exactly({
      version: Type.String(),
      url: Type.String({ description: 'Where this version can be read, on this host.' }),
      accepted_by: IdOf('account'),
      accepted_at: Time,
    }),
    deletable: Type.Boolean({ description: 'Never approved, never issued a live token, never installed.' }),
    created_at: Time,
  },
)

export function appRecord(app: App, programs: readonly AppProgram[]): Static<typeof AppRecord> {
  const { id, name, description, website_url, setup_url, api_version, approved_at, created_at } = app
  const { suspended_at, suspended_reason, disabled_at } = app
  return {
    id,
    type: 'app',
    attributes: {
      ...{ name, description, website_url, logo_url: logoUrl(id, app.logo_digest), setup_url },
      organization: { id: app.organization_id, name: app.organization_name, status: app.organization_state },
      status: app.organization_state === 'ended' ? 'ended' : app.state,
      ...{ suspended_at, suspended_reason, disabled_at, api_version, scopes: [...app.scopes], approved_at },
      pii: { requested_at: app.pii_requested_at, approved_at: app.pii_approved_at },
      programs: programs.filter(({ app_id }) => app_id === id),
      conditions: {
        version: app.conditions_version,
        url: conditionsUrl(app.conditions_version),
        accepted_by: app.conditions_accepted_by,
        accepted_at: app.conditions_accepted_at,
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
  return apps.map((app) => appRecord(app, programs))
}

export async function showApp(queries: PlatformQueries, id: Id<'app'>): Promise<{ data: Static<typeof AppRecord> }> {
  const app = await findApp(queries, id)
  if (app === null) throw notFound(`app ${id} is unknown`)
  return { data: appRecord(app, await programsOf(queries, [id])) }
}
