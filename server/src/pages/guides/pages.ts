import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Html, type HtmlValue, html } from '../html.ts'
import type { PlatformBrand } from '../platform-brand.ts'
import { docsFrame } from '../reference/frame.ts'
import type { OpenDemo } from '../reference/page.ts'

/** A guide as the build of `docs-site` lists it. */
export type Guide = {
  readonly slug: string
  readonly title: string
  readonly group: string
  /** The first paragraph of the guide. */
  readonly summary: string
  readonly headings: readonly { readonly id: string; readonly title: string; readonly level: number }[]
  /** The names of the variables that its code uses. */
  readonly variables: readonly string[]
}

type GuideVariable = {
  readonly name: string
  readonly about: string
  /** Where the variable's value is in demo.json, as a jq path. */
  readonly demo: string
  /** Names the public value that the page fills in: `url`, `key`, or an id of the demo. Absent for secrets. */
  readonly shown?: string
}

export type GuideList = { readonly guides: readonly Guide[]; readonly variables: readonly GuideVariable[] }

export type GuideBuild = {
  /** Null if the guides have not been built on this server. */
  list(): Promise<GuideList | null>
  /** The content of a guide that the list names. */
  html(slug: string): Promise<string>
  markdown(slug: string): Promise<string>
}

/** The list of guides is read again when its file changes, so that a new build is served without a restart. */
export function guideBuild(directory: string): GuideBuild {
  const index = join(directory, 'guides.json')
  const files = new Map<string, string>()
  let cachedList: { readonly changedMs: number; readonly list: GuideList } | null = null
  const file = async (name: string) => {
    const text = files.get(name) ?? (await readFile(join(directory, 'guides', name), 'utf8'))
    files.set(name, text)
    return text
  }
  return {
    list: async () => {
      const found = await stat(index).catch(() => null)
      if (found === null) return null
      if (cachedList?.changedMs !== found.mtimeMs) {
        files.clear()
        cachedList = { changedMs: found.mtimeMs, list: listOf(JSON.parse(await readFile(index, 'utf8'))) }
      }
      return cachedList.list
    },
    html: (slug) => file(`${slug}.html`),
    markdown: (slug) => file(`${slug}.md`),
  }
}

/** The guides without the text of their sections, which only the search needs. */
function listOf({ guides, variables }: GuideList): GuideList {
  const listed = guides.map(({ slug, title, group, summary, headings, variables: used }) => ({
    ...{ slug, title, group, summary, headings },
    variables: used,
  }))
  return { guides: listed, variables }
}

export const GUIDES = '/docs/guides'
export const guideAddress = (slug: string): string => `${GUIDES}/${slug}`

export type GuideSurroundings = {
  readonly brand: PlatformBrand
  readonly style: string
  readonly extraStyle: string
  readonly script: string
  /** The address of this server. */
  readonly origin: string
  readonly demo: OpenDemo | null
}

/** All guides by group, each with its first sentence. */
export function guideIndexPage(list: GuideList, around: GuideSurroundings): string {
  const groups = grouped(list.guides).map(([group, guides]) => {
    const items = guides.map(
      ({ slug, title, summary }) =>
        html`<li><a href="${guideAddress(slug)}">${title}</a><p>${firstSentence(summary)}</p></li>`,
    )
    return html`<section><h2>${group}</h2><ul class="guide-list">${items}</ul></section>`
  })
  const content = html`<p class="lead">Start with the quickstart, or find the task you have. A test runs the code of these pages against the demo, except commands and settings that it cannot run there. <a href="/llms.txt">For machines</a>: each page has a Markdown version, at its address with <code>.md</code> behind it.</p>
${groups}`
  return framed('Guides', { list, around, content, shown: null })
}

export function guidePage(guide: Guide, text: string, list: GuideList, around: GuideSurroundings): string {
  const content = html`<p class="markdown-link"><a href="${guideAddress(guide.slug)}.md">This page as Markdown</a></p>
${onThisPage(guide)}
${variablesPanel(guide, list.variables, around)}
<div class="guide">${new Html(text)}</div>
${neighbours(guide, list.guides)}`
  return framed(guide.title, { list, around, content, shown: guide.slug })
}

type Framed = {
  readonly list: GuideList
  readonly around: GuideSurroundings
  readonly content: Html
  readonly shown: string | null
}

function framed(title: string, { list, around, content, shown }: Framed): string {
  const { brand, style, extraStyle, script } = around
  return docsFrame({
    ...{ section: 'guides', title, brand, style, extraStyle, script, content },
    contents: 'All guides',
    navigation: html`<nav id="contents" class="contents" aria-label="Guides">
<ul class="tags"><li><a href="${GUIDES}"${shown === null && html` aria-current="page"`}>Overview</a></li></ul>
${grouped(list.guides).map(
  ([group, guides]) =>
    html`<h2>${group}</h2><ul class="tags">${guides.map(
      ({ slug, title: name }) =>
        html`<li><a href="${guideAddress(slug)}"${slug === shown && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul>`,
)}
</nav>`,
  })
}

const grouped = (guides: readonly Guide[]) => [...Map.groupBy(guides, ({ group }) => group)]

const firstSentence = (text: string) => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text

/** Links to the headings of the second level. A guide with fewer than two of these headings needs no links. */
function onThisPage({ headings }: Guide): HtmlValue {
  const shown = headings.filter(({ level }) => level === 2)
  return (
    shown.length > 1 &&
    html`<nav class="on-this-page" aria-label="On this page"><h2>On this page</h2><ul>${shown.map(
      ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
    )}</ul></nav>`
  )
}

function neighbours({ slug }: Guide, guides: readonly Guide[]): HtmlValue {
  const at = guides.findIndex((one) => one.slug === slug)
  const link = (guide: Guide | undefined, words: string, rel: string) =>
    guide !== undefined &&
    html`<a rel="${rel}" href="${guideAddress(guide.slug)}"><span>${words}</span> ${guide.title}</a>`
  return html`<nav class="neighbours" aria-label="Previous and next guide">${link(guides[at - 1], 'Previous', 'prev')}${link(guides[at + 1], 'Next', 'next')}</nav>`
}

/**
 * The lines that set the variables of the page's code. With a demo, public values are filled in, and a command reads the other
 * values from the demo's file.
 */
function variablesPanel({ variables }: Guide, all: readonly GuideVariable[], around: GuideSurroundings): HtmlValue {
  const used = all.filter(({ name }) => variables.includes(name))
  if (used.length === 0) return null
  const lines = used.map((variable) => exportLine(variable, around)).join('\n')
  const words =
    around.demo === null
      ? html`The code on this page uses these variables. Create an app and a key in the <a href="/developers">developer portal</a>, and fill them in.`
      : html`The code on this page uses these variables. These lines are for the demo of this server: paste them into a shell, in the directory in which the server was started.`
  return html`<section class="variables" aria-label="Variables"><p>${words}</p>
<figure class="code"><figcaption>Shell</figcaption><pre tabindex="0" aria-label="Variables"><code>${lines}</code></pre></figure></section>`
}

function exportLine({ name, about, demo, shown }: GuideVariable, around: GuideSurroundings): string {
  if (shown === 'url') return `export ${name}=${around.origin}`
  if (around.demo === null) return `export ${name}=''  # ${about}`
  const { publishableKey, ids } = around.demo
  const value = shown === 'key' ? publishableKey : ids[shown ?? '']
  return `export ${name}=${value ?? `$(jq -r '${demo}' .portico/demo.json)`}`
}

/** The page that a server without the built guides shows: how to build them, and what to read until then. */
export function missingGuides(around: GuideSurroundings): string {
  const content = html`<p>The guides have not been built on this server. Run this command in the project’s folder: it installs what the build needs and builds the guides.</p>
<pre tabindex="0" aria-label="Command"><code>npm ci</code></pre>
<p>An install without development packages has no build tools: build the guides elsewhere and copy <code>docs-site/dist</code> here. The pages work as soon as the files are there.</p>
<p>Until then read the <a href="/docs">API reference</a>.</p>`
  return framed('Guides', { list: { guides: [], variables: [] }, around, content, shown: null })
}
