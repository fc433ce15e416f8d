import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Occasion } from '#events/index.ts'
import type { FieldError } from '#kernel/errors.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** Platform settings that applying a fact depends on. */
export type FactSettings = {
  readonly reinstatementGraceDays: number
  readonly referrals: ReferralSettings
}

/**
 * One kind of fact that the host platform may send, and the use case that applies it. The documentation of the feed is
 * generated from these, and every example is run as a test.
 */
export type FactType<D extends TSchema = TSchema> = {
  /** `noun.happened`, past tense: a fact has happened before it is sent. */
  readonly type: string
  readonly summary: string
  /** Objects here reject unknown fields (`additionalProperties: false`): a misspelt field must not be lost silently. */
  readonly data: D
  readonly example: Static<D>
  /** Runs in the fact's own transaction. Throws ApiError to reject the fact; the transaction is rolled back. */
  readonly apply: (tx: Tx, data: Static<D>, around: { occasion: Occasion; settings: FactSettings }) => Promise<unknown>
}

/** Checks the definition's types against each other, then drops them so that all kinds fit in one table. */
export function factType<D extends TSchema>(definition: FactType<D>): FactType {
  return definition as unknown as FactType
}

/** A fact type with its compiled schema. */
export type KnownFact = FactType & { readonly validator: Validator }

type Validator = {
  Check(value: unknown): value is Static<TSchema>
  Errors(value: unknown): { keyword: string; schemaPath: string; instancePath: string; params: object }[]
}

export type FactTable = ReadonlyMap<string, KnownFact>

/** Throws if two fact types have the same name: only one of them would be applied. */
export function factTable(types: readonly FactType[]): FactTable {
  const table = new Map<string, KnownFact>()
  for (const fact of types) {
    if (table.has(fact.type)) throw new Error(`two fact types are named ${fact.type}`)
    table.set(fact.type, compiledLater(fact))
  }
  return table
}

/** Compiles the schema with the first fact of its type. Compiling all of them at the start would cost a tenth of a second. */
function compiledLater(fact: FactType): KnownFact {
  let validator: Validator | null = null
  return {
    ...fact,
    get validator() {
      validator ??= Compile(fact.data)
      return validator
    },
  }
}

/**
 * Why a fact was rejected. `invalid_fact`: `field` is wrong; `unknown_reference`: it names a record that does not exist
 * (yet); `illegal_transition`: the record's current state does not allow it. `details` names that state and the moves it
 * allows.
 */
export const REFUSAL_TYPES = ['invalid_fact', 'unknown_reference', 'illegal_transition'] as const

export type Refusal = {
  readonly type: (typeof REFUSAL_TYPES)[number]
  readonly message: string
  /** Path from the top of the fact: `occurred_at`, `data.investor.email`. */
  readonly field?: string
  readonly code?: string
  readonly details?: { readonly [key: string]: unknown }
}

/** Thrown to roll back the fact's transaction. */
export class FactRefused extends Error {
  override readonly name = 'FactRefused'
  readonly refusal: Refusal
  /** The rejected fact, where one call applies several. */
  readonly factId: string | null

  constructor(refusal: Refusal, factId: string | null = null) {
    super(refusal.message)
    this.refusal = refusal
    this.factId = factId
  }
}

export function invalidFact(
  fields: readonly [FieldError, ...FieldError[]],
  more: Refusal['details'] = {},
): FactRefused {
  const [{ field, code, message }] = fields
  return new FactRefused({
    type: 'invalid_fact',
    message: `${field} ${message}.`,
    field,
    code,
    details: { fields, ...more },
  })
}
