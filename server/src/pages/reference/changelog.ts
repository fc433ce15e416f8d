import { join } from 'node:path'
import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { KEEP_ASSET, styleSheet } from '../assets.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { blockView, inline, readMarkdown } from '../markdown.ts'
import type { PlatformBrand } from '../platform-brand.ts'
import { docsFrame } from './frame.ts'

type Release = { readonly title: string; readonly id: string; readonly content: Html[] }

export type ChangelogParts = { readonly text: string; readonly brand: PlatformBrand; readonly style: string }

/** CHANGELOG.md as a page: a list of all versions, and each version with its changes. Only search needs a script. */
function changelogPage({ text, brand, style }: ChangelogParts): string {
  const { introduction, releases } = read(text)
  return docsFrame({
    ...{ section: 'changelog', title: 'Changelog', brand, style },
    contents: 'All versions',
    content: html`<section class="introduction">${introduction}</section>
${releases.map(releaseView)}`,
    navigation: html`<nav id="contents" class="contents" aria-label="Versions"><ul class="tags">${releases.map(linkTo)}</ul></nav>`,
  })
}

function read(text: string): { readonly introduction: HtmlValue; readonly releases: readonly Release[] } {
  const introduction: Html[] = []
  const releases: Release[] = []
  for (const block of readMarkdown(text)) {
    const content = releases.at(-1)?.content ?? introduction
    if (block.kind !== 'heading') content.push(blockView(block))
    // A heading of the first level is the title of the file, which the page has already.
    else if (block.level === 2) releases.push({ title: block.text, id: idOf(block.text), content: [] })
    else if (block.level > 2) content.push(html`<h3>${inline(block.text)}</h3>`)
  }
  return { introduction, releases }
}

function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

const linkTo = ({ id, title }: Release) => html`<li><a href="#${id}">${title}</a></li>`

function releaseView({ id, title, content }: Release): Html {
  return html`<section class="release" id="${id}"><h2>${title}</h2>${content}</section>`
}

const DATE = /\d{4}-\d{2}-\d{2}/

/**
 * The changelog as RSS (https://www.rssboard.org/rss-specification). Each version is an item, with its section of the page as the
 * content.
 */
function changelogFeed({ text, brand }: Pick<ChangelogParts, 'text' | 'brand'>, origin: string): string {
  const page = `${origin}${CHANGELOG}`
  const items = read(text).releases.map(({ id, title, content }) => {
    const date = DATE.exec(title)?.[0]
    return html`<item>
<title>${title}</title>
<link>${page}#${id}</link>
<guid isPermaLink="true">${page}#${id}</guid>
${
  date !== undefined &&
  html`<pubDate>${new Date(date).toUTCString()}</pubDate>
`
}<description>${absolute(html`${content}`.markup, origin)}</description>
</item>
`
  })
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${brand.name}: API changelog</title>
<link>${page}</link>
<description>What changed for those who build on ${brand.name}, version by version.</description>
<language>en</language>
<atom:link href="${page}.xml" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`.markup
}

/** Feed readers cannot resolve relative links, so every link gets the origin. */
function absolute(markup: string, origin: string): string {
  return markup.replaceAll('href="/', `href="${origin}/`).replaceAll('href="#', `href="${origin}${CHANGELOG}#`)
}

const CHANGELOG = '/docs/changelog'

const BASE = {
  method: 'GET',
  alias: false,
  tag: 'Reference',
  access: open('It tells what changed, and contains no personal data.'),
  schema: { response: { 200: Type.String() } },
} as const

type Parts = Pick<ChangelogParts, 'text' | 'brand'> & { readonly origin: () => string }

/** `text` is the content of CHANGELOG.md. The pages use the style sheet that the routes of the reference serve. */
export function changelogRoutes({ text, brand, origin }: Parts): readonly Route[] {
  const style = styleSheet('/docs', join(import.meta.dirname, 'reference.css')).address
  const body = changelogPage({ text, brand, style })
  const headers = { 'Content-Security-Policy': pagePolicy({ scripts: true }), 'Cache-Control': KEEP_ASSET }
  return [
    route({
      ...BASE,
      operation: 'readChangelog',
      path: CHANGELOG,
      summary: 'Show the API changelog',
      description: 'Shows what changed, version by version.',
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      handler: async () => ({ status: 200, body, headers }),
    }),
    route({
      ...BASE,
      operation: 'readChangelogFeed',
      path: `${CHANGELOG}.xml`,
      summary: 'Get the changelog feed',
      description: 'The changelog as RSS 2.0, with an item for each version.',
      cors: 'any',
      contentType: 'application/rss+xml',
      handler: async () => ({
        status: 200,
        body: changelogFeed({ text, brand }, origin()),
        headers: { 'Cache-Control': KEEP_ASSET },
      }),
    }),
    route({
      ...BASE,
      operation: 'readChangelogMarkdown',
      path: `${CHANGELOG}.md`,
      summary: 'Get the changelog as Markdown',
      description: 'The changelog as Markdown, for programs.',
      cors: 'any',
      contentType: 'text/markdown; charset=utf-8',
      handler: async () => ({ status: 200, body: text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
  ]
}
