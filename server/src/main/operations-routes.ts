import { type Static, Type } from 'typebox'
import { findAccountByEmail } from '#access/accounts/index.ts'
import { recordAudit } from '#access/audit/index.ts'
import { listSetAside, retryChange } from '#events/changes/index.ts'
import { listUnsentInvitations, retryInvitation } from '#hosted/invites/index.ts'
import { operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { OperatorCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { kindOfId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { listDeadMails, retryMail } from '#mail/index.ts'
import { errorLine, type JobRun, listJobRuns } from '#system/job-run-store.ts'
import type { Databases, PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { listFailingEndpoints, retryEndpoint } from '#webhooks/index.ts'
import { QUEUE_NAMES, type QueueState, readWork } from './queue-metrics.ts'

type Deps = { readonly databases: Databases; readonly cursors: CursorSealer }

const COMMON = { alias: false, tag: 'Platform operations' } as const
const Count = Type.Integer({ minimum: 0 })

const QueueRecord = exactly(
  {
    id: Type.String(),
    type: Type.Literal('queue'),
    attributes: exactly({
      queue: oneOf(
        QUEUE_NAMES,
        'What waits: investment changes for the ledger’s publisher, events for fan-out, events that fan-out deferred, entries for their position in event streams, webhook deliveries, approved intents, mails of invitations, other mails, notices to teams, and audit entries for the chain.',
      ),
      mode: nullable(oneOf(WORLDS), 'Null for a queue that both modes share.'),
      waiting: Type.Integer({ minimum: 0, description: 'Counted up to 10,000.' }),
      oldest_seconds: Type.Number({
        minimum: 0,
        description: 'How long the oldest entry has waited. Deliveries and mails that wait for a retry do not count.',
      }),
      set_aside: nullable(
        Count,
        'Entries that were put aside after failures; for deliveries, the failing endpoints. Null if the queue puts nothing aside.',
      ),
    }),
  },
  'WorkQueue',
)

function queueRecord({ queue, world, waiting, oldestSeconds, setAside }: QueueState): Static<typeof QueueRecord> {
  const mode = world === 'platform' ? null : world
  const attributes = { queue, mode, waiting, oldest_seconds: oldestSeconds, set_aside: setAside }
  return { id: `${queue}-${world}`, type: 'queue', attributes }
}

const JobRecord = exactly(
  {
    id: Type.String({ description: 'The name of the job, as in the log and in `portico_job_seconds`.' }),
    type: Type.Literal('job'),
    attributes: exactly({
      status: oneOf(
        ['ok', 'failing', 'silent'],
        '`failing`: the latest round failed. `silent`: no worker has run the job for five minutes.',
      ),
      last_started_at: time('Real time.'),
      last_seconds: Type.Number({ minimum: 0, description: 'How long the latest round took.' }),
      last_failed_at: nullable(time('Real time.')),
      last_error: nullable(
        Type.String(),
        'The first line of the latest error, without addresses; the log has all of it. Null for the role viewer.',
      ),
      rounds: Type.Integer({ minimum: 0 }),
      failures: Type.Integer({ minimum: 0, description: 'How many of the rounds failed.' }),
    }),
  },
  'BackgroundJob',
)

/** Errors may contain ids of people's records, and a viewer must see nothing about people. */
const seesErrors = ({ role }: OperatorCaller) => role !== 'viewer'

function jobRecord({ job, failing, silent, ...run }: JobRun, named: boolean): Static<typeof JobRecord> {
  const status = silent ? 'silent' : failing ? 'failing' : 'ok'
  return { id: job, type: 'job', attributes: { status, ...run, last_error: named ? run.last_error : null } }
}

/** The kinds, in the order of the list. */
const KINDS = ['change', 'delivery', 'invitation', 'mail'] as const
type Kind = (typeof KINDS)[number]

const SetAsideRecord = exactly(
  {
    id: Type.String({ description: 'Unique for its kind.' }),
    type: Type.Literal('set_aside'),
    attributes: exactly({
      kind: oneOf(
        KINDS,
        '`change`: a change that cannot be published. `delivery`: the deliveries to a failing endpoint. `invitation`: the mail of an invitation. `mail`: any other mail.',
      ),
      mode: oneOf(WORLDS),
      subject: Type.String({ description: 'The id of the record that the work is about, or the occasion of a mail.' }),
      app_id: nullable(Type.String(), 'The partner’s app that the work concerns. Null if it concerns no app.'),
      since: time('Real time; the world’s time for deliveries.'),
      retry_at: nullable(
        time('Real time.'),
        'When a change is tried again. Null for deliveries, whose endpoint has its own schedule of retries, and for mails, which are not tried again by themselves.',
      ),
      attempts: nullable(Count),
      waiting: nullable(Count, 'Deliveries that wait for the endpoint, counted up to 10,000.'),
      error: nullable(
        Type.String(),
        'The first line of the latest error, without addresses. Null for the role viewer.',
      ),
    }),
  },
  'SetAsideWork',
)

type SetAside = Static<typeof SetAsideRecord>['attributes'] & { readonly id: string }
type Wanted = { readonly world: World; readonly after: string; readonly limit: number }

const NOTHING = { app_id: null, retry_at: null, attempts: null, waiting: null, error: null } as const

/** Mails have no mode. They are listed with the work of the live mode, because their recipients are real people. */
const LISTS: Readonly<Record<Kind, (queries: PlatformQueries, wanted: Wanted) => Promise<readonly SetAside[]>>> = {
  change: async (queries, { world: mode, after, limit }) => {
    const rows = await listSetAside(queries, mode, after, limit)
    return rows.map(({ seq, id: subject, recorded_at: since, retry_at }) => {
      return { ...NOTHING, id: seq, kind: 'change', mode, subject, since, retry_at }
    })
  },
  delivery: async (queries, { world: mode, after, limit }) => {
    const rows = await listFailingEndpoints(queries, mode, after, limit)
    return rows.map(({ id, app_id, failing_since: since, last_delivery_status: error, waiting }) => {
      return { ...NOTHING, id, kind: 'delivery', mode, subject: id, app_id, since, waiting, error }
    })
  },
  invitation: async (queries, { world: mode, after, limit }) => {
    const rows = await listUnsentInvitations(queries, mode, after, limit)
    return rows.map(({ id, app_id, mail_failed_at: since, mail_attempts: attempts }) => {
      return { ...NOTHING, id, kind: 'invitation', mode, subject: id, app_id, since, attempts }
    })
  },
  mail: async (queries, { world: mode, after, limit }) => {
    if (mode !== 'live') return []
    const rows = await listDeadMails(queries, after, limit)
    return rows.map(({ id, key, failed_at: since, attempts, last_error }) => {
      const error = last_error === null ? null : errorLine(last_error)
      return { ...NOTHING, id, kind: 'mail', mode, subject: occasionOf(key), since, attempts, error }
    })
  },
}

/**
 * The first word of the key: the id of a notice, or a name such as `sign_up`. The rest of the key contains digests and addresses.
 */
function occasionOf(key: string): string {
  const [word = ''] = key.split(/[ :/]/)
  return kindOfId(word) === null ? (/^[a-z_-]+/.exec(word)?.[0] ?? 'mail') : word
}

/**
 * Retries one entry and returns its subject for the audit: for a mail the account of its recipient, or the mail's id if
 * the recipient has no account. Returns null if there is no such entry.
 */
const RETRIES: Readonly<Record<Kind, (tx: PlatformTx, world: World, id: string) => Promise<string | null>>> = {
  change: retryChange,
  delivery: retryEndpoint,
  invitation: retryInvitation,
  mail: async (tx, world, id) => {
    const recipient = world === 'live' ? await retryMail(tx, id) : null
    return recipient === null ? null : ((await findAccountByEmail(tx, recipient))?.id ?? id)
  },
}

const CURSOR = { kind: 'set_aside', version: 1 }

/**
 * The routes about the workers: waiting work, the latest rounds of jobs, and work set aside. The data comes from PostgreSQL,
 * because there may be many workers.
 */
export const operationsRoutes = ({ databases, cursors }: Deps): Route[] => {
  const { reads } = databases.platform
  return [
    route({
      ...COMMON,
      operation: 'listQueues',
      method: 'GET',
      path: '/platform/queues',
      access: operator('viewer', 'platform'),
      summary: 'List the work queues',
      description: 'Returns how much waits in each queue of both modes, for how long, and how much was set aside.',
      schema: { response: { 200: exactly({ data: Type.Array(QueueRecord) }) } },
      handler: async () => ({ status: 200, body: { data: (await readWork(databases)).queues.map(queueRecord) } }),
    }),
    route({
      ...COMMON,
      operation: 'listJobs',
      method: 'GET',
      path: '/platform/jobs',
      access: operator('viewer', 'platform'),
      summary: 'List the background jobs',
      description:
        'Returns the latest round of each background job, of all workers together. Workers write it about three times a minute.',
      schema: { response: { 200: exactly({ data: Type.Array(JobRecord) }) } },
      handler: async ({ caller }) => {
        const runs = await listJobRuns(reads)
        return { status: 200, body: { data: runs.map((run) => jobRecord(run, seesErrors(caller))) } }
      },
    }),
    route({
      ...COMMON,
      operation: 'listSetAsideWork',
      method: 'GET',
      path: '/platform/set_aside',
      access: operator('viewer', 'partner'),
      summary: 'List the work set aside',
      description:
        'Returns what the workers put aside after failures, in the caller’s mode: changes that cannot be published, deliveries to failing endpoints, and mails that were given up. Recipients and texts of mails are not shown.',
      schema: {
        query: exactly({ kind: Type.Optional(oneOf(KINDS)), ...pageQuery() }),
        response: { 200: listOf(SetAsideRecord) },
      },
      handler: async ({ caller, db: { world }, query }) => {
        const size = pageSize(query.per_page)
        const kind = { ...CURSOR, kind: `set_aside/${world}/${query.kind ?? 'all'}` }
        const [from = '', after = ''] = openCursor(cursors, kind, query.cursor) ?? []
        const kinds = query.kind === undefined ? KINDS : [query.kind]
        const rows: SetAside[] = []
        for (const each of kinds.slice(
          Math.max(
            0,
            kinds.findIndex((one) => String(one) === from),
          ),
        )) {
          const limit = size + 1 - rows.length
          if (limit > 0)
            rows.push(...(await LISTS[each](reads, { world, after: each === from ? String(after) : '', limit })))
        }
        const item = ({ id, ...attributes }: SetAside): Static<typeof SetAsideRecord> => {
          const error = seesErrors(caller) ? attributes.error : null
          return { id, type: 'set_aside', attributes: { ...attributes, error } }
        }
        const next = ({ id, kind: last }: SetAside) => cursors.seal(kind, [last, id])
        return { status: 200, body: page({ rows, size, item, next }) }
      },
    }),
    route({
      ...COMMON,
      operation: 'retrySetAsideWork',
      method: 'POST',
      path: '/platform/set_aside/:kind/:id/retry',
      access: operator('support', 'partner'),
      summary: 'Retry work set aside',
      description:
        'Lets a worker retry the work at once. A mail gets all its attempts again; deliveries to a failing endpoint are sent oldest first, one at a time until a delivery succeeds.',
      schema: {
        params: exactly({ kind: oneOf(KINDS), id: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: {
          202: exactly({
            data: exactly({
              id: Type.String(),
              type: Type.Literal('set_aside_retry'),
              attributes: exactly({ kind: oneOf(KINDS), mode: oneOf(WORLDS) }),
            }),
          }),
        },
      },
      platform: async ({ ptx, caller: { actor, world: mode }, params: { kind, id } }) => {
        const subject = await RETRIES[kind](ptx, mode, id)
        if (subject === null) throw notFound(`no ${kind} with the id ${id} is set aside in the mode ${mode}`)
        await recordAudit(ptx, { actor, action: 'work.retried', subject, details: { kind, id, mode } })
        const data = { id, type: 'set_aside_retry' as const, attributes: { kind, mode } }
        return { status: 202, body: { data } }
      },
    }),
  ]
}
