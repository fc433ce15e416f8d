import type { RequestBody } from '../openapi-types.ts'
import type { Components } from './endpoints.ts'
import { exampleOf } from './example.ts'

export type BodyExample = { readonly type: string; readonly text: string }

type Asked = {
  readonly indent: 0 | 2
  /** Changing something takes the fields to change; everything else works with what is required. */
  readonly method: string
}

/** JSON where the operation reads it, otherwise the form it does read. */
export function bodyExample(body: RequestBody, { schemas }: Components, { indent, method }: Asked): BodyExample {
  const at = { depth: 0, brief: method !== 'PATCH' }
  const json = body.content['application/json']
  if (json !== undefined) {
    return { type: 'application/json', text: JSON.stringify(exampleOf(json.schema, schemas, at), null, indent) }
  }
  const [[type, { schema }] = ['application/x-www-form-urlencoded', { schema: {} }]] = Object.entries(body.content)
  return { type, text: new URLSearchParams(asFields(exampleOf(schema, schemas, at))).toString() }
}

function asFields(example: unknown): Record<string, string> {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : []
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}
