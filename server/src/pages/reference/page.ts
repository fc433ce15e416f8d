import { STAND_IN } from '#http/openapi-examples.ts'
import type { Content, OpenApiDocument, Tag } from '#http/openapi-types.ts'
import { type Html, type HtmlValue, html, prose, withCode } from '../html.ts'
import { brandHead, platformLinks } from '../layout.ts'
import { namedBrand, type PlatformBrand } from '../platform-brand.ts'
import { endpointsOf, type Webhook, webhooksOf } from './endpoints.ts'
import { exampleOf } from './example.ts'
import { breakable, operationView, pretty } from './operation-view.ts'
import { schemaView } from './schema-view.ts'

export type AssetAddresses = { readonly style: string; readonly script: string; readonly brand?: PlatformBrand }

/**
 * The whole reference as one page: it needs nothing but its own style sheet, and its script only for "Try it". Where
 * there is a demo, every example is about something that exists in it.
 */
export function referencePage(document: OpenApiDocument, assets: AssetAddresses, demo: OpenDemo | null = null): string {
  const { markup } = wholePage(document, assets, demo)
  return demo === null ? markup : withDemo(markup, demo)
}

function wholePage(document: OpenApiDocument, assets: AssetAddresses, demo: OpenDemo | null): Html {
  const { info } = document
  const { brand = namedBrand(info.title) } = assets
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}: reference</title>
<link rel="stylesheet" href="${assets.style}">${brandHead(brand)}
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<h1>${info.title}</h1>
<p>Version ${info.version} · <a href="/openapi.json">OpenAPI document</a> · <a href="/docs/changelog">Changelog</a> · <a href="/conditions">Usage conditions</a> · <a href="/status">Status</a>${platformLinks(brand.links).map((link) => html` · ${link}`)}</p>
</header>
<div class="columns">
${navigation(document)}
<main id="content" tabindex="-1" data-stand-in="${STAND_IN}">
<section class="introduction">${prose(info.description)}
<p>In the examples, <code>$BASE_URL</code> is the address of this server and <code>$TOKEN</code> your credential.</p></section>
${credentialSection(document, demo)}
${document.tags.map((tag) => tagSection(tag, document))}
${errorSection(document)}
${schemaSection(document)}
</main>
</div>
</body>
</html>
`
}

function navigation(document: OpenApiDocument): Html {
  const groups = document.tags.map(
    ({ name }) => html`<li><a href="#tag-${slug(name)}">${name}</a>${links(name, document)}</li>`,
  )
  return html`<nav aria-label="Contents"><ul class="tags">
<li><a href="#credentials">Credentials</a></li>${groups}
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Schemas</a></li></ul></nav>`
}

function links(tag: string, document: OpenApiDocument): Html {
  const endpoints = endpointsOf(document, tag).map(({ operation }) => operation)
  const webhooks = webhooksOf(document, tag).map(({ operation }) => operation)
  const items = [...endpoints, ...webhooks].map(
    ({ operationId, summary }) => html`<li><a href="#op-${operationId}">${summary}</a></li>`,
  )
  return html`<ul>${items}</ul>`
}

function tagSection(tag: Tag, document: OpenApiDocument): Html {
  const endpoints = endpointsOf(document, tag.name)
  const overview = endpoints.map(
    ({ method, path, operation }) =>
      html`<li><a href="#op-${operation.operationId}"><span class="method">${method}</span> <code>${breakable(path)}</code></a></li>`,
  )
  return html`<section class="tag" id="tag-${slug(tag.name)}">
<h2>${tag.name}</h2>
${prose(tag.description)}
${overview.length > 1 && html`<ul class="overview">${overview}</ul>`}
${endpoints.map((endpoint) => operationView(endpoint, document.components))}
${webhooksOf(document, tag.name).map((webhook) => webhookView(webhook, document))}
</section>`
}

function webhookView({ event, operation }: Webhook, { components }: OpenApiDocument): Html {
  const content: Content = operation.requestBody?.content ?? {}
  const payloads = Object.values(content).map(
    ({ schema }) => html`${schemaView(schema)}
<pre tabindex="0" aria-label="Example payload"><code>${pretty(exampleOf(schema, components.schemas))}</code></pre>`,
  )
  return html`<section class="operation" id="op-${operation.operationId}">
<h3><a href="#op-${operation.operationId}">${operation.summary}</a></h3>
<p class="endpoint"><span class="method">Event</span> <code>${event}</code></p>
${prose(operation.description)}
<h4>What is sent to your endpoint</h4>${payloads}
</section>`
}

function errorSection({ components }: OpenApiDocument): Html {
  const errors = Object.entries(components.responses).map(([name, { description, content }]) => {
    const example = content?.['application/json']?.example
    return html`<section id="error-${name}"><h3>${name}</h3><p>${withCode(description)}</p>
${example !== undefined && html`<pre tabindex="0" aria-label="Example error"><code>${pretty(example)}</code></pre>`}</section>`
  })
  return html`<section class="tag" id="errors"><h2>Errors</h2>${errors}</section>`
}

function schemaSection({ components }: OpenApiDocument): HtmlValue {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<section id="schema-${name}"><h3>${name}</h3>${schemaView(schema)}</section>`,
  )
  return html`<section class="tag" id="schemas"><h2>Schemas</h2>${schemas}</section>`
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

/** Which credential is for what, and how to get it. The script puts its own part, for "Try it", below. */
function credentialSection(document: OpenApiDocument, demo: OpenDemo | null): Html {
  const to = linker(document)
  return html`<section class="tag" id="credentials"><h2>Credentials</h2>
<p>Every call carries one, as <code>Authorization: Bearer …</code>. Each operation says which kinds it takes.</p>
<dl class="kinds">
<dt>Publishable key <code>pk_…</code></dt>
<dd>Reads public data, and may itself be public: it is your app’s key.${demo !== null && html` The demo’s is <code class="key">${demo.publishableKey}</code>.`}</dd>
<dt>Client-credentials token <code>at_…</code></dt>
<dd>Your app itself, without a user. ${to('createToken', 'Exchange')} the key and its secret, with <code>grant_type</code> <code>client_credentials</code>.</dd>
<dt>User’s token <code>at_…</code></dt>
<dd>A person who connected your app. ${to('authorize', 'Send them')} to the consent screen, then ${to('createToken', 'exchange')} the code.</dd>
<dt>Installation token <code>at_…</code></dt>
<dd>Your app on a company or a syndicate. ${to('createInstallation', 'Install it')} with a user’s token: the answer shows one.</dd>
<dt>Server key <code>pk_…:sk_…</code></dt>
<dd>Your app’s own server, as <code>Authorization: Basic</code>: a confidential key with its secret, where an operation names it.</dd>
<dt>Operator key <code>ok_…</code></dt>
<dd>The host platform’s own systems; never given to partners.</dd>
</dl>
${demo !== null && html`<p>This server has a demo in its test world: the examples below are about records that exist there. Its client secrets, operator keys and people’s passwords are in the file <code>demo.json</code> of the data directory, which only you can read.</p>`}
<div id="try-credential" ${demo !== null && demoData(demo)}></div>
</section>`
}

function demoData({ publishableKey, clientId, scopes }: OpenDemo): Html {
  return html`data-publishable-key="${publishableKey}" data-client-id="${clientId}" data-scopes="${scopes.join(' ')}"`
}

/** Links to an operation of the document; without an operation of that name, the words alone. */
function linker({ paths }: OpenApiDocument): (operation: string, words: string) => HtmlValue {
  const known = new Set(Object.values(paths).flatMap((item) => Object.values(item).map((it) => it.operationId)))
  return (operation, words) => (known.has(operation) ? html`<a href="#op-${operation}">${words}</a>` : words)
}

/**
 * What the reference may show of the demo to every visitor: publishable keys and ids of the
 * test world. Whatever is a secret stays in the demo's own file.
 */
export type OpenDemo = {
  readonly publishableKey: string
  /** A key without a secret, so that the page itself can ask a person to connect its app. */
  readonly clientId: string
  /** What the page asks a person for. */
  readonly scopes: readonly string[]
  /** Ids that exist there, by their prefix: `co_`. */
  readonly ids: Readonly<Record<string, string>>
}

/** Examples are made of stand-ins that no record has; in the demo, records take their places and the examples work. */
function withDemo(text: string, { ids, publishableKey }: OpenDemo): string {
  const replaced = Object.entries(ids).reduce((made, [prefix, id]) => made.replaceAll(prefix + STAND_IN, id), text)
  return replaced.replaceAll('pk_test_your_key', publishableKey)
}
