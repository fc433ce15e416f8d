import { isRef, type Parameter } from '../openapi-types.ts'
import { bodyExample } from './body-example.ts'
import type { Components, Endpoint } from './endpoints.ts'
import { exampleOf } from './example.ts'

/** A command that works once BASE_URL and TOKEN are set: required parameters only, and an example body. */
export function curlOf({ method, path, operation }: Endpoint, components: Components): string {
  const { parameters = [], requestBody, security } = operation
  const required = parameters.flatMap((it) => (isRef(it) || !it.required ? [] : it))
  const body = requestBody && bodyExample(requestBody, components, 0)
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${addressOf(path, required, components)}"`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`, `-d '${quoted(body.text)}'`]),
  ].join(' \\\n  ')
}

function addressOf(path: string, parameters: readonly Parameter[], { schemas }: Components): string {
  const values = new Map(
    parameters.map(({ name, schema }) => [name, encodeURIComponent(String(exampleOf(schema, schemas) ?? name))]),
  )
  const filled = path.replace(/\{([^}]+)\}/g, (all, name: string) => values.get(name) ?? all)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return filled
  return `${filled}?${query.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`
}

/** Inside single quotes a shell reads everything literally but the quote itself. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`)
}
