import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { fieldErrors, fieldPath, type Issue } from '#http/input/field-errors.ts'
import { inspect, type TextProblem } from '#http/input/plain-text.ts'
import type { FieldError } from '#kernel/errors.ts'
import type { FactTable, KnownFact } from './fact-table.ts'
import { TIME_PATTERN, Time } from './fields.ts'
import { invalidFact } from './refusal.ts'
import { textForm } from './text-forms.ts'

/** Visible ASCII: an id of the host's, whatever its form. */
/** Not `.` or `..`: every URL reader takes those for directories, and the fact could not be asked for again. */
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

/** A fact that is right in itself; whether it fits what we know is for its use case to say. */
export type Fact = {
  readonly id: string
  readonly kind: KnownFact
  readonly occurredAt: string
  readonly data: KnownFact['example']
}

const frame = Compile(FactFrame)
const factId = Compile(FactId)

/** The id to answer under, even of a fact that is refused for something else. */
export function idOfSent(sent: unknown): string | null {
  const id: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, 'id') : null
  return factId.Check(id) ? id : null
}

/** Throws FactRefused with the first wrong field. */
export function readFact(table: FactTable, sent: unknown): Fact {
  const { problem } = inspect(sent)
  if (problem !== null) throw invalidFact([textError(problem)])
  if (!frame.Check(sent)) throw invalidFact(explain(frame.Errors(sent), 'fact', ''))
  // Before 1970 nothing happened here: such a time is a missing one that some program wrote as zero.
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
  const meant = near.length === 0 ? 'see the list in the documentation of the feed' : `near it: ${near.join(', ')}`
  const message = `is no type of fact we know; ${meant}`
  return invalidFact([{ field: 'type', code: 'unknown_type', message }], { known: near })
}

const TEXT_PROBLEMS: Readonly<Record<TextProblem['problem'], Omit<FieldError, 'field'>>> = {
  unstorable_text: { code: 'invalid_text', message: 'holds a NUL or half of a surrogate pair, which is no text' },
  reserved_name: { code: 'unknown_field', message: 'has a field named __proto__' },
  too_deep: { code: 'too_deep', message: 'is nested too deeply' },
}

function textError({ path, problem }: TextProblem): FieldError {
  return { field: fieldPath(path, 'fact'), ...TEXT_PROBLEMS[problem] }
}

/** The validator's complaints in words; a form it names by its pattern, by the words for that pattern. */
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

/** How many to suggest, and from how far away. */
const SUGGESTED_MAX = 5
const EDITS_MAX = 4

/** The known names that an unknown one may have meant, nearest first; others of its noun if none is near. */
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

/** Levenshtein's, one row at a time. Both texts are short: the frame has bounded them. */
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
