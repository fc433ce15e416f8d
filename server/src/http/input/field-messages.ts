import type { FieldError } from '#kernel/errors.ts'

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

/** A validator's keyword with its parameters, as a stable code and a sentence that begins after the field's name. */
export function fieldMessage(keyword: string, params: object): Message {
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
      return { code: 'duplicate', message: 'must not name anything twice' }
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

/** What was complained about in each form of a union: constants make a choice, types a list of types. */
function union(choices: unknown): Message {
  const params: object[] = Array.isArray(choices) ? choices : []
  const constants = params.filter((each) => 'allowedValue' in each).map((each) => Reflect.get(each, 'allowedValue'))
  const types = params.filter((each) => 'type' in each).map((each) => Reflect.get(each, 'type'))
  if (constants.length > 0) return choice([...constants, ...types.filter((type) => type === 'null')])
  if (types.length > 0) return { code: 'invalid_type', message: `must be ${typeWords([...new Set(types)])}` }
  return { code: 'invalid', message: 'has none of the allowed forms' }
}
