import { type Static, Type } from 'typebox'
import { operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { CHAIN_END, FINDING_KINDS, type Verification, verifyAudit } from './chain.ts'
import { type AuditRow, listAudit } from './store.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const COMMON = { method: 'GET', alias: false, tag: 'Platform staff' } as const
const CURSOR: CursorKind = { kind: 'audit', version: 1 }

const AuditQuery = exactly({
  entry: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description: 'The id of one entry.' })),
  subject: Type.Optional(Type.String({ maxLength: 100, description: 'The id of what was changed or read.' })),
  actor: Type.Optional(Type.String({ maxLength: 100, description: 'Who acted: an id, or `system`.' })),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'The action, such as `app.suspended`.' })),
  by_operator: Type.Optional(
    Type.Boolean({ description: '`true` returns only acts of operators, `false` only acts of others.' }),
  ),
  reads: Type.Optional(
    Type.Boolean({
      description:
        '`true` returns only reads by operators (`operator.read`), `false` only changes. Without this parameter, reads and changes are returned.',
    }),
  ),
  since: Type.Optional(time('Only entries from this time on.')),
  until: Type.Optional(time('Only entries before this time.')),
  ...pageQuery(),
})

const AuditRecord = exactly(
  {
    id: Type.String(),
    type: Type.Literal('audit_entry'),
    attributes: exactly({
      at: time('Real time.'),
      actor: exactly({
        id: Type.String(),
        name: nullable(Type.String(), 'Null if the actor is not an account or an operator key.'),
      }),
      action: Type.String(),
      subject: Type.String(),
      details: Type.Record(Type.String(), Type.Unknown()),
      by_operator: Type.Boolean({ description: 'Whether an operator acted: a key, or a person of the staff.' }),
      request_id: nullable(Type.String()),
      reason: nullable(Type.String(), 'Why the operator acted. Erased with a person whom the entry is about.'),
      chained: Type.Boolean({
        description:
          'Whether the chain of digests includes this entry. An entry is added to the chain a few seconds after the act.',
      }),
    }),
  },
  'AuditEntry',
)

function auditRecord({ id, actor, actor_name: name, details, ...row }: AuditRow): Static<typeof AuditRecord> {
  const attributes = { ...row, actor: { id: actor, name }, details: JSON.parse(details) as Record<string, unknown> }
  return { id, type: 'audit_entry', attributes }
}

const VerificationRecord = exactly(
  {
    data: exactly({
      type: Type.Literal('audit_verification'),
      attributes: exactly({
        whole: Type.Boolean({ description: 'Whether the verification found nothing wrong.' }),
        verified_at: time('The real time at which the verification began.'),
        entries: Type.Integer({ minimum: 0, description: 'Entries that the chain covers.' }),
        waiting: Type.Integer({ minimum: 0, description: 'Entries that the worker has yet to add to the chain.' }),
        end: nullable(Type.String(), 'The end of the chain. Store it elsewhere, and pass it as `end` the next time.'),
        knows_earlier_end: nullable(
          Type.Boolean(),
          'Whether the `end` in the query is still in the chain. Null without an `end` in the query.',
        ),
        findings: Type.Array(exactly({ entry: Type.String(), kind: oneOf(FINDING_KINDS) }), {
          description: 'The first 100 findings.',
        }),
        findings_count: Type.Integer({ minimum: 0 }),
      }),
    }),
  },
  'AuditVerification',
)

const FINDINGS_SHOWN = 100

/** For staff with the role compliance or admin, who are responsible for the audit. The audit also records who reads its entries. */
export const auditRoutes = ({ platform, cursors }: Deps): Route[] => {
  const verify = sharedVerification(platform)
  return [
    route({
      ...COMMON,
      operation: 'listAudit',
      path: '/platform/audit',
      access: operator('compliance', 'person'),
      summary: 'List audit entries',
      description:
        'Returns who did what, and why, newest first. The query filters by id, subject, actor, action and time, and includes or leaves out reads.',
      schema: { query: AuditQuery, response: { 200: listOf(AuditRecord) } },
      handler: async ({ query }) => {
        const { entry = null, subject = null, actor = null, action = null, since = null, until = null } = query
        const size = pageSize(query.per_page)
        const position = openCursor(cursors, CURSOR, query.cursor)
        const before = position === null ? null : { at: String(position[0]), id: String(position[1]) }
        const filter = {
          entry,
          subject,
          actor,
          action,
          since,
          until,
          byOperator: query.by_operator ?? null,
          reads: query.reads ?? null,
        }
        const rows = await listAudit(platform.reads, filter, { before, limit: size + 1 })
        const next = (row: AuditRow) => cursors.seal(CURSOR, [row.at, row.id])
        return { status: 200, body: page({ rows, size, item: auditRecord, next }) }
      },
    }),
    route({
      ...COMMON,
      operation: 'verifyAudit',
      path: '/platform/audit/verification',
      access: operator('compliance', 'platform'),
      summary: 'Check the audit’s chain',
      description:
        'Computes every digest of the chain again, like `npm run verify-audit`, and returns the differences. The check reads the whole audit.',
      schema: {
        query: exactly({
          end: Type.Optional(
            Type.String({ pattern: CHAIN_END.source, description: 'The `end` of an earlier verification.' }),
          ),
        }),
        response: { 200: VerificationRecord },
      },
      handler: async ({ query }) => ({
        status: 200,
        body: { data: verificationRecord(await verify(query.end ?? null)) },
      }),
    }),
  ]
}

type Verified = Verification & { readonly at: string }

/**
 * A verification reads the whole audit. So if several people request one with the same end at once, they share one run. Requests with
 * different ends run one after the other.
 */
export function sharedVerification({
  reads,
}: Pick<PlatformDatabase, 'reads'>): (end: string | null) => Promise<Verified> {
  const running = new Map<string | null, Promise<Verified>>()
  let last: Promise<unknown> = Promise.resolve()
  const start = async (end: string | null): Promise<Verified> => {
    const at = new Date().toISOString()
    return { ...(await verifyAudit(reads, end)), at }
  }
  return (end) => {
    const concurrent = running.get(end)
    if (concurrent !== undefined) return concurrent
    const started = last.then(() => start(end)).finally(() => running.delete(end))
    last = started.catch(() => {})
    running.set(end, started)
    return started
  }
}

function verificationRecord({ entries, waiting, end, knowsEarlierEnd, findings, at }: Verified) {
  const attributes = {
    whole: findings.length === 0 && knowsEarlierEnd !== false,
    ...{ verified_at: at, entries, waiting, end, knows_earlier_end: knowsEarlierEnd },
    findings: findings.slice(0, FINDINGS_SHOWN).map(({ entry, kind }) => ({ entry, kind })),
    findings_count: findings.length,
  }
  return { type: 'audit_verification' as const, attributes }
}
