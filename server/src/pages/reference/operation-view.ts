import {
  type AccessNote,
  isRef,
  type JsonSchema,
  type Operation,
  type Parameter,
  type RequestBody,
} from '#http/openapi-types.ts'
import { alternatives, type Html, type HtmlValue, html, prose, withCode } from '../html.ts'
import { type Components, type Endpoint, errorAddress, nameIn } from './endpoints.ts'
import { exampleOf } from './example.ts'
import { factsOf, schemaView, summaryOf } from './schema-view.ts'

/** The `data-` attributes are what the page's script builds its "Try it" form from. */
export function operationView({ method, path, operation }: Endpoint, components: Components): Html {
  return html`<section class="operation" id="op-${operation.operationId}" ${tryable(method, path, operation)}>
<h2><a href="#op-${operation.operationId}">${operation.summary}</a></h2>
<p class="endpoint"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
${prose(operation.description)}
${operation['x-access'] && accessView(operation['x-access'])}
${parametersView(operation, components)}
${operation.requestBody && bodyView(method, operation.requestBody, components)}
${requestView({ method, path, operation }, components)}
<h3>Responses</h3>
${Object.keys(operation.responses).map((status) => responseView(status, operation, components))}
</section>`
}

const isForPeople = (operation: Operation) => 'session' in (operation['x-access'] ?? {})

/** What people do with their browser cannot be tried from here: no cookie is sent. */
function tryable(method: string, path: string, operation: Operation): HtmlValue {
  if (isForPeople(operation)) return undefined
  const open = operation.security.length === 0
  return html`data-method="${method}" data-path="${path}" data-open="${open ? 'yes' : 'no'}"`
}

function requestView(endpoint: Endpoint, components: Components): HtmlValue {
  if (!isForPeople(endpoint.operation)) {
    return html`<div class="request"><h3>Request</h3>
<pre tabindex="0" aria-label="curl example"><code>${curlOf(endpoint, components)}</code></pre></div>`
  }
  if (endpoint.method !== 'GET') return undefined
  return html`<h3>Address to open</h3>
<pre tabindex="0" aria-label="Example address"><code>${addressOf(endpoint, components)}</code></pre>`
}

const HOLDERS: Readonly<Record<string, string>> = {
  publishable: 'a publishable key',
  client: 'a client-credentials token',
  user: 'a user’s token',
  installation: 'an installation token',
  server_key: 'a server key (HTTP Basic)',
  operator: 'an operator key',
}

function accessView(access: AccessNote): Html {
  if ('open' in access) return html`<p class="access">Anyone may call this without a credential: ${access.open}.</p>`
  if ('session' in access) {
    return html`<p class="access">For people, in a browser${access.session === 'required' && ' in which they have signed in'}.</p>`
  }
  const holders = alternatives(access.holders.map((kind) => html`<a href="#credentials">${HOLDERS[kind] ?? kind}</a>`))
  const scopes = access.any_scope.map((scope) => html`<code>${scope}</code>`)
  const holding = scopes.length === 0 ? '' : [' that holds ', scopes.length > 1 && 'any one of ', alternatives(scopes)]
  return html`<p class="access">Call it with ${holders}${holding}.</p>`
}

function parametersView({ parameters = [] }: Operation, components: Components): HtmlValue {
  if (parameters.length === 0) return undefined
  const rows = parameters.flatMap((parameter) => {
    const known = isRef(parameter) ? components.parameters[nameIn(parameter.$ref)] : parameter
    if (known === undefined) return []
    const { name, required, description, schema } = known
    return html`<li data-parameter="${name}" data-in="${known.in}" data-required="${required ? 'yes' : 'no'}" ${entry(known, components)}>
<code class="name">${name}</code> ${summaryOf(schema, required, `in the ${known.in}`)}
${prose(description)}${factsOf(schema)}</li>`
  })
  return html`<h3>Parameters</h3><ul class="fields">${rows}</ul>`
}

/** What the script fills a field with: the values there are, or for what must be given an example of one. */
function entry({ name, required, schema }: Parameter, { schemas }: Components): HtmlValue {
  const choices = choicesOf(schema)
  if (choices.length > 0) return html`data-choices="${choices.join(' ')}"`
  return required && html`data-example="${parameterExample(name, schema, schemas)}"`
}

function choicesOf({ enum: values, type }: JsonSchema): readonly string[] {
  return values?.map(String) ?? (type === 'boolean' ? ['true', 'false'] : [])
}

function bodyView(method: string, body: RequestBody, components: Components): Html {
  const types = Object.keys(body.content).join(' or ')
  const [content] = Object.values(body.content)
  const { type, text } = bodyExample(body, components, { indent: 2, method })
  return html`<h3>Body <span class="type">${types}, ${body.required ? 'required' : 'may be left out'}</span></h3>
${schemaView(content?.schema ?? {})}
<pre tabindex="0" aria-label="Example body"><code data-body="${type}" data-required="${body.required ? 'yes' : 'no'}">${text}</code></pre>`
}

function responseView(status: string, operation: Operation, components: Components): HtmlValue {
  const response = operation.responses[status]
  if (response === undefined) return undefined
  if (isRef(response)) {
    const name = nameIn(response.$ref)
    const [headline] = components.responses[name]?.description.split(' `error.type`') ?? ['']
    return html`<p class="failure"><a href="${errorAddress(name)}"><b>${status}</b></a> ${withCode(headline ?? '')}</p>`
  }
  const shown = Object.entries(response.content ?? {}).map(([type, { schema }]) =>
    contentView(type, schema, components),
  )
  return html`<div class="answer"><p><b>${status}</b> ${withCode(response.description)}</p>${shown}</div>`
}

function contentView(type: string, schema: JsonSchema, components: Components): Html {
  const example = exampleOf(schema, components.schemas)
  const text = type === 'application/json' ? pretty(example) : String(example)
  return html`<details><summary>Fields of the answer <span class="type">${type}</span></summary>${schemaView(schema)}</details>
<pre tabindex="0" aria-label="Example answer"><code>${text}</code></pre>`
}

/** Long paths may break after a slash on a narrow screen, and nowhere else. */
export function breakable(path: string): readonly HtmlValue[] {
  return path.split('/').map((part, i) => (i === 0 ? part : html`/<wbr>${part}`))
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** A command that works once BASE_URL and TOKEN are set: required parameters only, and an example body. */
function curlOf({ method, path, operation }: Endpoint, components: Components): string {
  const { requestBody, security } = operation
  const body = requestBody && bodyExample(requestBody, components, { indent: 0, method })
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${addressOf({ method, path, operation }, components)}"`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`, `-d '${quoted(body.text)}'`]),
  ].join(' \\\n  ')
}

function addressOf({ path, operation }: Endpoint, { schemas }: Components): string {
  const parameters = (operation.parameters ?? []).flatMap((it): Parameter[] => (isRef(it) || !it.required ? [] : [it]))
  const values = new Map(
    parameters.map(({ name, schema }) => [name, encodeURIComponent(parameterExample(name, schema, schemas))]),
  )
  const filled = path.replace(/\{([^}]+)\}/g, (all, name: string) => values.get(name) ?? all)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return `$BASE_URL${filled}`
  return `$BASE_URL${filled}?${query.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`
}

function parameterExample(name: string, schema: JsonSchema, schemas: Components['schemas']): string {
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
function bodyExample(body: RequestBody, { schemas }: Components, { indent, method }: Asked): BodyExample {
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
