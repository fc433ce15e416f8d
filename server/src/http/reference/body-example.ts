import type { RequestBody } from '../openapi-types.ts'
import type { Components } from './endpoints.ts'
import { exampleOf } from './example.ts'

export type BodyExample = { readonly type: string; readonly text: string }

/** JSON where the operation reads it, otherwise the form it does read. */
export function bodyExample(body: RequestBody, { schemas }: Components, indent: 0 | 2): BodyExample {
  const json = body.content['application/json']
  if (json !== undefined) {
    return { type: 'application/json', text: JSON.stringify(exampleOf(json.schema, schemas), null, indent) }
  }
  const [[type, { schema }] = ['application/x-www-form-urlencoded', { schema: {} }]] = Object.entries(body.content)
  return { type, text: new URLSearchParams(asFields(exampleOf(schema, schemas))).toString() }
}

function asFields(example: unknown): Record<string, string> {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : []
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}
