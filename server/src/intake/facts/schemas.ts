import { type Static, Type } from 'typebox'
import { WORLDS } from '#kernel/world.ts'
import { REFUSAL_TYPES } from './fact-type.ts'
import { FACTS_MAX, FactFrame, FactId } from './read-fact.ts'

/** The wire forms of the feed. */

const oneOf = <const V extends string>(...values: readonly V[]) => Type.Unsafe<V>(Type.Enum([...values]))

/** Documentation only: the body is read as text and validated fact by fact. */
export const FactBatch = Type.Unsafe<string>(
  Type.Array(Type.Object(FactFrame.properties, { title: 'Fact', additionalProperties: false }), {
    maxItems: FACTS_MAX,
    description: 'A JSON array of facts, or one fact per line as application/x-ndjson. At most 8 MiB.',
  }),
)

const Detail = Type.Record(Type.String(), Type.Unknown())

const FactError = Type.Object(
  {
    type: oneOf(...REFUSAL_TYPES),
    message: Type.String(),
    field: Type.Optional(Type.String({ description: 'Where in the fact, such as data.amount_cents.' })),
    code: Type.Optional(Type.String({ description: 'A stable word for what is wrong at field.' })),
    details: Type.Optional(Detail),
  },
  { title: 'FactError' },
)

const Outcome = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], { description: 'Null where the fact had no readable id.' }),
    status: oneOf('applied', 'duplicate', 'refused'),
    events: Type.Array(Type.Object({ id: Type.String(), event: Type.String() })),
    error: Type.Optional(FactError),
  },
  { title: 'FactOutcome' },
)

export const FactOutcomes = Type.Object({
  data: Type.Array(Outcome, { description: 'One for each fact sent, in the same order.' }),
  meta: Type.Object({ applied: Type.Integer(), duplicate: Type.Integer(), refused: Type.Integer() }),
})
export type FactOutcomes = Static<typeof FactOutcomes>

export const FactParam = Type.Object({ id: FactId })

export const FactEnvelope = Type.Object({
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
          mode: oneOf(...WORLDS),
          data: Detail,
        }),
        { description: 'What it caused, in order, as receivers see it but without an installation.' },
      ),
    },
    { title: 'AppliedFact' },
  ),
})
