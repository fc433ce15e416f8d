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

/** The file as a page: every version with what changed in it, and a list of them to go by. Needs no script. */
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
    // The first level is the name of the file, which the page says by itself.
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

/** `text`: the project's own CHANGELOG.md. The style is the reference's, which serves it. */
export function changelogRoute({ text, brand }: Pick<ChangelogParts, 'text' | 'brand'>): Route {
  const style = styleSheet('/docs', join(import.meta.dirname, 'reference.css')).address
  const body = changelogPage({ text, brand, style })
  const headers = { 'Content-Security-Policy': pagePolicy(), 'Cache-Control': KEEP_ASSET }
  return route({
    operation: 'readChangelog',
    method: 'GET',
    path: '/docs/changelog',
    alias: false,
    summary: 'Show the API changelog',
    description: 'The page that lists what changed, version by version.',
    tag: 'Reference',
    access: open('It tells what changed, and contains no personal data.'),
    errorsAs: 'page',
    schema: { response: { 200: Type.String() } },
    contentType: 'text/html; charset=utf-8',
    handler: async () => ({ status: 200, body, headers }),
  })
}
