import { isRef, type JsonSchema, type Parameter, type RequestBody } from '#http/openapi-types.ts'
import type { Components, Endpoint } from './endpoints.ts'
import { exampleOf } from './example.ts'

/** A command that works once BASE_URL and TOKEN are set: required parameters only, and an example body. */
export function curlOf({ method, path, operation }: Endpoint, components: Components): string {
  const { requestBody, security } = operation
  const body = requestBody && bodyExample(requestBody, components, { indent: 0, method })
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${addressOf({ method, path, operation }, components)}"`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`, `-d '${quoted(body.text)}'`]),
  ].join(' \\\n  ')
}

export function addressOf({ path, operation }: Endpoint, { schemas }: Components): string {
  const parameters = (operation.parameters ?? []).flatMap((it): Parameter[] => (isRef(it) || !it.required ? [] : [it]))
  const values = new Map(
    parameters.map(({ name, schema }) => [name, encodeURIComponent(parameterExample(name, schema, schemas))]),
  )
  const filled = path.replace(/\{([^}]+)\}/g, (all, name: string) => values.get(name) ?? all)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return `$BASE_URL${filled}`
  return `$BASE_URL${filled}?${query.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`
}

export function parameterExample(name: string, schema: JsonSchema, schemas: Components['schemas']): string {
  return String(exampleOf(schema, schemas, { depth: 0, name }) ?? name)
}

/** Inside single quotes a shell reads everything literally but the quote itself. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

type BodyExample = { readonly type: string; readonly text: string }

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
