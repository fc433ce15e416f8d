import { ApiError, type FieldError, UnknownReference } from '#kernel/errors.ts'
import { ConstraintViolation } from '#system/postgres/errors.ts'
import { FactRefused, invalidFact, type Refusal } from './refusal.ts'

/**
 * What a use case threw, in the feed's words; null for what is no refusal of this fact (the database is away, we have
 * a bug) and ends the request instead. Use cases speak of their input, which here stands under `data`.
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
    message: `${under(field)} names ${id}, which is not known in this world.`,
    field: under(field),
    details: { id },
  }
}

function fromApiError(error: ApiError): Refusal {
  const { type, details, remediation } = error
  const message = remediation === undefined ? error.public : `${error.public} ${remediation}`
  if (type === 'illegal_transition') return { type, message, ...(details === undefined ? {} : { details }) }
  const [first, ...others] = fieldsOf(details).map((each) => ({ ...each, field: under(each.field) }))
  if (first !== undefined) return invalidFact([first, ...others]).refusal
  return { type: 'invalid_fact', message, code: type, ...(details === undefined ? {} : { details }) }
}

function fieldsOf(details: ApiError['details']): readonly FieldError[] {
  const fields: unknown = details?.['fields']
  return Array.isArray(fields) ? fields : []
}

function under(field: string): string {
  // When it happened is told beside the data, and use cases know it as part of the occasion.
  if (field === 'occurred_at') return field
  return field === '' ? 'data' : `data.${field}`
}

/**
 * The database holds every rule of docs/model.md, and its constraints are named after what they ask for: should a fact
 * get past its schema and its use case, the name still says what is wrong with it.
 */
function brokenRule({ constraint, table }: ConstraintViolation): Refusal {
  const ofTable = table === null ? '' : ` of ${table}`
  const rule = table !== null && constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : constraint
  const said = `the rule “${ruleWords(rule)}”${ofTable}`
  return {
    type: 'invalid_fact',
    message: `data breaks ${said}.`,
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

/** SQLSTATE class 22: a value that no column of its type can hold. Its message may quote the value, so it stays here. */
function isDataException(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
}

const UNACCEPTABLE_VALUE: Refusal = {
  type: 'invalid_fact',
  message: 'data holds a value that cannot be stored.',
  field: 'data',
  code: 'unacceptable_value',
}
