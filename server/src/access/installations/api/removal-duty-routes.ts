import { type Static, Type } from 'typebox'
import { EDITORS, requireTeam } from '#access/apps/index.ts'
import { recordAudit } from '#access/audit/index.ts'
import { operator, signedIn } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { TARGET_TYPES } from '../installation.ts'
import {
  CONFIRMED_AS,
  CONFIRMED_WITHIN_DAYS,
  countDuties,
  DUTY_STATES,
  type DutyRow,
  listDuties,
  lockDuty,
} from '../platform-store.ts'
import { Mode } from './schemas.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const AppId = idOf('app')
const Count = Type.Integer({ minimum: 0 })
const platform = { tag: 'Platform partners', alias: false } as const
const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const PATH = '/portal/api/apps/:app_id/removal_duties'

const ID = {
  id: Type.String({
    description: 'The id of the entry `installation.removal_due` in the audit and in the app’s history.',
  }),
  type: Type.Literal('removal_duty'),
} as const

const ATTRIBUTES = {
  state: oneOf(
    DUTY_STATES,
    `\`overdue\`: the deletion was not confirmed within ${CONFIRMED_WITHIN_DAYS} days, the time that the platform allows for the confirmation.`,
  ),
  mode: oneOf(WORLDS),
  installation_id: idOf('installation'),
  target: exactly({ type: oneOf(TARGET_TYPES), id: Type.String() }),
  data: Type.Array(exactly({ kind: oneOf(['investor_pii', 'user_data']), scopes: Type.Array(Type.String()) }), {
    description: 'The data that the app must delete, and the scopes through which the app got the data.',
  }),
  since: time('The real time at which the app lost access.'),
  due_by: time('The real time by which the deletion must be confirmed.'),
  confirmed_at: nullable(time('Real time.')),
  confirmed_as: nullable(
    oneOf(CONFIRMED_AS),
    '`team`: a member of the app’s team confirmed the deletion. `platform`: an operator recorded that the partner has shown the deletion.',
  ),
} as const

/** The record for the app's team. It shows whether the platform confirmed the deletion, but not which operator did. */
const AppDutyRecord = exactly({ ...ID, attributes: exactly(ATTRIBUTES) }, 'AppRemovalDuty')

const DutyRecord = exactly(
  {
    ...ID,
    attributes: exactly({
      ...ATTRIBUTES,
      app: exactly({ id: idOf('app'), name: Type.String() }),
      organization: exactly({ id: idOf('organization'), name: Type.String() }),
      confirmed_by: nullable(Type.String(), 'The account or the operator key that recorded the confirmation.'),
    }),
  },
  'RemovalDuty',
)

type AppDuty = Static<typeof AppDutyRecord>
type DutyDetails = Pick<AppDuty['attributes'], 'mode' | 'target' | 'data'> & {
  readonly installation: AppDuty['attributes']['installation_id']
}

function appDutyRecord({ id, state, at: since, due_by, confirmed_at, confirmed_as, details }: DutyRow): AppDuty {
  const { installation: installation_id, mode, target, data } = JSON.parse(details) as DutyDetails
  const about = { state, mode, installation_id, target: { type: target.type, id: target.id }, data }
  return { id, type: 'removal_duty', attributes: { ...about, since, due_by, confirmed_at, confirmed_as } }
}

function dutyRecord(row: DutyRow): Static<typeof DutyRecord> {
  const { attributes, ...record } = appDutyRecord(row)
  const app = { id: row.app_id, name: row.app_name }
  const organization = { id: row.organization_id, name: row.organization_name }
  return { ...record, attributes: { ...attributes, app, organization, confirmed_by: row.confirmed_by } }
}

const DutyId = Type.String({ pattern: '^[0-9]{1,18}$' })

/** The transaction has locked the duty. Confirming again changes nothing. */
async function confirmDuty(tx: PlatformTx, { duty, world, actor, by }: Confirming): Promise<DutyRow> {
  if (duty.confirmed_at !== null) return duty
  const { installation } = JSON.parse(duty.details) as DutyDetails
  const details = { duty: duty.id, installation, mode: world, by }
  await recordAudit(tx, { actor, action: 'installation.removal_confirmed', subject: duty.app_id, details })
  const confirmed = await lockDuty(tx, world, duty.id)
  if (confirmed === null) throw new Error(`removal duty ${duty.id} no longer exists`)
  return confirmed
}

type Confirming = {
  readonly duty: DutyRow
  readonly world: World
  readonly actor: string
  readonly by: (typeof CONFIRMED_AS)[number]
}

/** Routes for removal duties: operators see the duties of all apps, a team sees the duties of its app. */
export const dutyRoutes = ({ platform: { reads }, cursors }: Deps): Route[] => [
  route({
    ...platform,
    access: operator('viewer', 'partner'),
    operation: 'listRemovalDuties',
    method: 'GET',
    path: '/platform/removal_duties',
    summary: 'List removal duties',
    description:
      'Returns the duties of apps to delete data because they lost access, in the caller’s mode, the oldest first. `meta.counts` counts all duties by state, whatever the filter and the page.',
    schema: {
      query: exactly({ state: Type.Optional(oneOf(DUTY_STATES)), app_id: Type.Optional(AppId), ...pageQuery() }),
      response: {
        200: listOf(DutyRecord, { counts: exactly({ open: Count, overdue: Count, confirmed: Count }) }),
      },
    },
    handler: async ({ db: { world }, query }) => {
      const size = pageSize(query.per_page)
      const kind = { kind: `removal_duties/${world}`, version: 1 }
      const [after = ''] = openCursor(cursors, kind, query.cursor) ?? []
      const filter = { state: query.state ?? null, app: query.app_id ?? null, id: null }
      const rows = await listDuties(reads, world, filter, { after: String(after), limit: size + 1 })
      const { data, meta } = page({ rows, size, item: dutyRecord, next: ({ id }) => cursors.seal(kind, [id]) })
      return { status: 200, body: { data, meta: { ...meta, counts: await countDuties(reads, world) } } }
    },
  }),
  route({
    ...platform,
    access: operator('compliance', 'partner'),
    operation: 'confirmRemovalDuty',
    method: 'POST',
    path: '/platform/removal_duties/:duty_id/confirm',
    summary: 'Confirm a removal duty',
    description:
      'Records that the partner has shown that the data is deleted. Write into the reason how the partner has shown it. Confirming again changes nothing.',
    schema: {
      params: exactly({ duty_id: DutyId }),
      response: { 200: exactly({ data: DutyRecord }) },
    },
    platform: async ({ ptx, caller: { actor, world }, params: { duty_id: id } }) => {
      const duty = await lockDuty(ptx, world, id)
      if (duty === null) throw notFound(`no removal duty ${id} in the mode ${world}`)
      return { status: 200, body: { data: dutyRecord(await confirmDuty(ptx, { duty, world, actor, by: 'platform' })) } }
    },
  }),
  route({
    ...portal,
    operation: 'listAppRemovalDuties',
    method: 'GET',
    path: PATH,
    summary: 'List an app’s removal duties',
    description:
      'Returns the app’s duties to delete data because it lost access, in one mode (`live` by default), the oldest first. Confirmed duties are included.',
    schema: {
      params: exactly({ app_id: AppId }),
      query: exactly({ mode: Type.Optional(Mode), state: Type.Optional(oneOf(DUTY_STATES)), ...pageQuery() }),
      response: { 200: listOf(AppDutyRecord) },
    },
    handler: async ({ caller, params: { app_id: app }, query }) => {
      await requireTeam(reads, { account: caller.accountId, app }, EDITORS)
      const world = query.mode ?? 'live'
      const size = pageSize(query.per_page)
      const kind = { kind: `app_removal_duties/${app}/${world}`, version: 1 }
      const [after = ''] = openCursor(cursors, kind, query.cursor) ?? []
      const filter = { state: query.state ?? null, app, id: null }
      const rows = await listDuties(reads, world, filter, { after: String(after), limit: size + 1 })
      return {
        status: 200,
        body: page({ rows, size, item: appDutyRecord, next: ({ id }) => cursors.seal(kind, [id]) }),
      }
    },
  }),
  route({
    ...portal,
    operation: 'confirmAppRemovalDuty',
    method: 'POST',
    path: `${PATH}/:duty_id/confirm`,
    summary: 'Confirm that data is deleted',
    description:
      'Records that the app has deleted the data of a removal duty. The app’s history names the member who confirmed. Confirming again changes nothing.',
    schema: {
      params: exactly({ app_id: AppId, duty_id: DutyId }),
      response: { 200: exactly({ data: AppDutyRecord }) },
    },
    platform: async ({ ptx, caller: { accountId: actor }, params: { app_id: app, duty_id: id } }) => {
      await requireTeam(ptx, { account: actor, app }, EDITORS)
      for (const world of WORLDS) {
        const duty = await lockDuty(ptx, world, id)
        if (duty?.app_id !== app) continue
        const confirmed = await confirmDuty(ptx, { duty, world, actor, by: 'team' })
        return { status: 200, body: { data: appDutyRecord(confirmed) } }
      }
      throw notFound(`app ${app} has no removal duty ${id}`)
    },
  }),
]
