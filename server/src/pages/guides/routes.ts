import { join } from 'node:path'
import { Type } from 'typebox'
import { open } from '#http/access.ts'
import type { OpenApiDocument } from '#http/openapi-types.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { asset, KEEP_ASSET, REVALIDATE, styleSheet } from '../assets.ts'
import type { PlatformBrand } from '../platform-brand.ts'
import { topicAddress } from '../reference/endpoints.ts'
import type { OpenDemo } from '../reference/page.ts'
import { PAGE_POLICY } from '../reference/routes.ts'
import {
  GUIDES,
  type Guide,
  type GuideBuild,
  guideAddress,
  guideBuild,
  guideIndexPage,
  guidePage,
  missingGuides,
} from './pages.ts'

/** Written by `npm ci` (scripts/build-docs.ts); absent in an install without build tools. */
const GUIDE_FILES = join(import.meta.dirname, '../../../../docs-site/dist')

export type GuideDeps = {
  readonly brand: PlatformBrand
  readonly origin: () => string
  readonly demo?: (() => OpenDemo | null) | undefined
  readonly describe: () => OpenApiDocument
  readonly build?: GuideBuild
}

const BASE = {
  method: 'GET',
  alias: false,
  tag: 'Reference',
  access: open('The guides describe the API and contain no personal data.'),
} as const
const PAGE = {
  ...BASE,
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  schema: { response: { 200: Type.String(), 503: Type.String() } },
} as const
const TEXT = { ...BASE, schema: { response: { 200: Type.String() } } } as const
const Slug = Type.Object({ slug: Type.String({ maxLength: 100 }) })

const PAGE_HEADERS = { 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': REVALIDATE }
const TEXT_HEADERS = { 'Cache-Control': REVALIDATE }
const MISSING = 'There is no guide at this address. All guides are listed at /docs/guides.'

/** The guides for people, the same guides as Markdown, and the two files in which programs look for documentation. */
export function guideRoutes(deps: GuideDeps): readonly Route[] {
  const { brand, origin, demo, describe, build = guideBuild(GUIDE_FILES) } = deps
  const style = styleSheet('/docs', join(import.meta.dirname, '../reference/reference.css')).address
  const ownStyle = asset('/docs', join(import.meta.dirname, 'guides.css'))
  const script = asset('/docs', join(import.meta.dirname, 'guides.js'))
  const around = () => ({
    ...{ brand, style, extraStyle: ownStyle.address, script: script.address },
    ...{ origin: origin(), demo: demo?.() ?? null },
  })
  const find = async (slug: string) => {
    const list = await build.list()
    const guide = list?.guides.find((one) => one.slug === slug)
    if (list !== null && guide === undefined) throw notFound(MISSING)
    return { list, guide }
  }
  const guides = async () => (await build.list())?.guides ?? []
  const shown = (body: string) => ({ status: 200 as const, body, headers: PAGE_HEADERS })
  const missing = () => ({ status: 503 as const, body: missingGuides(around()), headers: PAGE_HEADERS })
  return [
    route({
      ...PAGE,
      operation: 'readGuides',
      path: GUIDES,
      summary: 'Show all guides',
      description: 'Shows the guides.',
      handler: async () => {
        const list = await build.list()
        return list === null ? missing() : shown(guideIndexPage(list, around()))
      },
    }),
    route({
      ...PAGE,
      operation: 'readGuide',
      path: `${GUIDES}/:slug`,
      summary: 'Show a guide',
      description: 'One guide, for people.',
      schema: { ...PAGE.schema, params: Slug },
      handler: async ({ params: { slug } }) => {
        const { list, guide } = await find(slug)
        if (list === null || guide === undefined) return missing()
        return shown(guidePage(guide, await build.html(slug), list, around()))
      },
    }),
    route({
      ...TEXT,
      operation: 'readGuideListMarkdown',
      path: `${GUIDES}.md`,
      summary: 'List the guides as Markdown',
      description: 'The list of the guides as Markdown, for programs.',
      contentType: 'text/markdown; charset=utf-8',
      handler: async () => ({ status: 200, body: `# Guides\n\n${guideLinks(await guides())}`, headers: TEXT_HEADERS }),
    }),
    route({
      ...TEXT,
      operation: 'readGuideMarkdown',
      path: `${GUIDES}/:slug.md`,
      summary: 'Get a guide as Markdown',
      description: 'One guide as Markdown, for programs.',
      contentType: 'text/markdown; charset=utf-8',
      schema: { ...TEXT.schema, params: Slug },
      handler: async ({ params: { slug } }) => {
        const { guide } = await find(slug)
        if (guide === undefined) throw notFound(MISSING)
        return { status: 200, body: await build.markdown(slug), headers: TEXT_HEADERS }
      },
    }),
    route({
      ...TEXT,
      operation: 'readLlms',
      path: '/llms.txt',
      summary: 'Get the list of documents',
      description: 'Lists the guides and the pages of the reference for programs, in the form of llmstxt.org.',
      contentType: 'text/plain; charset=utf-8',
      handler: async () => ({
        status: 200,
        body: `${introduction(brand)}\n${guideLinks(await guides(), 'Guides: ')}\n${referenceLinks(describe())}`,
        headers: TEXT_HEADERS,
      }),
    }),
    route({
      ...TEXT,
      operation: 'readLlmsFull',
      path: '/llms-full.txt',
      summary: 'Get all guides as text',
      description: 'All guides in one text, and the list of the pages of the reference.',
      contentType: 'text/plain; charset=utf-8',
      handler: async () => {
        const texts = await Promise.all((await guides()).map(({ slug }) => build.markdown(slug)))
        const body = `${introduction(brand)}\n${referenceLinks(describe())}\n${texts.join('\n')}`
        return { status: 200, body, headers: TEXT_HEADERS }
      },
    }),
    route({
      ...TEXT,
      operation: 'readGuideStyle',
      path: ownStyle.path,
      summary: 'Get the guide style sheet',
      description: 'The style sheet of the guides. They also load the style sheet of the reference.',
      contentType: 'text/css; charset=utf-8',
      handler: async () => ({ status: 200, body: ownStyle.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
    route({
      ...TEXT,
      operation: 'readGuideScript',
      path: script.path,
      summary: 'Get the guide script',
      description: 'Returns the script that adds buttons to copy code.',
      contentType: 'text/javascript; charset=utf-8',
      handler: async () => ({ status: 200, body: script.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
  ]
}

const introduction = ({ name }: PlatformBrand) => `# ${name}

> The partner API of an investment-crowdfunding platform: OAuth, app installations, an investment feed, signed webhooks.

The OpenAPI document is at /openapi.json.
`

function guideLinks(guides: readonly Guide[], prefix = ''): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(([group, members]) => {
    const lines = members.map(({ slug, title, summary }) => `- [${title}](${guideAddress(slug)}.md): ${summary}`)
    return `## ${prefix}${group}\n\n${lines.join('\n')}\n`
  })
  return groups.join('\n')
}

/** Pages of the reference that are not about one topic. */
const COMMON_PAGES: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Conventions', description: 'Pagination, idempotency, limits, errors and signatures, explained once.' },
  { name: 'Versions', description: 'What differs in older versions.' },
  { name: 'Errors', description: 'Every error type.' },
  { name: 'Scopes', description: 'Every scope, with the operations that accept it.' },
]

function referenceLinks({ tags }: OpenApiDocument): string {
  const lines = [...COMMON_PAGES, ...tags].map(
    ({ name, description }) => `- [${name}](${topicAddress(name)}.md): ${description}`,
  )
  return `## API reference\n\n${lines.join('\n')}\n`
}
