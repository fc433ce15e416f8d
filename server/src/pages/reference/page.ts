import { STAND_IN } from '#http/openapi-examples.ts'
import type { OpenApiDocument, Tag } from '#http/openapi-types.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { type Html, type HtmlValue, html, prose } from '../html.ts'
import { namedBrand, type PlatformBrand } from '../platform-brand.ts'
import { conventionsPage, versionsPage } from './conventions.ts'
import {
  endpointsOf,
  operationAddress,
  REFERENCE,
  schemaAddress,
  slug,
  type TopicPage,
  topicAddress,
  webhooksOf,
} from './endpoints.ts'
import { errorsPage } from './errors-page.ts'
import { docsFrame } from './frame.ts'
import { breakable } from './operation-view.ts'
import { PUBLISHABLE } from './sample-languages.ts'
import { schemaPage, schemasPage, scopesPage, tagPage } from './topic-page.ts'

export type AssetAddresses = { readonly style: string; readonly script: string; readonly brand?: PlatformBrand }

/**
 * Returns the page of the reference at an address, or null if there is no such page. A page is rendered at its first request,
 * then cached.
 */
export type ReferencePages = (address: string) => string | null

/**
 * Each topic has a page. A page can be read without its script, which only adds conveniences such as "Try it". With a demo, every
 * example is about records that exist in the demo.
 */
export function referencePages(
  document: OpenApiDocument,
  assets: AssetAddresses,
  demo: OpenDemo | null = null,
  steps: readonly VersionStep[] = [],
): ReferencePages {
  const pages = new Map<string, string>()
  const tags = new Map(document.tags.map((tag) => [topicAddress(tag.name), tag]))
  const topic = (address: string): TopicPage | null => {
    const tag = tags.get(address)
    if (tag !== undefined) return tagPage(tag, { document, ids: demo?.ids ?? {} }, steps, tryCredential(demo))
    if (address === topicAddress('errors')) return errorsPage(document)
    if (address === topicAddress('conventions')) return conventionsPage(document)
    if (address === topicAddress('versions')) return versionsPage(document, steps)
    if (address === topicAddress('scopes')) return scopesPage(document)
    if (address === topicAddress('schemas')) return schemasPage(document)
    const name = address.startsWith(schemaAddress('')) ? address.slice(schemaAddress('').length) : ''
    return schemaPage(name, document)
  }
  const make = (address: string): string | null => {
    const around = { document, assets, address }
    if (address === REFERENCE) return frame(around, startPage(document, demo))
    const found = topic(address)
    return found === null ? null : frame(around, found)
  }
  return (address) => {
    const cached = pages.get(address)
    if (cached !== undefined) return cached
    const markup = make(address)
    if (markup === null) return null
    const page = demo === null ? markup : withDemo(markup, demo, document)
    pages.set(address, page)
    return page
  }
}

type Around = { readonly document: OpenApiDocument; readonly assets: AssetAddresses; readonly address: string }

function frame({ document, assets, address }: Around, { title, content }: TopicPage): string {
  const { info } = document
  const { brand = namedBrand(info.title), style, script } = assets
  return docsFrame({
    ...{ section: 'reference', title, brand, style, script, content },
    contents: 'All topics',
    about: html`Version ${info.version} · <a href="/openapi.json">OpenAPI document</a>`,
    navigation: navigation(document, address),
  })
}

/** The topics for readers other than partners. The contents list them in a group for each kind of reader. */
const READERS: readonly (readonly [string, readonly string[]])[] = [
  ['For the developer portal', ['Portal']],
  ['For the platform’s feed', ['Platform feed']],
  ['For operators', ['Platform staff', 'Platform partners', 'Platform accounts', 'Service']],
]

/** Topics by their readers, partners first. */
function topicsByReader({
  tags,
}: OpenApiDocument): readonly { readonly title: string; readonly topics: readonly Tag[] }[] {
  const others = READERS.flatMap(([, names]) => names)
  return [
    { title: 'For partners', topics: tags.filter(({ name }) => !others.includes(name)) },
    ...READERS.map(([title, names]) => ({ title, topics: tags.filter(({ name }) => names.includes(name)) })),
  ].filter(({ topics }) => topics.length > 0)
}

/** All topics by their readers, and the operations of the topic that is shown. */
function navigation(document: OpenApiDocument, address: string): Html {
  const item = (name: string) => {
    const isShown = topicAddress(name) === address
    return html`<li><a href="${topicAddress(name)}"${isShown && html` aria-current="page"`}>${name}</a>${isShown && operationLinks(name, document)}</li>`
  }
  const groups = topicsByReader(document).map(({ title, topics }) => {
    const names = [
      ...topics.map(({ name }) => name),
      ...(title === 'For partners' ? ['Conventions', 'Versions', 'Errors', 'Scopes', 'Schemas'] : []),
    ]
    return html`<h2>${title}</h2><ul class="tags">${names.map(item)}</ul>`
  })
  return html`<nav id="contents" class="contents" aria-label="Contents"><ul class="tags">
<li><a href="${REFERENCE}"${address === REFERENCE && html` aria-current="page"`}>Overview</a></li></ul>
${groups}
</nav>`
}

function operationLinks(tag: string, document: OpenApiDocument): Html {
  const endpoints = endpointsOf(document, tag).map(
    ({ method, path, operation: { operationId, summary } }) =>
      html`<li><a href="#op-${operationId}">${summary} <span class="call"><b>${method}</b> ${breakable(path)}</span></a></li>`,
  )
  const webhooks = webhooksOf(document, tag).map(
    ({ event, operation: { operationId } }) =>
      html`<li><a href="#op-${operationId}"><span class="call">${event}</span></a></li>`,
  )
  return html`<ul>${endpoints}${webhooks}</ul>`
}

/** What the API is, which credentials there are, and every topic with its operations. */
function startPage(document: OpenApiDocument, demo: OpenDemo | null): TopicPage {
  const section = (tag: Tag) => {
    const endpoints = endpointsOf(document, tag.name).map(
      ({ method, path, operation: { operationId, summary } }) =>
        html`<li id="op-${operationId}"><a href="${operationAddress(tag.name, operationId)}"><span class="method">${method}</span> <code>${breakable(path)}</code></a> ${summary}</li>`,
    )
    const events = webhooksOf(document, tag.name).map(
      ({ event, operation: { operationId, summary } }) =>
        html`<li id="op-${operationId}"><a href="${operationAddress(tag.name, operationId)}"><span class="method">Event</span> <code>${event}</code></a> ${summary}</li>`,
    )
    return html`<section class="topic" id="tag-${slug(tag.name)}"><h3><a href="${topicAddress(tag.name)}">${tag.name}</a></h3>
${prose(tag.description)}<ul class="overview">${endpoints}${events}</ul></section>`
  }
  const groups = topicsByReader(document).map(
    ({ title, topics }) => html`<section class="tag"><h2>${title}</h2>${topics.map(section)}</section>`,
  )
  const content = html`<section class="introduction">${prose(document.info.description)}
<p>Each operation has a sample in curl, TypeScript, Python and Ruby. A sample reads a secret credential from the variable <code>PORTICO_TOKEN</code>.</p>
<p>For programs: <a href="/openapi.json">OpenAPI as JSON</a>, <a href="/openapi.yaml">as YAML</a>, <a href="/docs/postman.json">Postman collection</a>, <a href="/docs/scopes.json">scopes</a>, <a href="/docs/events.json">events</a>, <a href="/docs/changelog.xml">changelog as RSS</a>. Every page is also Markdown: add <code>.md</code> to its address.</p></section>
${credentialSection(document, demo)}
${groups}`
  return { title: 'API reference', content }
}

/** The element into which the script puts the credential for "Try it". */
function tryCredential(demo: OpenDemo | null): Html {
  return html`<div id="credentials"><div id="try-credential" ${demo !== null && demoData(demo)}></div></div>`
}

/** Describes what each credential is for and how to get it. The script adds the field for the credential of "Try it" below. */
function credentialSection(document: OpenApiDocument, demo: OpenDemo | null): Html {
  const to = linker(document)
  return html`<section class="tag" id="credentials"><h2>Credentials</h2>
<p>A call sends a credential as <code>Authorization: Bearer …</code>, a server key as <code>Authorization: Basic …</code>. Each operation says which kinds of credentials it takes, or that it needs none.</p>
<dl class="kinds">
<dt>Publishable key <code>pk_…</code></dt>
<dd>Reads public data, and may itself be public: it is your app’s key.${demo !== null && html` The demo’s key is <code class="key">${demo.publishableKey}</code>.`}</dd>
<dt>Client-credentials token <code>at_…</code></dt>
<dd>Your app itself, without a user. ${to('createToken', 'Exchange')} the key and its secret, with <code>grant_type</code> <code>client_credentials</code>.</dd>
<dt>User’s token <code>at_…</code></dt>
<dd>A person who connected your app. ${to('authorize', 'Send them')} to the consent screen, then ${to('createToken', 'exchange')} the code.</dd>
<dt>Installation token <code>at_…</code></dt>
<dd>Your app on a company or a syndicate. ${to('createInstallation', 'Install it')} with a user’s token: the answer shows the installation token.</dd>
<dt>Server key <code>pk_…:sk_…</code></dt>
<dd>Your app’s own server: a confidential key with its secret, as <code>Authorization: Basic</code>. Only operations that name the server key accept it.</dd>
<dt>Operator key <code>ok_…</code></dt>
<dd>The host platform’s own systems; never given to partners.</dd>
</dl>
${demo !== null && html`<p>This server has a demo in its test world: the examples below are about records that exist there. Its client secrets, operator keys and people’s passwords are in the file <code>demo.json</code> of the data directory. Only the user who runs the server can read the file.</p>`}
<div id="try-credential" ${demo !== null && demoData(demo)}></div>
</section>`
}

function demoData({ publishableKey, clientId, scopes, people }: OpenDemo): Html {
  const addresses = Object.entries(people).map(([part, email]) => html` data-${part}="${email}"`)
  return html`data-publishable-key="${publishableKey}" data-client-id="${clientId}" data-scopes="${scopes.join(' ')}"${addresses}`
}

/** Links the words to an operation of the document. Without an operation of that name, only the words are shown. */
function linker({ paths }: OpenApiDocument): (operation: string, words: string) => HtmlValue {
  const topics = new Map(
    Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId, tags }) => [operationId, tags[0]])),
  )
  return (operation, words) => {
    const topic = topics.get(operation)
    return topic === undefined ? words : html`<a href="${operationAddress(topic, operation)}">${words}</a>`
  }
}

/**
 * The parts of the demo that the reference may show to every visitor: public keys and ids of the test world, and the addresses
 * of the demo's people. Secrets stay in the demo's own file.
 */
export type OpenDemo = {
  readonly publishableKey: string
  /** The page uses this client id to ask a person to connect the demo's app. The key with this id has no secret. */
  readonly clientId: string
  /** The scopes that the page requests from a person. */
  readonly scopes: readonly string[]
  /** The email addresses of the demo's people, to sign in as one of them. */
  readonly people: Readonly<Record<'investor' | 'founder' | 'manager' | 'developer', string>>
  /** Ids of the demo's records, by their prefix (`co_`), or by the name of a parameter that needs another id (`fundraise_id`). */
  readonly ids: Readonly<Record<string, string>>
  /** Users of the demo. */
  readonly users: readonly { readonly id: string; readonly name: string }[]
}

/**
 * Examples contain placeholder ids, which no record has. With a demo, ids of its records replace the placeholders, so that the
 * examples work.
 */
function withDemo(text: string, { ids, publishableKey }: OpenDemo, { servers: [server] }: OpenApiDocument): string {
  const replaced = Object.entries(ids).reduce((pages, [prefix, id]) => pages.replaceAll(prefix + STAND_IN, id), text)
  return replaced.replaceAll(PUBLISHABLE, publishableKey).replaceAll(EXAMPLE_ORIGIN, server?.url ?? EXAMPLE_ORIGIN)
}

/** The origin of addresses in recorded examples. */
const EXAMPLE_ORIGIN = 'https://api.portico.example'
