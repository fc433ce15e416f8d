import type { FieldError } from '#kernel/errors.ts'

/** One error of the validator, with the fields that are used here. The library's own type is a union of thirty types. */
export type Issue = {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
}

const FIELDS_MAX = 50
const NAME_CHARS_MAX = 100

/**
 * At most 50 errors, one for each field and reason, with messages for people. `root` is the field name of an error in the value
 * itself.
 */
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
      // The validator reports each unknown field a second time as "schema is false".
      return []
    default:
      return [{ field: fieldName(instancePath, root), ...fieldMessage(keyword, params) }]
  }
}

/** Drops the type error of a value that is not in a list of allowed values, because the error with the list contains more. */
function settleChoices(issues: readonly Issue[]): Issue[] {
  const lists = new Set(issues.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath))
  return issues.filter(({ keyword, instancePath }) => keyword !== 'type' || !lists.has(instancePath))
}

/**
 * If a value fits no form of a union, the validator reports the errors of every form. Only the errors of the form whose type and
 * constants match help the client. If no form matches, the error lists the allowed forms.
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

/** Whether the value has another type than this form, or a constant shows that it is meant for another form. */
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

/** `events`, `1`, `name` becomes `events[1].name`. The result is shortened, because the names come from the client. */
export function fieldPath(keys: readonly string[], root: string): string {
  const path = keys.reduce((before, key) => {
    if (/^\d+$/.test(key)) return `${before}[${key}]`
    return before === '' ? key : `${before}.${key}`
  }, '')
  return path === '' ? root : path.slice(0, NAME_CHARS_MAX)
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

type Message = Omit<FieldError, 'field'>

/**
 * Converts a keyword of the validator with its parameters to a stable code and to words that follow the field's name.
 */
function fieldMessage(keyword: string, params: object): Message {
  const limit = String(Reflect.get(params, 'limit'))
  switch (keyword) {
    case 'type':
      return { code: 'invalid_type', message: `must be ${typeWords(Reflect.get(params, 'type'))}` }
    case 'enum':
      return choice(Reflect.get(params, 'allowedValues'))
    case 'const':
      return choice([Reflect.get(params, 'allowedValue')])
    case 'anyOf':
      return union(Reflect.get(params, 'choices'))
    case 'minLength':
      return { code: 'too_short', message: `must have at least ${limit} characters` }
    case 'maxLength':
      return { code: 'too_long', message: `must have at most ${limit} characters` }
    case 'minItems':
      return { code: 'too_short', message: `must have at least ${limit} items` }
    case 'maxItems':
      return { code: 'too_long', message: `must have at most ${limit} items` }
    case 'minimum':
      return { code: 'too_small', message: `must be at least ${limit}` }
    case 'exclusiveMinimum':
      return { code: 'too_small', message: `must be more than ${limit}` }
    case 'maximum':
      return { code: 'too_large', message: `must be at most ${limit}` }
    case 'exclusiveMaximum':
      return { code: 'too_large', message: `must be less than ${limit}` }
    case 'multipleOf':
      return { code: 'not_a_multiple', message: `must be a multiple of ${String(Reflect.get(params, 'multipleOf'))}` }
    case 'uniqueItems':
      return { code: 'duplicate', message: 'must not contain duplicates' }
    case 'format':
      return { code: 'invalid_format', message: `must be a valid ${String(Reflect.get(params, 'format'))}` }
    case 'pattern':
      return { code: 'invalid_format', message: 'does not have the right form' }
    default:
      return { code: 'invalid', message: 'is not acceptable' }
  }
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type]
  return types.map((name) => TYPE_WORDS[String(name)] ?? String(name)).join(' or ')
}

function choice(allowed: unknown): Message {
  const values = Array.isArray(allowed) ? allowed : [allowed]
  return { code: 'invalid_choice', message: `must be one of: ${values.map(String).join(', ')}` }
}

/** The expected values or types of all forms of a union. */
function union(choices: unknown): Message {
  const params: object[] = Array.isArray(choices) ? choices : []
  const constants = params.filter((each) => 'allowedValue' in each).map((each) => Reflect.get(each, 'allowedValue'))
  const types = params.filter((each) => 'type' in each).map((each) => Reflect.get(each, 'type'))
  if (constants.length > 0) return choice([...constants, ...types.filter((type) => type === 'null')])
  if (types.length > 0) return { code: 'invalid_type', message: `must be ${typeWords([...new Set(types)])}` }
  return { code: 'invalid', message: 'has none of the allowed forms' }
}
