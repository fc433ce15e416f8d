import { COMMAND_LINE_SCHEME } from '#http/openapi-common.ts'
import {
  type AccessNote,
  isRef,
  type JsonSchema,
  type Operation,
  type OrRef,
  type Parameter,
  type RequestBody,
  type Response,
} from '#http/openapi-types.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { alternatives, type Html, type HtmlValue, html, prose, withCode } from '../html.ts'
import { conventionLinks } from './conventions.ts'
import { type Components, type Endpoint, errorAddress, nameIn } from './endpoints.ts'
import { exampleOf } from './example.ts'
import { addressOf, type SampleRequest } from './sample-languages.ts'
import { bodyText, isMadeUpId, parameterExample, requestSamples, type SampleSources, sampleRequest } from './samples.ts'
import { factsOf, schemaView, summaryOf } from './schema-view.ts'

/** The page's script builds its "Try it" form from the `data-` attributes. */
export function operationView(endpoint: Endpoint, sources: SampleSources, steps: readonly VersionStep[]): Html {
  const { method, path, operation } = endpoint
  const { components } = sources.document
  const id = `op-${operation.operationId}`
  const request = sampleRequest(endpoint, sources)
  return html`<section class="operation" id="${id}" ${tryable(method, path, operation)}>
<div class="about">
<h2><a href="#${id}">${operation.summary}</a></h2>
<p class="endpoint"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
${prose(operation.description)}
${operation['x-access'] && accessView(operation['x-access'])}
${conventionLinks(operation, steps)}
${parametersView(operation, sources)}
${operation.requestBody && bodyView(operation.requestBody, request)}
<h3>Responses</h3>
${Object.keys(operation.responses).map((status) => responseView(status, operation, components))}
</div>
<div class="beside">
${requestView(endpoint, id, request)}
${Object.entries(operation.responses).map(([status, response]) => responseExamples(status, response, components))}
</div>
</section>`
}

const isForPeople = (operation: Operation) => 'session' in (operation['x-access'] ?? {})

/**
 * Whether the operation is a page that a person opens in a browser. An operation that a command line can also call is not a page.
 */
const isPage = (operation: Operation) =>
  isForPeople(operation) && !operation.security.some((scheme) => COMMAND_LINE_SCHEME in scheme)

/** A page for people has no "Try it", because "Try it" sends no cookie. */
function tryable(method: string, path: string, operation: Operation): HtmlValue {
  if (isPage(operation)) return undefined
  const { security, 'x-access': access } = operation
  const holders = access !== undefined && 'holders' in access ? access.holders : []
  const scopes = access !== undefined && 'any_scope' in access ? access.any_scope : []
  return html`data-method="${method}" data-path="${path}" data-open="${security.length === 0 ? 'yes' : 'no'}" data-holders="${holders.join(' ')}" data-scopes="${scopes.join(' ')}"`
}

function requestView({ method, operation }: Endpoint, id: string, request: SampleRequest): HtmlValue {
  if (!isPage(operation)) return html`<div class="request">${requestSamples(id, request)}</div>`
  if (method !== 'GET') return undefined
  return html`<h3>Address to open</h3>
<pre tabindex="0" aria-label="Example address"><code>${addressOf(request)}</code></pre>`
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

function parametersView({ parameters = [] }: Operation, sources: SampleSources): HtmlValue {
  const { components } = sources.document
  if (parameters.length === 0) return undefined
  const rows = parameters.flatMap((parameter) => {
    const known = isRef(parameter) ? components.parameters[nameIn(parameter.$ref)] : parameter
    if (known === undefined) return []
    const { name, required, description, schema } = known
    return html`<li data-parameter="${name}" data-in="${known.in}" data-required="${required ? 'yes' : 'no'}" ${entry(known, sources)}>
<code class="name">${name}</code> ${summaryOf(schema, required, `in the ${known.in}`)}
${prose(description)}${factsOf(schema)}</li>`
  })
  return html`<h3>Parameters</h3><ul class="fields">${rows}</ul>`
}

/** The attributes for the field of the "Try it" form: the possible values, or an example if the parameter is required. */
function entry(parameter: Parameter, sources: SampleSources): HtmlValue {
  const choices = choicesOf(parameter.schema)
  if (choices.length > 0) return html`data-choices="${choices.join(' ')}"`
  if (!parameter.required) return undefined
  const example = String(parameterExample(parameter, sources))
  return isMadeUpId(example, sources.ids) ? html`data-placeholder="${example}"` : html`data-example="${example}"`
}

function choicesOf({ enum: values, type }: JsonSchema): readonly string[] {
  return values?.map(String) ?? (type === 'boolean' ? ['true', 'false'] : [])
}

function bodyView({ content, required }: RequestBody, { body }: SampleRequest): Html {
  const types = Object.keys(content).join(' or ')
  const [first] = Object.values(content)
  return html`<h3>Body <span class="type">${types}, ${required ? 'required' : 'may be left out'}</span></h3>
${schemaView(first?.schema ?? {})}
${body !== null && html`<code hidden data-body="${body.type}" data-required="${required ? 'yes' : 'no'}">${bodyText(body)}</code>`}`
}

function responseView(status: string, operation: Operation, components: Components): HtmlValue {
  const response = operation.responses[status]
  if (response === undefined) return undefined
  if (isRef(response)) {
    const name = nameIn(response.$ref)
    const [headline] = components.responses[name]?.description.split(' `error.type`') ?? ['']
    return html`<p class="failure"><a href="${errorAddress(name)}"><b>${status}</b></a> ${withCode(headline ?? '')}</p>`
  }
  const shown = Object.entries(response.content ?? {}).map(
    ([type, { schema }]) =>
      html`<details><summary>Fields of the answer <span class="type">${type}</span></summary>${schemaView(schema)}</details>`,
  )
  return html`<div class="answer"><p><b>${status}</b> ${withCode(response.description)}</p>${shown}</div>`
}

/** The recorded response, otherwise an example that the schema accepts. */
function responseExamples(status: string, response: OrRef<Response>, { schemas }: Components): HtmlValue {
  if (isRef(response) || 'text/html' in (response.content ?? {})) return undefined
  return Object.entries(response.content ?? {}).map(([type, { schema, example = exampleOf(schema, schemas) }]) => {
    const text = type === 'application/json' ? pretty(example) : String(example)
    return html`<h3>Answer <span class="type">${status} ${type}</span></h3>
<pre tabindex="0" aria-label="Example answer, status ${status}"><code>${text}</code></pre>`
  })
}

/** On a narrow screen a long path may break after a slash, and nowhere else. */
export function breakable(path: string): readonly HtmlValue[] {
  return path.split('/').map((part, i) => (i === 0 ? part : html`/<wbr>${part}`))
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
