import { Type } from 'typebox'
import { open } from '#http/access.ts'
import type { OpenApiDocument } from '#http/openapi-types.ts'
import { type Route, route } from '#http/route.ts'
import { REVALIDATE } from '../assets.ts'
import { pageAsMarkdown } from '../html-to-markdown.ts'
import { REFERENCE, schemaAddress, topicAddress } from './endpoints.ts'
import type { OpenDemo } from './page.ts'
import { postmanCollection } from './postman.ts'

const BASE = {
  method: 'GET',
  alias: false,
  tag: 'Reference',
  access: open('It describes the API and contains no personal data.'),
  cors: 'any',
  schema: { response: { 200: Type.String() } },
} as const

const MARKDOWN = { ...BASE, contentType: 'text/markdown; charset=utf-8' } as const
const JSON_DOCUMENT = { ...BASE, contentType: 'application/json' } as const

const documented = (body: string) => ({ status: 200 as const, body, headers: { 'Cache-Control': REVALIDATE } })

export type MachineParts = {
  readonly document: () => OpenApiDocument
  readonly demo: () => OpenDemo | null
  /** Returns a page of the reference. Throws if there is no such page. */
  readonly markup: (address: string) => string
}

/** The reference for programs: every page as Markdown, the OpenAPI document as YAML, and a Postman collection. */
export function machineRoutes({ document, demo, markup }: MachineParts): readonly Route[] {
  const markdown = cachingLast(pageAsMarkdown)
  const yaml = cachingLast((api: OpenApiDocument) => yamlOf(api))
  const page = (address: string) => documented(markdown(address, markup(address)))
  return [
    route({
      ...BASE,
      operation: 'readOpenApiYaml',
      path: '/openapi.yaml',
      summary: 'Get the OpenAPI document (YAML)',
      description: 'Returns the document of `/openapi.json` as YAML.',
      contentType: 'application/yaml',
      handler: async () => documented(yaml('', document())),
    }),
    route({
      ...JSON_DOCUMENT,
      operation: 'readPostmanCollection',
      path: `${REFERENCE}/postman.json`,
      summary: 'Get the Postman collection',
      description:
        'A Postman collection (version 2.1) with a request for each operation that needs no person’s sign-in.',
      handler: async () => {
        const [server] = document().servers
        return documented(JSON.stringify(postmanCollection(document(), { baseUrl: server?.url ?? '', demo: demo() })))
      },
    }),
    route({
      ...MARKDOWN,
      operation: 'readReferenceMarkdown',
      path: `${REFERENCE}.md`,
      summary: 'Get the reference as Markdown',
      description: 'The start of the API reference as Markdown, for programs.',
      handler: async () => page(REFERENCE),
    }),
    route({
      ...MARKDOWN,
      operation: 'readReferenceTopicMarkdown',
      path: `${REFERENCE}/api/:topic.md`,
      summary: 'Get a topic as Markdown',
      description: 'One topic of the API reference as Markdown, for programs.',
      schema: { ...BASE.schema, params: Type.Object({ topic: Type.String() }) },
      handler: async ({ params: { topic } }) => page(topicAddress(topic)),
    }),
    route({
      ...MARKDOWN,
      operation: 'readReferenceSchemaMarkdown',
      path: `${REFERENCE}/api/schemas/:name.md`,
      summary: 'Get a schema as Markdown',
      description: 'One schema of the OpenAPI document as Markdown, for programs.',
      schema: { ...BASE.schema, params: Type.Object({ name: Type.String() }) },
      handler: async ({ params: { name } }) => page(schemaAddress(name)),
    }),
  ]
}

export type FeedParts = { readonly scopes: readonly object[]; readonly events: readonly object[] }

/** The lists that code generators and dashboards read instead of a page. */
export function feedRoutes({ scopes, events }: FeedParts): readonly Route[] {
  const [scopeText, eventText] = [scopes, events].map((data) => JSON.stringify({ data })) as [string, string]
  return [
    route({
      ...JSON_DOCUMENT,
      operation: 'readScopeList',
      path: `${REFERENCE}/scopes.json`,
      summary: 'Get the list of scopes',
      description: 'Every scope with its description, how an app obtains it and which tokens may hold it.',
      handler: async () => documented(scopeText),
    }),
    route({
      ...JSON_DOCUMENT,
      operation: 'readEventList',
      path: `${REFERENCE}/events.json`,
      summary: 'Get the list of events',
      description: 'Every webhook event with its description, who receives it and which scope it needs.',
      handler: async () => documented(eventText),
    }),
  ]
}

/** Renders a text again only if its source has changed. */
function cachingLast<From>(make: (from: From) => string): (key: string, from: From) => string {
  const made = new Map<string, { readonly from: From; readonly text: string }>()
  return (key, from) => {
    const cached = made.get(key)
    if (cached?.from === from) return cached.text
    const text = make(from)
    made.set(key, { from, text })
    return text
  }
}

/**
 * A JSON value as block YAML 1.2. Texts, and keys that are not plain words, are in double quotes, so that no reader takes
 * them for another type. Text in double quotes is written as in JSON.
 */
export function yamlOf(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}[]\n`
    return value.map((item) => `${indent}- ${yamlOf(item, `${indent}  `).slice(indent.length + 2)}`).join('')
  }
  if (typeof value !== 'object' || value === null) return `${indent}${JSON.stringify(value)}\n`
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (entries.length === 0) return `${indent}{}\n`
  return entries
    .map(([key, inner]) => {
      const name = /^[A-Za-z$][\w$-]*$/.test(key) && !YAML_WORDS.has(key.toLowerCase()) ? key : JSON.stringify(key)
      const isNested = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
      return isNested ? `${indent}${name}:\n${yamlOf(inner, `${indent}  `)}` : `${indent}${name}: ${yamlOf(inner)}`
    })
    .join('')
}

/** Words that YAML 1.1 readers take for a boolean or null. */
const YAML_WORDS: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'])
