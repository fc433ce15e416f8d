import type { FactType } from './fact-type.ts'
import { textForm } from './fields.ts'

/** A fact of an example, without id and time. */
export type StageFact = { readonly type: string; readonly data: unknown }

export type FactGroup = {
  readonly heading: string
  /** Facts that create the records that the group's examples need. */
  readonly stage: readonly StageFact[]
  readonly facts: readonly FactType[]
}

const BEGIN = '<!-- The catalogue below is generated from the code by `npm run generate`; do not edit. -->'
const END = '<!-- End of the catalogue. -->'

/** Renders the catalogue in docs/platform-feed.md; the text around it is written by hand. */
export function feedDocument(current: string, groups: readonly FactGroup[]): string {
  const [before, rest] = [current.indexOf(BEGIN), current.indexOf(END)]
  if (before === -1 || rest === -1)
    throw new Error('docs/platform-feed.md lacks the marks at the beginning and the end of its catalogue')
  return `${current.slice(0, before)}${BEGIN}\n\n${catalogue(groups)}\n${current.slice(rest)}`
}

/** The times of the examples are a minute apart, in the order of the document. */
const FIRST_EXAMPLE_MS = Date.UTC(2026, 0, 15, 12)
const MINUTE_MS = 60_000

type ExampleFact = StageFact & { readonly id: string; readonly occurred_at: string }

function exampleNumbering(): (fact: StageFact) => ExampleFact {
  let count = 0
  return ({ type, data }) => {
    count++
    const occurred_at = new Date(FIRST_EXAMPLE_MS + count * MINUTE_MS).toISOString()
    return { id: `example-${String(count).padStart(3, '0')}`, type, occurred_at, data }
  }
}

function catalogue(groups: readonly FactGroup[]): string {
  const numbered = exampleNumbering()
  return groups
    .map(({ heading, stage, facts }) =>
      [
        `## ${heading}\n`,
        ...(stage.length === 0 ? [] : [setting(stage.map(numbered))]),
        ...facts.map((fact) => section(fact, numbered({ type: fact.type, data: fact.example }))),
      ].join('\n'),
    )
    .join('\n')
}

function setting(facts: readonly object[]): string {
  return `The examples of this chapter need these records:

\`\`\`json
${facts.map((fact) => JSON.stringify(fact)).join('\n')}
\`\`\`
`
}

function section({ type, summary, data }: FactType, example: object): string {
  const rows = fieldRows(data).map(
    ({ field, required, words }) => `| \`${field}\` | ${required ? 'yes' : ''} | ${words.replaceAll('|', '\\|')} |`,
  )
  return `### \`${type}\`

${summary}

| field of \`data\` | required | what it is |
|---|---|---|
${rows.join('\n')}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`
}

/** One line of a fact's table in the documentation. */
type FieldRow = { readonly field: string; readonly required: boolean; readonly words: string }

/** The part of JSON Schema that fact types use. */
type Schema = {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly maxItems?: number
}

/** Every field of an object, nested ones included: `location.city`, `rounds[].currency`. */
export function fieldRows(schema: object, prefix = ''): readonly FieldRow[] {
  const { properties = {}, required = [] } = schema as Schema
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = prefix + name
    return [{ field, required: required.includes(name), words: wordsFor(value) }, ...rowsBelow(value, field)]
  })
}

function rowsBelow(schema: Schema, field: string): readonly FieldRow[] {
  if (schema.properties !== undefined) return fieldRows(schema, `${field}.`)
  if (schema.items !== undefined) return rowsBelow(schema.items, `${field}[]`)
  const forms = membersOf(schema).filter(({ properties }) => properties !== undefined)
  const [only, ...others] = forms
  if (only !== undefined && others.length === 0) return rowsBelow(only, field)
  return forms.flatMap((form) => formRows(form, field))
}

/** Flattens a union within a union. */
function membersOf({ anyOf = [] }: Schema): readonly Schema[] {
  return anyOf.flatMap((member) => (member.anyOf === undefined ? [member] : membersOf(member)))
}

/** The rows of one form of a union. Its constant is in the field's name: `security (safe).terms.discount_percent`. */
function formRows(form: Schema, field: string): readonly FieldRow[] {
  const fixed = Object.entries(form.properties ?? {}).find(([, value]) => constantOf(value) !== undefined)
  const label = fixed === undefined ? field : `${field} (${String(constantOf(fixed[1]))})`
  const rows = fieldRows(form, `${label}.`)
  return rows.filter((row) => row.field !== `${label}.${fixed?.[0]}`)
}

function constantOf({ const: only, enum: values = [] }: Schema): unknown {
  return only ?? (values.length === 1 ? values[0] : undefined)
}

function wordsFor(schema: Schema): string {
  if (schema.anyOf !== undefined) return union(membersOf(schema))
  if (schema.enum !== undefined) return oneOf(schema.enum)
  if (schema.const !== undefined) return oneOf([schema.const])
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return integer(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return list(schema)
    case 'object':
      return 'object'
    case 'null':
      return 'null'
    default:
      return 'anything'
  }
}

function list({ maxItems, items = {} }: Schema): string {
  return `list${maxItems === undefined ? '' : ` of up to ${count(maxItems)}`}: ${wordsFor(items)}`
}

function union(members: readonly Schema[]): string {
  const constants = members.filter((member) => member.const !== undefined)
  const others = members.filter((member) => member.const === undefined).map(wordsFor)
  const all = constants.length === 0 ? others : [oneOf(constants.map((member) => member.const)), ...others]
  return [...new Set(all)].join(', or ')
}

function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => `\`${String(value)}\``)
  return quoted.length === 1 ? quoted.join() : `one of ${quoted.join(', ')}`
}

function text({ pattern, format, maxLength }: Schema): string {
  const form = pattern === undefined ? (format ?? 'text') : (textForm(pattern)?.name ?? `\`${pattern}\``)
  return maxLength === undefined ? form : `${form}, up to ${count(maxLength)}`
}

function integer({ minimum, maximum, multipleOf }: Schema): string {
  const from = minimum === undefined ? '' : `, at least ${count(minimum)}`
  const upTo = maximum === undefined ? '' : `, at most ${count(maximum)}`
  // In facts only amounts in cents have multipleOf.
  if (multipleOf === 100) return `cents${from}`
  return `integer${from}${upTo}`
}

function count(number: number): string {
  return number.toLocaleString('en')
}
