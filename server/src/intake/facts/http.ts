import { type Static, Type } from 'typebox'
import { announceIn, recordOutcomeIn } from '#access/audit/index.ts'
import { findCaused, type StoredEvent, wholeData } from '#events/index.ts'
import { operator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { oneOf } from '#http/schema-fields.ts'
import { countErasures, type Refused, recordRefused } from '#intake/refused/index.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import {
  applyBatch,
  applyFact,
  type ExtraWork,
  type FactOutcome,
  type FactRules,
  retryOnConflict,
} from './apply-fact.ts'
import { Detail, factOperatorRoutes, Outcome } from './operator-routes.ts'
import { FACTS_MAX, FactFrame, FactId, idOfSent, readBatch } from './read-fact.ts'
import { findFact, flush } from './store.ts'

/** Enough for a thousand facts with long texts. The default limit of 1 MiB is enough for a thousand short facts only. */
const BODY_BYTES_MAX = 8 * 1_048_576

const TAG = 'Platform feed'

/** Routes for the host platform. They are not part of the partner API, so they have no path under `/api/v2`. */
export const factRoutes = (rules: FactRules, cursors: CursorSealer): Route[] => [
  route({
    operation: 'applyFacts',
    method: 'POST',
    path: '/platform/facts',
    alias: false,
    accepts: ['application/json', 'application/x-ndjson'],
    bodyBytesMax: BODY_BYTES_MAX,
    bodyAs: 'text',
    summary: 'Send platform facts',
    description:
      'Records what happened on the host platform. A request has up to 1,000 facts. They are applied in order. A fact with an id that was applied before is not applied again.',
    tag: TAG,
    access: operator('admin', 'platform'),
    schema: { body: FactBatch, response: { 200: FactOutcomes } },
    // A handler without a transaction: each fact has its own transaction, and its id is its idempotency key.
    handler: async ({ db, body, header, caller, requestId, reason }) => {
      const facts = await readBatch(body, header('content-type'))
      const sent = { mode: db.world, first: idOfSent(facts[0]), facts: facts.length }
      const [by, why] = [
        { actor: caller.actor, subject: caller.actor },
        { requestId, reason },
      ]
      // Two audit entries for the request: the first before the facts are applied, the second with the counts of their results.
      await announceIn(db, { ...by, action: 'facts.received', details: sent }, why)
      const answered = answer(await applyFacts(db, rules, facts))
      await recordOutcomeIn(db, { ...by, action: 'facts.sent', details: { ...sent, ...answered.meta } }, why)
      return { status: 200, body: answered }
    },
  }),
  route({
    operation: 'getFact',
    method: 'GET',
    path: '/platform/facts/:id',
    alias: false,
    summary: 'Get a fact',
    description: 'Returns a fact that was applied, with the events it caused.',
    tag: TAG,
    access: operator('support', 'person'),
    schema: { params: FactParam, response: { 200: FactEnvelope } },
    handler: async ({ db, params }) => ({ status: 200, body: { data: await showFact(db, params.id) } }),
  }),
  ...factOperatorRoutes({ cursors, apply: (db, sent, extraWork) => applyOne(db, rules, { sent, extraWork }) }),
]

type One = { readonly sent: unknown; readonly extraWork: ExtraWork }

/** Like `applyFacts` for one fact. `extraWork` runs in the transaction that applies the fact or records its refusal. */
async function applyOne(db: WorldDatabase, rules: FactRules, { sent, extraWork }: One): Promise<FactOutcome> {
  const erasures = await countErasures(db)
  const outcome = await applyFact(db, rules, sent, extraWork)
  await finish(db, rules, { facts: [sent], outcomes: [outcome], erasures, extraWork: (tx) => extraWork(tx, outcome) })
  return outcome
}

function answer(outcomes: readonly FactOutcome[]): FactOutcomes {
  const count = (wanted: FactOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length
  return {
    data: [...outcomes],
    meta: { applied: count('applied'), duplicate: count('duplicate'), refused: count('refused') },
  }
}

/**
 * Applies facts as if one after the other, in the given order. Commits are asynchronous; before the response, one flush waits for
 * the disk. So acknowledged facts survive a crash. Facts that a crash loses were not acknowledged, so the host sends them again.
 */
export async function applyFacts(
  db: WorldDatabase,
  rules: FactRules,
  facts: readonly unknown[],
): Promise<readonly FactOutcome[]> {
  const erasures = await countErasures(db)
  const outcomes = await applyBatch(db, rules, facts)
  await finish(db, rules, { facts, outcomes, erasures })
  return outcomes
}

type Applied = {
  readonly facts: readonly unknown[]
  readonly outcomes: readonly FactOutcome[]
  /** The number of erasures before any of the facts was applied. */
  readonly erasures: string
  readonly extraWork?: (tx: Tx) => Promise<void>
}

/** Makes the applied facts durable, and stores the refused ones. */
async function finish(db: WorldDatabase, rules: FactRules, { facts, outcomes, ...more }: Applied): Promise<void> {
  const refused: Refused[] = outcomes.flatMap((outcome, at) =>
    outcome.status === 'refused' ? { sent: facts[at], id: outcome.id, error: outcome.error } : [],
  )
  // Includes duplicates, because the request that applied them first may not have flushed yet.
  const applied = outcomes.flatMap((outcome) => (outcome.status === 'refused' ? [] : outcome.id))
  if (applied.length > 0) await flush(db, new Set(applied))
  if (refused.length > 0)
    await retryOnConflict(() => recordRefused(db, refused, { limit: rules.refusedLimit, ...more }))
}

type FactView = {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly applied_at: string
  readonly events: EventView[]
}

/** The stored result of an applied fact. Rejected facts are in the list of refused facts only. */
async function showFact(db: WorldDatabase, id: string): Promise<FactView> {
  const fact = await findFact(db.reads, id)
  if (fact === null) throw notFound('the id is not of an applied fact')
  const events = await findCaused(db.reads, fact.id)
  return {
    id: fact.id,
    type: fact.type,
    occurred_at: fact.occurred_at,
    applied_at: fact.applied_at,
    events: events.map((event) => eventView(db.world, event)),
  }
}

/** An event as receivers get it, but without the installation, which differs for each receiver. */
type EventView = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly mode: World
  readonly data: ReturnType<typeof wholeData>
}

function eventView(world: World, event: StoredEvent): EventView {
  return { id: event.id, event: event.name, created_at: event.created_at, mode: world, data: wholeData(event) }
}

/** A schema for the documentation only. The body is read as text, and each fact is validated alone. */
const FactBatch = Type.Unsafe<string>(
  Type.Array(Type.Object(FactFrame.properties, { title: 'Fact', additionalProperties: false }), {
    maxItems: FACTS_MAX,
    description: 'A JSON array of facts, or one fact per line as application/x-ndjson. At most 8 MiB.',
  }),
)

const FactOutcomes = Type.Object({
  data: Type.Array(Outcome, { description: 'One result for each fact sent, in the same order.' }),
  meta: Type.Object({ applied: Type.Integer(), duplicate: Type.Integer(), refused: Type.Integer() }),
})
type FactOutcomes = Static<typeof FactOutcomes>

const FactParam = Type.Object({ id: FactId })

const FactEnvelope = Type.Object({
  data: Type.Object(
    {
      id: Type.String(),
      type: Type.String(),
      occurred_at: Type.String(),
      applied_at: Type.String(),
      events: Type.Array(
        Type.Object({
          id: Type.String(),
          event: Type.String(),
          created_at: Type.String(),
          mode: oneOf(WORLDS),
          data: Detail,
        }),
        {
          description: 'The events that the fact caused, in order, as receivers get them but without the installation.',
        },
      ),
    },
    { title: 'AppliedFact' },
  ),
})
