import { join } from 'node:path'
import { Type } from 'typebox'
import { open } from '../access.ts'
import type { OpenApiDocument } from '../openapi-types.ts'
import { asset, KEEP_ASSET, styleSheet } from '../pages/asset.ts'
import { type Route, route } from '../route.ts'
import { referencePage } from './page.ts'

const TAG = 'Reference'
const PUBLIC = open('The reference describes the API and holds nothing of anybody’s.')

/** Everything comes from us; the page runs our script alone and talks to this server alone. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const file = (name: string) => join(import.meta.dirname, name)

/** The document is asked for late, and once, because these routes are part of the very table it describes. */
export function referenceRoutes(describe: () => OpenApiDocument): readonly Route[] {
  const document = once(describe)
  const style = styleSheet('/docs', file('reference.css'))
  const script = asset('/docs', file('reference.js'))
  const page = once(() => referencePage(document(), { style: style.address, script: script.address }))
  return [
    route({
      operation: 'readOpenApi',
      method: 'GET',
      path: '/openapi.json',
      alias: false,
      summary: 'Read this description of the API',
      tag: TAG,
      access: PUBLIC,
      cors: 'any',
      schema: { response: { 200: Type.Unknown({ description: 'An OpenAPI 3.1 document' }) } },
      handler: async () => ({ status: 200, body: document() }),
    }),
    route({
      operation: 'readReference',
      method: 'GET',
      path: '/docs',
      alias: false,
      summary: 'Read the reference in a browser',
      tag: TAG,
      access: PUBLIC,
      schema: { response: { 200: Type.String() } },
      contentType: 'text/html; charset=utf-8',
      handler: async () => ({ status: 200, body: page(), headers: { 'Content-Security-Policy': PAGE_POLICY } }),
    }),
    route({
      operation: 'readReferenceStyle',
      method: 'GET',
      path: '/docs/reference.css',
      alias: false,
      summary: 'The reference’s style sheet',
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
      summary: 'The reference’s script',
      tag: TAG,
      access: PUBLIC,
      schema: { response: { 200: Type.String() } },
      contentType: 'text/javascript; charset=utf-8',
      handler: async () => ({ status: 200, body: script.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
  ]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
