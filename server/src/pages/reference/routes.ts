import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Type } from 'typebox'
import { open } from '#http/access.ts'
import type { OpenApiDocument } from '#http/openapi-types.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { notFound } from '#kernel/errors.ts'
import { type Asset, KEEP_ASSET, REVALIDATE, styleSheet } from '../assets.ts'
import type { PlatformBrand } from '../platform-brand.ts'
import { REFERENCE, schemaAddress, topicAddress } from './endpoints.ts'
import { searchRoute } from './frame.ts'
import { machineRoutes } from './machine-routes.ts'
import { type OpenDemo, referencePages } from './page.ts'

const TAG = 'Reference'
const PUBLIC = open('The reference describes the API and contains no personal data.')

/** The page loads files only from this server, runs only our scripts, and sends requests only to this server. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = {
  method: 'GET',
  alias: false,
  tag: TAG,
  access: PUBLIC,
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  schema: { response: { 200: Type.String() } },
} as const

const PAGE_HEADERS = { 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': REVALIDATE }

/** The files of the page's script, in order. A file imports only from the files before it. */
const SCRIPTS = ['elements.js', 'credentials.js', 'reading.js', 'reference.js']

const file = (name: string) => join(import.meta.dirname, name)

/** The document is built once and at its first use, because these routes are part of the route table that it describes. */
export function referenceRoutes(
  describe: () => OpenApiDocument,
  demo: () => OpenDemo | null = () => null,
  brand?: PlatformBrand,
  steps: readonly VersionStep[] = [],
): readonly Route[] {
  const document = once(describe)
  const text = once(() => new StoredJson(Buffer.from(JSON.stringify(document()))))
  const style = styleSheet('/docs', file('reference.css'))
  const script = joinedScript('/docs', SCRIPTS.map(file))
  const assets = { style: style.address, script: script.address, ...(brand === undefined ? {} : { brand }) }
  const plain = once(() => referencePages(document(), assets, null, steps))
  const pagesOf = oncePerKey((shown: OpenDemo) => referencePages(document(), assets, shown, steps))
  const markup = (address: string) => {
    const shown = demo()
    const body = (shown === null ? plain() : pagesOf(shown))(address)
    if (body === null) throw notFound('no such page of the reference')
    return body
  }
  const show = (address: string) => ({ status: 200 as const, body: markup(address), headers: PAGE_HEADERS })
  return [
    route({
      operation: 'readOpenApi',
      method: 'GET',
      path: '/openapi.json',
      alias: false,
      summary: 'Get the OpenAPI document',
      description: 'Returns this description of the API as OpenAPI 3.1.',
      tag: TAG,
      access: PUBLIC,
      cors: 'any',
      schema: { response: { 200: Type.Unknown({ description: 'An OpenAPI 3.1 document' }) } },
      handler: async () => ({ status: 200, body: text(), headers: { 'Cache-Control': REVALIDATE } }),
    }),
    route({
      ...PAGE,
      operation: 'readReference',
      path: REFERENCE,
      summary: 'Show the API reference',
      description: 'The start of the API reference for people, made from the OpenAPI document.',
      handler: async () => show(REFERENCE),
    }),
    route({
      ...PAGE,
      operation: 'findReference',
      path: `${REFERENCE}/api`,
      summary: 'Redirect to the API reference',
      description: 'The parent of the topics’ addresses. It redirects to the start of the reference.',
      schema: { response: { 308: Type.Null() } },
      handler: async () => ({ status: 308, body: null, headers: { Location: REFERENCE } }),
    }),
    route({
      ...PAGE,
      operation: 'readReferenceTopic',
      path: `${REFERENCE}/api/:topic`,
      summary: 'Show a topic of the reference',
      description: 'One topic of the API reference, with its operations and events.',
      schema: { ...PAGE.schema, params: Type.Object({ topic: Type.String() }) },
      handler: async ({ params: { topic } }) => show(topicAddress(topic)),
    }),
    route({
      ...PAGE,
      operation: 'readReferenceSchema',
      path: `${REFERENCE}/api/schemas/:name`,
      summary: 'Show a schema of the reference',
      description: 'One schema of the OpenAPI document, with its fields and an example.',
      schema: { ...PAGE.schema, params: Type.Object({ name: Type.String() }) },
      handler: async ({ params: { name } }) => show(schemaAddress(name)),
    }),
    route({
      operation: 'readReferenceStyle',
      method: 'GET',
      path: '/docs/reference.css',
      alias: false,
      summary: 'Get the reference style sheet',
      description: 'The style sheet of the API reference.',
      tag: TAG,
      access: PUBLIC,
      schema: { response: { 200: Type.String() } },
      contentType: 'text/css; charset=utf-8',
      handler: async () => ({ status: 200, body: style.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
    route({
      operation: 'readReferenceScript',
      method: 'GET',
      path: '/docs/reference.js',
      alias: false,
      summary: 'Get the reference script',
      description: 'Returns the script of the API reference.',
      tag: TAG,
      access: PUBLIC,
      schema: { response: { 200: Type.String() } },
      contentType: 'text/javascript; charset=utf-8',
      handler: async () => ({ status: 200, body: script.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
    searchRoute(),
    ...machineRoutes({ document, demo, markup }),
  ]
}

/**
 * Caches one result for each key. Here the key is the demo: one object, which exists once the demo is ready and then stays
 * the same.
 */
function oncePerKey<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>()
  return (key) => {
    const found = made.get(key) ?? { value: make(key) }
    made.set(key, found)
    return found.value
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const IMPORT = /^import [^;]*?from '[^']+'$/gm
const EXPORT = /^export (?=const|function|async|class)/gm

/**
 * Joins small modules into one script under the name of the last one, so that a page never mixes files of two versions. The
 * modules share one scope, so their top-level names must differ.
 */
function joinedScript(directory: string, files: readonly string[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8').replace(IMPORT, '').replace(EXPORT, '')).join('\n')
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const path = `${directory}/${basename(files.at(-1) ?? '')}`
  return { text, path, address: `${path}?v=${version}` }
}
