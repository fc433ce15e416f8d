import type { Content, EventReceiver, OpenApiDocument, Tag } from '#http/openapi-types.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { type Html, html, prose } from '../html.ts'
import {
  conventionAddress,
  endpointsOf,
  operationAddress,
  schemaAddress,
  scopesOf,
  type TopicPage,
  type Webhook,
  webhooksOf,
} from './endpoints.ts'
import { exampleOf } from './example.ts'
import { breakable, operationView, pretty } from './operation-view.ts'
import type { SampleSources } from './samples.ts'
import { schemaView } from './schema-view.ts'

/**
 * The page of one tag of the document, with its operations and events. `credential` is the element into which the
 * page's script puts the credential for "Try it".
 */
export function tagPage(tag: Tag, sources: SampleSources, steps: readonly VersionStep[], credential: Html): TopicPage {
  const { document } = sources
  const endpoints = endpointsOf(document, tag.name)
  const overview = endpoints.map(
    ({ method, path, operation }) =>
      html`<li><a href="#op-${operation.operationId}"><span class="method">${method}</span> <code>${breakable(path)}</code></a></li>`,
  )
  const content = html`${prose(tag.description)}
${overview.length > 1 && html`<ul class="overview">${overview}</ul>`}
${endpoints.length > 0 && credential}
${endpoints.map((endpoint) => operationView(endpoint, sources, steps))}
${webhooksOf(document, tag.name).map((webhook) => webhookView(webhook, document))}`
  return { title: tag.name, content }
}

/** Who receives an event: one text for each way in which an app is connected to the event's subject. */
const RECEIVERS: Readonly<Record<string, string>> = {
  company: 'Apps installed on the company of the event',
  user: 'Apps that the investor connected to their account',
  syndicate: 'Apps installed on the syndicate of the event',
  session_company: 'The app that created the session, through its installation on the session’s company',
  session_creator: 'The installation that created the session',
  code_owner: 'The app whose referral code was credited, through its installation on the company',
  itself: 'The app of the installation',
  proposer: 'The installation that proposed the intent; it needs the scope that the action is proposed with',
  app: 'The app itself, without an installation',
}

function receiversView(receivers: readonly EventReceiver[]): Html {
  const rows = receivers.map(
    ({ through, scope }) =>
      html`<li>${RECEIVERS[through] ?? through}${scope !== null && html`, with the scope <code>${scope}</code>`}.</li>`,
  )
  return html`<h3>Who receives it</h3><ul class="points">${rows}</ul>`
}

function webhookView({ event, operation }: Webhook, { components }: OpenApiDocument): Html {
  const content: Content = operation.requestBody?.content ?? {}
  const fields = Object.values(content).map(({ schema }) => schemaView(schema))
  const payloads = Object.values(content).map(
    ({ schema, example = exampleOf(schema, components.schemas) }) =>
      html`<pre tabindex="0" aria-label="Example payload"><code>${pretty(example)}</code></pre>`,
  )
  const { 'x-receivers': receivers, operationId, summary, description } = operation
  return html`<section class="operation" id="op-${operationId}">
<div class="about">
<h2><a href="#op-${operationId}">${summary}</a></h2>
<p class="endpoint" id="event-${event}"><span class="method">Event</span> <code>${event}</code></p>
${prose(description)}
${receivers !== undefined && receiversView(receivers)}
<ul class="see"><li><a href="${conventionAddress('webhooks')}">Verify the signature</a></li></ul>
<h3>What is sent to your endpoint</h3>${fields}
</div>
<div class="beside"><h3>Payload</h3>${payloads}</div>
</section>`
}

/** Every scope that an app can request, with the operations that accept it. */
export function scopesPage(document: OpenApiDocument): TopicPage {
  const scopes = scopesOf(document).map(({ name, description, acceptedBy }) => {
    const rows = acceptedBy.map(
      ({ topic, method, path, operation: { operationId } }) =>
        html`<li><a href="${operationAddress(topic, operationId)}"><span class="method">${method}</span> <code>${breakable(path)}</code></a></li>`,
    )
    return html`<section class="operation" id="scope-${name}"><h2><a href="#scope-${name}"><code>${name}</code></a></h2>
<p>${description}</p>
${rows.length === 0 ? html`<p>No operation accepts it yet.</p>` : html`<h3>Operations that accept it</h3><ul class="overview">${rows}</ul>`}</section>`
  })
  const content = html`<p>A token acts only within its scopes. Request them on the <a href="${operationAddress('OAuth', 'authorize')}">authorize URL</a>; the sentence below each scope is what the person reads before consenting. The same list is at <a href="/docs/scopes.json"><code>/docs/scopes.json</code></a>.</p>${scopes}`
  return { title: 'Scopes', content }
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

/** The page of a schema. Null if the document has no schema of that name. */
export function schemaPage(name: string, { components }: OpenApiDocument): TopicPage | null {
  const schema = Object.hasOwn(components.schemas, name) ? components.schemas[name] : undefined
  if (schema === undefined) return null
  const example = pretty(exampleOf(schema, components.schemas))
  return {
    title: name,
    content: html`${schemaView(schema)}<h2>Example</h2><pre tabindex="0" aria-label="Example of ${name}"><code>${example}</code></pre>`,
  }
}
