import type { JsonSchema } from '#http/openapi-types.ts'
import { alternatives, type Html, type HtmlValue, html, prose } from '../html.ts'
import { nameIn, schemaAddress } from './endpoints.ts'

/** A named schema has its own page and is shown as a link. Any other schema is shown in place. */
export function schemaView(schema: JsonSchema): HtmlValue {
  const fields = fieldsOf(schema)
  return html`<div class="schema">
<p class="type">${typeWords(schema)}</p>
${schema.$ref === undefined && prose(schema.description)}
${factsOf(schema)}
${fields}
</div>`
}

function fieldsOf(schema: JsonSchema): HtmlValue {
  const inner = typeof schema.items === 'object' ? schema.items : schema
  const parts = [inner, ...(inner.allOf ?? []), ...(inner.anyOf ?? []), ...(inner.oneOf ?? [])]
  return parts.map(({ properties, required }) => {
    if (properties === undefined) return undefined
    const needed = new Set(required)
    const rows = Object.entries(properties).map(([name, field]) => fieldView(name, field, needed.has(name)))
    return html`<ul class="fields">${rows}</ul>`
  })
}

function fieldView(name: string, field: JsonSchema, required: boolean): Html {
  return html`<li><code class="name">${name}</code> ${summaryOf(field, required)}
${prose(field.description)}${factsOf(field)}${fieldsOf(field)}</li>`
}

/** "string · in the path · required": the text beside a field's or a parameter's name. */
export function summaryOf(schema: JsonSchema, required: boolean, place?: string): Html {
  const word = required && html` · <span class="required">required</span>`
  return html`<span class="type">${typeWords(schema)}${place && ` · ${place}`}${word}</span>`
}

/** The type in words: `string or null`, `list of Company`. */
function typeWords(schema: JsonSchema): HtmlValue {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    return html`<a href="${schemaAddress(name)}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return alternatives(choices.map(typeWords))
  if (schema.allOf !== undefined) return alternatives(schema.allOf.map(typeWords), 'and')
  if (schema.const !== undefined) return html`always ${code(schema.const)}`
  if (schema.enum !== undefined) return ['one of ', alternatives(schema.enum.map(code))]
  return plainType(schema)
}

function plainType({ type, items, additionalProperties }: JsonSchema): HtmlValue {
  const names = type === undefined ? ['anything'] : [type].flat()
  return alternatives(
    names.map((name) => {
      if (name === 'array') return typeof items === 'object' ? ['list of ', typeWords(items)] : 'list'
      if (name !== 'object') return name
      return typeof additionalProperties === 'object' ? ['map of ', typeWords(additionalProperties)] : 'object'
    }),
  )
}

type Fact = readonly [keyof JsonSchema, (value: unknown) => HtmlValue]

const FACTS: readonly Fact[] = [
  ['format', (value) => html`format ${code(value)}`],
  ['pattern', (value) => html`matches ${code(value)}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['minItems', (value) => `at least ${value} entries`],
  ['maxItems', (value) => `at most ${value} entries`],
  ['default', (value) => html`by default ${code(value)}`],
]

export function factsOf(schema: JsonSchema): HtmlValue {
  const facts = FACTS.filter(([keyword]) => schema[keyword] !== undefined)
  if (facts.length === 0) return undefined
  const words = facts.map(([keyword, say], i) => [i === 0 ? '' : '; ', say(schema[keyword])])
  return html`<p class="facts">${words}</p>`
}

function code(value: unknown): Html {
  return html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`
}
