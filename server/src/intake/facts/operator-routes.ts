import { type Static, Type } from 'typebox'
import { explainIn, recordAuditIn, withPeople } from '#access/audit/index.ts'
import { operator } from '#http/access.ts'
import { peopleIn } from '#http/operator-reason.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf, time } from '#http/schema-fields.ts'
import {
  type Before,
  countLeftOut,
  dismissRefused,
  findRefused,
  listRefused,
  type RefusedRow,
  removeRefused,
} from '#intake/refused/index.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { clockAheadMs } from '#system/postgres/world-clock.ts'
import type { ExtraWork, FactOutcome } from './apply-fact.ts'
import { REFUSAL_TYPES } from './fact-type.ts'
import { FactId, idOfSent } from './read-fact.ts'
import { type AppliedRow, listApplied } from './store.ts'

type Deps = {
  readonly cursors: CursorSealer
  /**
   * Applies one fact as the feed does, and records it if it is refused again. `extraWork` runs in the transaction that applies or
   * records it.
   */
  readonly apply: (db: WorldDatabase, sent: unknown, extraWork: ExtraWork) => Promise<FactOutcome>
}

const COMMON = { alias: false, tag: 'Platform feed', access: operator('support', 'person') } as const

export const Detail = Type.Record(Type.String(), Type.Unknown())

const FactError = Type.Object(
  {
    type: oneOf(REFUSAL_TYPES),
    message: Type.String(),
    field: Type.Optional(Type.String({ description: 'The path of the wrong field, such as data.amount_cents.' })),
    code: Type.Optional(Type.String({ description: 'A stable code for the error in field.' })),
    details: Type.Optional(Detail),
  },
  { title: 'FactError' },
)

export const Outcome = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], { description: 'Null if the fact had no readable id.' }),
    status: oneOf(['applied', 'duplicate', 'refused']),
    events: Type.Array(Type.Object({ id: Type.String(), event: Type.String() })),
    error: Type.Optional(FactError),
  },
  { title: 'FactOutcome' },
)

const Span = {
  type: Type.Optional(Type.String({ maxLength: 122, description: 'The type of the fact.' })),
  since: Type.Optional(time('Only facts that were applied, or refused, at this time or later.')),
  until: Type.Optional(time('Only facts that were applied, or refused, before this time.')),
  ...pageQuery(),
}

const AppliedRecord = exactly(
  {
    id: Type.String(),
    type: Type.Literal('fact'),
    attributes: exactly({
      type: Type.String(),
      occurred_at: time('In the world’s time.'),
      applied_at: time('In the world’s time.'),
      events: Type.Integer({ minimum: 0, description: 'How many events the fact caused.' }),
    }),
  },
  'ListedFact',
)

const appliedRecord = ({ id, ...attributes }: AppliedRow): Static<typeof AppliedRecord> => ({
  id,
  type: 'fact',
  attributes,
})

const REFUSED = {
  fact_id: nullable(Type.String(), 'The fact’s own id; null if the fact has no readable id.'),
  type: nullable(Type.String()),
  error: FactError,
  times: Type.Integer({ minimum: 1, description: 'How often the fact was refused.' }),
  refused_at: time('When the fact was last refused, in real time.'),
  status: oneOf(
    ['refused', 'applied', 'dismissed'],
    '`applied`: a fact with this id has been applied since. `dismissed`: an operator decided that nothing is left to do.',
  ),
  dismissed_at: nullable(time('In real time.')),
}

const RefusedListed = exactly(
  { id: Type.String(), type: Type.Literal('refused_fact'), attributes: exactly(REFUSED) },
  'RefusedFactListed',
)

const RefusedRecord = exactly(
  {
    id: Type.String(),
    type: Type.Literal('refused_fact'),
    attributes: exactly({
      ...REFUSED,
      fact: Type.Unknown({
        description: 'The fact as it was sent. Null if it was too large, or is about a person who was erased.',
      }),
    }),
  },
  'RefusedFact',
)

function refusedListed(row: RefusedRow): Static<typeof RefusedListed> {
  const { id, fact_id, type, times, refused_at, dismissed_at, applied } = row
  const error = JSON.parse(row.error) as Static<typeof FactError>
  const open = applied ? 'applied' : 'refused'
  const status = dismissed_at === null ? open : 'dismissed'
  return { id, type: 'refused_fact', attributes: { fact_id, type, error, times, refused_at, status, dismissed_at } }
}

function refusedRecord(row: RefusedRow): Static<typeof RefusedRecord> {
  const { attributes, ...listed } = refusedListed(row)
  const fact: unknown = row.body === null ? null : JSON.parse(row.body)
  return { ...listed, attributes: { ...attributes, fact } }
}

const RefusedParam = exactly({ refused_id: Type.String({ maxLength: 40 }) })

const SendAgainBody = exactly(
  {
    fact: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The corrected fact. Without it, the fact is applied as it was sent.',
        },
      ),
    ),
  },
  'RefusedFactMended',
)

const APPLIED_KIND: CursorKind = { kind: 'applied_facts', version: 1 }
const REFUSED_KIND: CursorKind = { kind: 'refused_facts', version: 1 }

const startOfPage = (position: readonly unknown[] | null): Before | null =>
  position === null ? null : { at: String(position[0]), id: String(position[1]) }

/** Routes for the operators of the feed: applied facts, refused facts and their errors, and sending a refused fact again. */
export const factOperatorRoutes = ({ cursors, apply }: Deps): Route[] => [
  route({
    ...COMMON,
    operation: 'listFacts',
    method: 'GET',
    path: '/platform/facts',
    summary: 'List applied facts',
    description:
      'Returns applied facts, newest first. With `subject`, the id of a record, it returns only facts that caused an event about that record, in a span of at most 31 days unless `fact_id` names the fact.',
    schema: {
      query: exactly({
        fact_id: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the fact.' })),
        subject: Type.Optional(Type.String({ maxLength: 60 })),
        ...Span,
      }),
      response: { 200: listOf(AppliedRecord) },
    },
    handler: async ({ db, query }) => {
      const { fact_id: factId = null, subject = null, type = null, since = null, until = null } = query
      if (subject !== null && factId === null) rejectLongSpan(since, until, Date.now() + (await clockAheadMs(db)))
      const size = pageSize(query.per_page)
      const before = startOfPage(openCursor(cursors, APPLIED_KIND, query.cursor))
      const rows = await listApplied(db.reads, { factId, subject, type, since, until }, { before, limit: size + 1 })
      const next = (row: AppliedRow) => cursors.seal(APPLIED_KIND, [row.applied_at, row.id])
      return { status: 200, body: page({ rows, size, item: appliedRecord, next }) }
    },
  }),
  route({
    ...COMMON,
    operation: 'listRefusedFacts',
    method: 'GET',
    path: '/platform/refused_facts',
    summary: 'List refused facts',
    description:
      'Returns the facts that were refused in the last 30 days with their errors, newest first. Filters: the fact’s id, an id or email address in the fact, type and time.',
    schema: {
      query: exactly({
        fact_id: Type.Optional(FactId),
        subject: Type.Optional(
          Type.String({
            maxLength: 254,
            description: 'An id of a record, or an email address, that the fact contains.',
          }),
        ),
        dismissed: Type.Optional(
          Type.Boolean({ description: 'True: only dismissed facts. Otherwise dismissed facts are left out.' }),
        ),
        ...Span,
      }),
      response: {
        200: listOf(RefusedListed, {
          left_out: Type.Integer({
            description:
              'The number of refused facts that were not stored, because the limit of their day was reached.',
          }),
        }),
      },
    },
    handler: async ({ db, query }) => {
      const {
        fact_id: factId = null,
        subject = null,
        type = null,
        since = null,
        until = null,
        dismissed = false,
      } = query
      const size = pageSize(query.per_page)
      const before = startOfPage(openCursor(cursors, REFUSED_KIND, query.cursor))
      const rows = await listRefused(
        db.reads,
        { factId, subject, type, since, until, dismissed },
        { before, limit: size + 1 },
      )
      const next = (row: RefusedRow) => cursors.seal(REFUSED_KIND, [row.refused_at, row.id])
      const { data, meta } = page({ rows, size, item: refusedListed, next })
      return { status: 200, body: { data, meta: { ...meta, left_out: await countLeftOut(db.reads) } } }
    },
  }),
  route({
    ...COMMON,
    operation: 'getRefusedFact',
    method: 'GET',
    path: '/platform/refused_facts/:refused_id',
    summary: 'Get a refused fact',
    description: 'Returns a refused fact as it was sent, with its error.',
    schema: { params: RefusedParam, response: { 200: exactly({ data: RefusedRecord }) } },
    handler: async ({ db, params: { refused_id: id } }) => ({
      status: 200,
      body: { data: refusedRecord(await refusedOf(db.reads, id)) },
    }),
  }),
  route({
    ...COMMON,
    access: operator('admin', 'person'),
    operation: 'sendRefusedFact',
    method: 'POST',
    path: '/platform/refused_facts/:refused_id/send',
    summary: 'Send a refused fact again',
    description:
      'Applies a refused fact, as it was sent or corrected. If it is applied, it is removed from the list; if it is refused again, its error is replaced.',
    errors: [409],
    schema: { params: RefusedParam, body: SendAgainBody, response: { 200: exactly({ data: Outcome }) } },
    handler: async ({ db, params: { refused_id: id }, body, caller, requestId, reason }) => {
      const refused = await refusedOf(db.reads, id)
      const sent = body.fact ?? sentOf(refused)
      rejectOtherFact(refused, sent)
      const outcome = await apply(db, sent, async (tx, { id: factId, status }) => {
        await explainIn(tx, { requestId, reason })
        const details = { mode: db.world, refused: id, mended: body.fact !== undefined, outcome: status }
        const entry = { actor: caller.actor, action: 'fact.sent_again', subject: subjectOf(id, factId), details }
        await recordAuditIn(tx, withPeople(entry, peopleIn(sent)))
        if (status !== 'refused') await removeRefused(tx, id)
      })
      return { status: 200, body: { data: outcome } }
    },
  }),
  route({
    ...COMMON,
    access: operator('compliance', 'person'),
    operation: 'dismissRefusedFact',
    method: 'POST',
    path: '/platform/refused_facts/:refused_id/dismiss',
    summary: 'Dismiss a refused fact',
    description:
      'Removes a refused fact from the list, because nothing is left to do about it. It stays stored for the rest of its 30 days, and returns to the list if a different fact or error follows under the same id.',
    schema: { params: RefusedParam, response: { 200: exactly({ data: RefusedListed }) } },
    transaction: async ({ tx, params: { refused_id: id }, caller }) => {
      const isNew = await dismissRefused(tx, id)
      const refused = await refusedOf(tx, id)
      if (isNew) {
        const { fact_id, type, subjects } = refused
        const details = { mode: tx.world, refused: id, type }
        const entry = { actor: caller.actor, action: 'fact.dismissed', subject: subjectOf(id, fact_id), details }
        await recordAuditIn(tx, withPeople(entry, peopleIn(subjects)))
      }
      return { status: 200, body: { data: refusedListed(refused) } }
    },
  }),
]

/** The subject of an audit entry. */
const subjectOf = (refused: string, factId: string | null) => factId ?? `refused fact ${refused}`

const SUBJECT_DAYS_MAX = 31
const DAY_MS = 86_400_000

/**
 * No index finds all events of a subject, so a search reads all facts of its span. Therefore the span is limited. Its ends are
 * in world time, like the times of facts.
 */
function rejectLongSpan(since: string | null, until: string | null, nowMs: number): void {
  const from = since === null ? Number.NaN : Date.parse(since)
  const to = until === null ? nowMs : Date.parse(until)
  if (to - from <= SUBJECT_DAYS_MAX * DAY_MS) return
  const message = `is required with subject, and must be at most ${SUBJECT_DAYS_MAX} days before until`
  throw validationError([{ field: 'since', code: 'too_early', message }])
}

async function refusedOf(queries: WorldQueries, id: string): Promise<RefusedRow> {
  const refused = await findRefused(queries, id)
  if (refused === null) throw notFound('the id is not of a refused fact')
  return refused
}

function sentOf({ body }: RefusedRow): unknown {
  if (body !== null) return JSON.parse(body)
  throw new ApiError('illegal_transition', {
    public: 'The content of this fact was not stored.',
    remediation: 'Send the whole fact in `fact`, or send it again from your platform.',
    details: { from: 'not_stored', event: 'send', allowed: [] },
  })
}

/** Rejects a fact with another id. Otherwise the refused fact would be removed although it was not applied. */
function rejectOtherFact({ fact_id }: RefusedRow, sent: unknown): void {
  if (fact_id === null || idOfSent(sent) === fact_id) return
  const message = 'must be the id of the refused fact'
  throw validationError([{ field: 'fact.id', code: 'mismatch', message }])
}
