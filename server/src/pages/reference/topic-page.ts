import type { Content, OpenApiDocument, Tag } from '#http/openapi-types.ts'
import { type Html, type HtmlValue, html, prose, withCode } from '../html.ts'
import { endpointsOf, schemaAddress, type Webhook, webhooksOf } from './endpoints.ts'
import { exampleOf } from './example.ts'
import { breakable, operationView, pretty } from './operation-view.ts'
import type { SampleSources } from './samples.ts'
import { schemaView } from './schema-view.ts'

/** A page of the reference: its heading, and what is below it. */
export type TopicPage = { readonly title: string; readonly content: HtmlValue }

/** All operations and events of one tag of the document. `credential`: the place of the credential for "Try it". */
export function tagPage(tag: Tag, sources: SampleSources, credential: Html): TopicPage {
  const { document } = sources
  const endpoints = endpointsOf(document, tag.name)
  const overview = endpoints.map(
    ({ method, path, operation }) =>
      html`<li><a href="#op-${operation.operationId}"><span class="method">${method}</span> <code>${breakable(path)}</code></a></li>`,
  )
  const content = html`${prose(tag.description)}
${overview.length > 1 && html`<ul class="overview">${overview}</ul>`}
${endpoints.length > 0 && credential}
${endpoints.map((endpoint) => operationView(endpoint, sources))}
${webhooksOf(document, tag.name).map((webhook) => webhookView(webhook, document))}`
  return { title: tag.name, content }
}

function webhookView({ event, operation }: Webhook, { components }: OpenApiDocument): Html {
  const content: Content = operation.requestBody?.content ?? {}
  const payloads = Object.values(content).map(
    ({ schema, example = exampleOf(schema, components.schemas) }) => html`${schemaView(schema)}
<pre tabindex="0" aria-label="Example payload"><code>${pretty(example)}</code></pre>`,
  )
  return html`<section class="operation" id="op-${operation.operationId}">
<h2><a href="#op-${operation.operationId}">${operation.summary}</a></h2>
<p class="endpoint"><span class="method">Event</span> <code>${event}</code></p>
${prose(operation.description)}
<h3>What is sent to your endpoint</h3>${payloads}
</section>`
}

/** Every error that more than one operation returns. */
export function errorsPage({ components }: OpenApiDocument): TopicPage {
  const errors = Object.entries(components.responses).map(([name, { description, content }]) => {
    const example = content?.['application/json']?.example
    return html`<section class="operation" id="error-${name}"><h2>${name}</h2><p>${withCode(description)}</p>
${example !== undefined && html`<pre tabindex="0" aria-label="Example of ${name}"><code>${pretty(example)}</code></pre>`}</section>`
  })
  return { title: 'Errors', content: errors }
}

export function schemasPage({ components }: OpenApiDocument): TopicPage {
  const names = Object.keys(components.schemas).map(
    (name) => html`<li><a href="${schemaAddress(name)}"><code>${name}</code></a></li>`,
  )
  return {
    title: 'Schemas',
    content: html`<p>The records and other named parts of requests and answers.</p><ul class="overview">${names}</ul>`,
  }
}

/** Null if the document has no schema of that name. */
export function schemaPage(name: string, { components }: OpenApiDocument): TopicPage | null {
  const schema = Object.hasOwn(components.schemas, name) ? components.schemas[name] : undefined
  if (schema === undefined) return null
  const example = pretty(exampleOf(schema, components.schemas))
  return {
    title: name,
    content: html`${schemaView(schema)}<h2>Example</h2><pre tabindex="0" aria-label="Example of ${name}"><code>${example}</code></pre>`,
  }
}
