import type { FieldError } from '#kernel/errors.ts'
import { fieldMessage } from './field-messages.ts'

/** One complaint of the validator; the library's own type is a union of thirty. */
export type Issue = {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
}

const FIELDS_MAX = 50
const NAME_CHARS_MAX = 100

/** All complaints, one for each field and reason, in words for people. `root` names the whole when it is at fault. */
export function fieldErrors(issues: readonly Issue[], root: string): FieldError[] {
  const errors = settleChoices(settleUnions(issues)).flatMap((issue) => toFieldErrors(issue, root))
  const seen = new Set<string>()
  const unique = errors.filter(({ field, code }) => {
    const key = `${field} ${code}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return unique.slice(0, FIELDS_MAX)
}

function toFieldErrors({ keyword, instancePath, params }: Issue, root: string): FieldError[] {
  switch (keyword) {
    case 'required':
      return namesIn(params, 'requiredProperties').map((name) => {
        return { field: fieldName(`${instancePath}/${name}`, root), code: 'required', message: 'is required' }
      })
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return namesIn(params, keyword).map((name) => {
        const field = fieldName(`${instancePath}/${name}`, root)
        return { field, code: 'unknown_field', message: 'is not a field of this request' }
      })
    case 'boolean':
      // Each unknown field is reported a second time as "schema is false".
      return []
    default:
      return [{ field: fieldName(instancePath, root), ...fieldMessage(keyword, params) }]
  }
}

/** What is none of the values of a list gets no message about its type as well: the list says more. */
function settleChoices(issues: readonly Issue[]): Issue[] {
  const lists = new Set(issues.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath))
  return issues.filter(({ keyword, instancePath }) => keyword !== 'type' || !lists.has(instancePath))
}

/**
 * A value that fits no form of a union is complained about once per form. What helps is the complaint about the form
 * that was meant: the one whose own type and constants matched; if none did, the list of what is allowed.
 */
function settleUnions(issues: readonly Issue[]): Issue[] {
  const unions = issues.filter(({ keyword }) => keyword === 'anyOf')
  const outermost = unions.toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)[0]
  if (outermost === undefined) return [...issues]
  const prefix = `${outermost.schemaPath}/anyOf/`
  const inside = issues.filter(({ schemaPath }) => schemaPath.startsWith(prefix))
  const outside = issues.filter((issue) => issue !== outermost && !inside.includes(issue))
  return [...settleUnions(outside), ...settle(outermost, inside, prefix)]
}

function settle(union: Issue, inside: readonly Issue[], prefix: string): Issue[] {
  const forms = Map.groupBy(inside, ({ schemaPath }) => schemaPath.slice(prefix.length).split('/')[0])
  const meant = [...forms.values()]
    .filter((complaints) => !complaints.some((issue) => isAnotherForm(issue, union.instancePath)))
    .toSorted((a, b) => a.length - b.length)[0]
  if (meant !== undefined) return settleUnions(meant)
  const choices = inside.filter(({ keyword, instancePath }) => {
    return (keyword === 'const' || keyword === 'type') && instancePath === union.instancePath
  })
  return [{ ...union, params: { choices: choices.map(({ params }) => params) } }]
}

/** The value is of another kind altogether, or one of its constants says it is another member of the union. */
function isAnotherForm({ keyword, instancePath }: Issue, at: string): boolean {
  return keyword === 'const' || (keyword === 'type' && instancePath === at)
}

function namesIn(params: object, key: string): string[] {
  const names: unknown = Reflect.get(params, key)
  return Array.isArray(names) ? names.map(String) : []
}

function fieldName(pointer: string, root: string): string {
  const keys = pointer.split('/').slice(1)
  return fieldPath(
    keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  )
}

/** `events`, `1`, `name` reads `events[1].name`; cut, because the names come from the client. */
export function fieldPath(keys: readonly string[], root: string): string {
  const path = keys.reduce((before, key) => {
    if (/^\d+$/.test(key)) return `${before}[${key}]`
    return before === '' ? key : `${before}.${key}`
  }, '')
  return path === '' ? root : path.slice(0, NAME_CHARS_MAX)
}
