import { createHash } from 'node:crypto'
import { type EventName, findCaused, type Occasion } from '#events/index.ts'
import { canonicalJson } from '#http/idempotency.ts'
import { ApiError, type FieldError, UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { ConstraintViolation, DatabaseUnavailable } from '#system/postgres/errors.ts'
import { gatheringTx } from '#system/postgres/gathered-statements.ts'
import { FactRefused, type FactSettings, type FactTable, invalidFact, type Refusal } from './fact-type.ts'
import { type Fact, idOfSent, readFact } from './read-fact.ts'
import { claimFact, findFact } from './store.ts'

type CausedEvent = { readonly id: Id<'event'>; readonly event: EventName }

/** The result of one fact in the response. The id is null only if none could be read. */
export type FactOutcome =
  | { readonly id: string; readonly status: 'applied' | 'duplicate'; readonly events: CausedEvent[] }
  | { readonly id: string | null; readonly status: 'refused'; readonly events: []; readonly error: Refusal }

export type FactRules = { readonly table: FactTable; readonly settings: FactSettings }

/**
 * Applies one fact in its own transaction: its id, its changes and its events, or nothing. A rejected fact leaves no trace, so
 * it can be sent again with the same id once the cause is fixed.
 */
export async function applyFact(
  db: WorldDatabase,
  { table, settings }: FactRules,
  sent: unknown,
): Promise<FactOutcome> {
  try {
    const fact = readFact(table, sent)
    return await insistently(() => db.transaction((tx) => takeIn(tx, fact, settings)))
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return { id: idOfSent(sent), status: 'refused', events: [], error: refusal }
  }
}

export type Waves = {
  /** The facts of a wave must not depend on each other, only on earlier waves. */
  readonly waves: readonly (readonly unknown[])[]
  readonly onApplied?: (facts: number) => void
}

/**
 * Applies many facts in one transaction, all or none, so that no job sees a state between two of them. The facts of a wave run
 * concurrently, and their statements are batched. Throws the first rejection as `FactRefused`.
 */
export async function applyFactsInWaves(
  db: WorldDatabase,
  { table, settings }: FactRules,
  { waves, onApplied = () => {} }: Waves,
): Promise<readonly FactOutcome[]> {
  return insistently(() =>
    db.transaction(async (tx) => {
      const gathering = gatheringTx(tx)
      const outcomes: FactOutcome[] = []
      for (const wave of waves) {
        const apply = async (sent: unknown) => takeIn(gathering, readFact(table, sent), settings)
        // Wait for all of them, also if one fails: none may run after the transaction ends.
        for (const [index, result] of (await Promise.allSettled(wave.map(apply))).entries()) {
          if (result.status === 'rejected') throw refusedAt(wave[index], result.reason)
          outcomes.push(result.value)
        }
        onApplied(outcomes.length)
      }
      return outcomes
    }),
  )
}

function refusedAt(sent: unknown, error: unknown): unknown {
  const refusal = refusalOf(error)
  return refusal === null ? error : new FactRefused(refusal, idOfSent(sent))
}

async function takeIn(tx: Tx, fact: Fact, settings: FactSettings): Promise<FactOutcome> {
  const { id, kind, occurredAt, data } = fact
  const fingerprint = fingerprintOf(fact)
  const claim = await claimFact(tx, { id, type: kind.type, occurredAt, fingerprint })
  if (claim === null) return repeat(tx, id, fingerprint)
  if (claim.ahead) {
    const message = 'must not lie more than 5 minutes ahead of the world’s time'
    throw invalidFact([{ field: 'occurred_at', code: 'in_the_future', message }])
  }
  const occasion: Occasion = { cause: id, occurredAt: claim.occurred_at, caused: [] }
  await kind.apply(tx, data, { occasion, settings })
  return { id, status: 'applied', events: named(occasion.caused) }
}

/** A separate statement: the one that lost the claim started before the winner committed and cannot see its row. */
async function repeat(tx: Tx, id: string, fingerprint: Buffer): Promise<FactOutcome> {
  const earlier = await findFact(tx, id)
  if (earlier === null) throw new Error('a fact whose id is taken cannot be found')
  if (!earlier.fingerprint.equals(fingerprint)) {
    const message = 'was used for another fact; a new fact needs a new id'
    throw invalidFact([{ field: 'id', code: 'id_reused', message }], {
      type: earlier.type,
      occurred_at: earlier.occurred_at,
    })
  }
  return { id, status: 'duplicate', events: named(await findCaused(tx, id)) }
}

function named(events: readonly { readonly id: Id<'event'>; readonly name: EventName }[]): CausedEvent[] {
  return events.map(({ id, name }) => ({ id, event: name }))
}

/** Two facts are the same if everything but the id is equal, in any order of fields. */
function fingerprintOf({ kind, occurredAt, data }: Fact): Buffer {
  return createHash('sha256')
    .update(canonicalJson([kind.type, occurredAt, data]))
    .digest()
}

const TRIES_MAX = 5

/** Retries a transaction that PostgreSQL aborted because of a deadlock or a serialization failure. */
async function insistently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= TRIES_MAX || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  const code: unknown =
    error instanceof DatabaseUnavailable && error.cause instanceof Error && Reflect.get(error.cause, 'code')
  return code === '40P01' || code === '40001'
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
  // In a fact, occurred_at is outside `data`; use cases get it in the occasion.
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
