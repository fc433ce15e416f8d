import { isRef, type JsonSchema, type Parameter } from '../openapi-types.ts'
import { bodyExample } from './body-example.ts'
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
