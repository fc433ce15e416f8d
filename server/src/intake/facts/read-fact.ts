import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { fieldErrors, fieldPath, type Issue } from '#http/input/field-errors.ts'
import { inspect, type TextProblem } from '#http/input/plain-text.ts'
import { ApiError, type FieldError, validationError } from '#kernel/errors.ts'
import { pace } from '#system/share-thread.ts'
import { type FactTable, invalidFact, type KnownFact } from './fact-type.ts'
import { TIME_PATTERN, Time, textForm } from './fields.ts'

/** Visible ASCII characters that the host platform chooses, but not `.` or `..`, which URL parsers resolve as directories. */
export const FactId = Type.String({ pattern: '^(?!\\.{1,2}$)[!-~]{1,100}$' })

export const FactFrame = Type.Object(
  {
    id: FactId,
    type: Type.String({ maxLength: 122 }),
    occurred_at: Time,
    data: Type.Object({}, { additionalProperties: true }),
  },
  { additionalProperties: false },
)

/** A fact with a valid schema. Its use case decides whether the stored state allows it. */
export type Fact = {
  readonly id: string
  readonly kind: KnownFact
  readonly occurredAt: string
  readonly data: KnownFact['example']
}

const frame = Compile(FactFrame)
const factId = Compile(FactId)

/** The id for the response, even if the fact is rejected for another reason; null if it has no readable id. */
export function idOfSent(sent: unknown): string | null {
  const id: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, 'id') : null
  return factId.Check(id) ? id : null
}

/** Throws FactRefused, whose message names the first wrong field, and whose details list all wrong fields that were found. */
export function readFact(table: FactTable, sent: unknown): Fact {
  const { problem } = inspect(sent)
  if (problem !== null) throw invalidFact([textError(problem)])
  if (!frame.Check(sent)) throw invalidFact(explain(frame.Errors(sent), 'fact', ''))
  // A time before 1970 is a mistake of the sender's program, because no fact is that old.
  if (Date.parse(sent.occurred_at) < 0) {
    throw invalidFact([{ field: 'occurred_at', code: 'too_early', message: 'must not lie before 1970' }])
  }
  const kind = table.get(sent.type)
  if (kind === undefined) throw unknownType(sent.type, table)
  if (!kind.validator.Check(sent.data)) throw invalidFact(explain(kind.validator.Errors(sent.data), 'data', 'data.'))
  return { id: sent.id, kind, occurredAt: sent.occurred_at, data: sent.data }
}

function unknownType(type: string, table: FactTable) {
  const near = nearTypes(type, table.keys())
  const hint = near.length === 0 ? 'the documentation of the feed lists all types' : `similar types: ${near.join(', ')}`
  const message = `is not a known fact type; ${hint}`
  return invalidFact([{ field: 'type', code: 'unknown_type', message }], { known: near })
}

const TEXT_PROBLEMS: Readonly<Record<TextProblem['problem'], Omit<FieldError, 'field'>>> = {
  unstorable_text: {
    code: 'invalid_text',
    message: 'contains a NUL or half of a surrogate pair, which is not valid text',
  },
  reserved_name: { code: 'unknown_field', message: 'has a field named __proto__' },
  too_deep: { code: 'too_deep', message: 'is nested too deeply' },
}

function textError({ path, problem }: TextProblem): FieldError {
  return { field: fieldPath(path, 'fact'), ...TEXT_PROBLEMS[problem] }
}

/** The field errors of schema issues. In their messages a pattern is replaced by its description. */
function explain(issues: readonly Issue[], root: string, prefix: string): [FieldError, ...FieldError[]] {
  const forms = new Map(
    issues
      .map((issue): [string, string | undefined] => [nameOf(issue, root), formWords(issue)])
      .filter(([, words]) => words !== undefined),
  )
  const [first, ...others] = fieldErrors(issues, root).map((error) => {
    const words = error.code === 'invalid_format' ? forms.get(error.field) : undefined
    const message = words === undefined ? error.message : `must be ${words}`
    return { ...error, message, field: error.field === root ? root : prefix + error.field }
  })
  return first === undefined ? [{ field: root, code: 'invalid', message: 'is not acceptable' }] : [first, ...others]
}

function nameOf({ instancePath }: Issue, root: string): string {
  return fieldPath(instancePath.split('/').slice(1), root)
}

function formWords({ keyword, params }: Issue): string | undefined {
  if (keyword === 'format')
    return Reflect.get(params, 'format') === 'date-time' ? textForm(TIME_PATTERN)?.words : undefined
  return keyword === 'pattern' ? textForm(Reflect.get(params, 'pattern'))?.words : undefined
}

/** The maximum number of suggested types, and the maximum edit distance of a name that counts as similar to the unknown type. */
const SUGGESTED_MAX = 5
const EDITS_MAX = 4

/** Known types with a name similar to the unknown type, nearest first; then other types with the same noun. */
function nearTypes(unknown: string, known: Iterable<string>): readonly string[] {
  const names = [...known]
  const near = names
    .map((name) => ({ name, edits: editDistance(unknown, name) }))
    .filter(({ edits }) => edits <= EDITS_MAX)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ name }) => name)
  const noun = unknown.split('.', 1)[0] ?? ''
  const related = names.filter((name) => name.startsWith(`${noun}.`) && !near.includes(name))
  return [...near, ...related].slice(0, SUGGESTED_MAX)
}

/** Computes the Levenshtein distance row by row. Both texts are short, because the frame's schema limits their length. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

export const FACTS_MAX = 1_000
const NDJSON = 'application/x-ndjson'

/**
 * Splits a request body into facts, which are not validated yet. A body that cannot be split is rejected before any fact is applied:
 * 400 for text that is not JSON, 422 for JSON that is not a list of at most 1,000 facts.
 */
export async function readBatch(text: string, contentType: string | undefined): Promise<readonly unknown[]> {
  if (text === '') throw notJson('The request has no body: send a list of facts.')
  const isLines = contentType?.trim().toLowerCase().startsWith(NDJSON) ?? false
  const facts = isLines ? await readLines(text) : readList(text)
  if (facts.length > FACTS_MAX) throw tooMany()
  return facts
}

function readList(text: string): readonly unknown[] {
  const list = parse(text, () => notJson('The request body is not JSON.'))
  if (Array.isArray(list)) return list
  throw validationError([{ field: 'body', code: 'invalid_type', message: 'must be a list of facts' }])
}

async function readLines(text: string): Promise<readonly unknown[]> {
  const turn = pace()
  const facts: unknown[] = []
  let number = 0
  for (const line of text.split('\n')) {
    number++
    if (line.trim() === '') continue
    if (facts.length === FACTS_MAX) throw tooMany()
    const at = number
    facts.push(parse(line, () => notJson(`Line ${at} of the request body is not JSON.`, { line: at })))
    await turn()
  }
  return facts
}

/** The parser's own message quotes the body, which must appear neither in a response nor in a log. */
function parse(text: string, refused: () => ApiError): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused()
  }
}

function notJson(message: string, details?: { readonly line: number }): ApiError {
  return new ApiError('invalid_request', {
    public: `${message} Nothing of the batch was applied.`,
    remediation: `Send a JSON array of facts (application/json), or one fact per line (${NDJSON}).`,
    ...(details === undefined ? {} : { details }),
  })
}

function tooMany(): ApiError {
  const message = `must have at most ${FACTS_MAX.toLocaleString('en')} facts; nothing was applied, send them in several requests`
  return validationError([{ field: 'body', code: 'too_long', message }])
}
