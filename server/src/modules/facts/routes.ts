import { operator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import type { FactOutcome, FactRules } from './apply-fact.ts'
import { applyFacts } from './apply-facts.ts'
import { readBatch } from './read-batch.ts'
import { FactBatch, FactEnvelope, FactOutcomes, FactParam } from './schemas.ts'
import { showFact } from './show-fact.ts'

/** A thousand facts with long texts; the edge's 1 MiB would hold a thousand short ones. */
const BODY_BYTES_MAX = 8 * 1_048_576

const TAG = 'Platform feed'

/** The host platform's side: no part of the partner API, so without its older prefix. */
export const factRoutes = (rules: FactRules): Route[] => [
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
      'Records what happened on the host platform. A request holds up to 1,000 facts. They are applied in order, and each is applied once by its id.',
    tag: TAG,
    access: operator(),
    schema: { body: FactBatch, response: { 200: FactOutcomes } },
    // No transaction of the edge's: each fact has its own, and its id is its idempotency key.
    handler: async ({ db, body, header }) => {
      const facts = await readBatch(body, header('content-type'))
      return { status: 200, body: answer(await applyFacts(db, rules, facts)) }
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
    access: operator(),
    schema: { params: FactParam, response: { 200: FactEnvelope } },
    handler: async ({ db, params }) => ({ status: 200, body: { data: await showFact(db, params.id) } }),
  }),
]

function answer(outcomes: readonly FactOutcome[]): FactOutcomes {
  const count = (wanted: FactOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length
  return {
    data: [...outcomes],
    meta: { applied: count('applied'), duplicate: count('duplicate'), refused: count('refused') },
  }
}
