import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Occasion } from '#events/index.ts'
import { ApiError, type FieldError, UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { ConstraintViolation } from '#system/postgres/errors.ts'

/** Platform settings that applying a fact depends on. */
export type FactSettings = {
  readonly reinstatementGraceDays: number
  readonly referrals: ReferralSettings
}

/**
 * One kind of fact that the host platform may send, and the use case that applies it. The documentation of the feed is
 * generated from the fact types, and every example is run as a test.
 */
export type FactType<D extends TSchema = TSchema> = {
  /** `noun.happened`, past tense: a fact has happened before it is sent. */
  readonly type: string
  readonly summary: string
  /** Objects here reject unknown fields (`additionalProperties: false`): a misspelt field must not be lost silently. */
  readonly data: D
  readonly example: Static<D>
  /**
   * The records that the fact uses, so that facts that do not depend on each other can be applied together. A fact of a type without
   * `touches` is applied alone, after all earlier facts and before all later ones.
   */
  readonly touches?: (data: Static<D>) => Touches
  /**
   * Runs in the fact's own transaction, or together with facts that use other records. An ApiError rejects the fact and rolls
   * back the transaction.
   */
  readonly apply: (tx: Tx, data: Static<D>, around: { occasion: Occasion; settings: FactSettings }) => Promise<unknown>
}

/** The records and values that a fact uses: ids, or any text that names one thing in a world. */
export type Touches = {
  readonly changes: readonly string[]
  readonly refersTo?: readonly string[]
  /** The fact changes the totals of the investor of this investment. */
  readonly totalsOf?: { readonly investment: Id<'investment'>; readonly investor?: Id<'user'> }
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

/** Throws if two fact types have the same name, because only one of them would be applied. */
export function factTable(types: readonly FactType[]): FactTable {
  const table = new Map<string, KnownFact>()
  for (const fact of types) {
    if (table.has(fact.type)) throw new Error(`two fact types are named ${fact.type}`)
    table.set(fact.type, compiledLater(fact))
  }
  return table
}

/** Compiles the schema with the first fact of its type. Compiling all schemas at the start would take a tenth of a second. */
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
 * Why a fact was rejected. `invalid_fact`: `field` is wrong. `unknown_reference`: the fact names a record that does not exist
 * (yet). `illegal_transition`: the record's current state does not allow the fact; `details` has the state and the allowed moves.
 */
export const REFUSAL_TYPES = ['invalid_fact', 'unknown_reference', 'illegal_transition'] as const

export type Refusal = {
  readonly type: (typeof REFUSAL_TYPES)[number]
  readonly message: string
  /** The path of the field in the fact, such as `occurred_at` or `data.investor.email`. */
  readonly field?: string
  readonly code?: string
  readonly details?: { readonly [key: string]: unknown }
}

/** Thrown to roll back the fact's transaction. */
export class FactRefused extends Error {
  override readonly name = 'FactRefused'
  readonly refusal: Refusal
  /** The id of the rejected fact, if one call applies several facts. */
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

/**
 * Converts an error of a use case to a rejection of the fact; null for other errors (database down, a bug), which end the
 * request. Field names of use cases get the prefix `data`.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof FactRefused) return error.refusal
  if (error instanceof UnknownReference) return unknownReference(error)
  if (error instanceof ApiError) return error.status >= 500 ? null : fromApiError(error)
  if (error instanceof ConstraintViolation) return brokenRule(error)
  return isDataException(error) ? UNACCEPTABLE_VALUE : null
}

function unknownReference({ field, id }: UnknownReference): Refusal {
  return {
    type: 'unknown_reference',
    message: `${fieldInFact(field)} names ${id}, which is not known in this world.`,
    field: fieldInFact(field),
    details: { id },
  }
}

function fromApiError(error: ApiError): Refusal {
  const { type, details, remediation } = error
  const message = remediation === undefined ? error.public : `${error.public} ${remediation}`
  if (type === 'illegal_transition') return { type, message, ...(details === undefined ? {} : { details }) }
  const [first, ...others] = fieldsOf(details).map((each) => ({ ...each, field: fieldInFact(each.field) }))
  if (first !== undefined) return invalidFact([first, ...others]).refusal
  return { type: 'invalid_fact', message, code: type, ...(details === undefined ? {} : { details }) }
}

function fieldsOf(details: ApiError['details']): readonly FieldError[] {
  const fields: unknown = details?.['fields']
  return Array.isArray(fields) ? fields : []
}

function fieldInFact(field: string): string {
  // A fact has occurred_at outside `data`. Use cases get it in the occasion.
  if (field === 'occurred_at') return field
  return field === '' ? 'data' : `data.${field}`
}

/**
 * The database enforces every rule of docs/model.md, and each constraint is named after its rule. So the constraint's name
 * explains the error of a fact that passed its schema and its use case.
 */
function brokenRule({ constraint, table }: ConstraintViolation): Refusal {
  const ofTable = table === null ? '' : ` of ${table}`
  const rule = table !== null && constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : constraint
  const brokenRule = `the rule “${ruleWords(rule)}”${ofTable}`
  return {
    type: 'invalid_fact',
    message: `data breaks ${brokenRule}.`,
    field: 'data',
    code: /^pkey$|_key$/.test(rule) ? 'already_exists' : 'rule_broken',
    details: { constraint },
  }
}

function ruleWords(rule: string): string {
  if (rule === 'pkey') return 'id is unique'
  return rule
    .replace(/_fkey$/, ' exists')
    .replace(/_key$/, ' is unique')
    .replaceAll('_', ' ')
}

/**
 * SQLSTATE class 22: a value that the column's type cannot hold. PostgreSQL's message may quote the value, so it is not
 * returned.
 */
function isDataException(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
}

const UNACCEPTABLE_VALUE: Refusal = {
  type: 'invalid_fact',
  message: 'data contains a value that cannot be stored.',
  field: 'data',
  code: 'unacceptable_value',
}
