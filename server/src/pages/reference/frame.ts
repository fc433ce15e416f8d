import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { BUILT_FILE, type BuiltFile, builtFileResponse, readBuiltFile } from '../assets.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { brandHead, platformLinks } from '../layout.ts'
import type { PlatformBrand } from '../platform-brand.ts'
import { REFERENCE } from './endpoints.ts'

/** The parts of the documentation, in the order of the header. */
const SECTIONS = [
  { section: 'guides', label: 'Guides', address: '/docs/guides' },
  { section: 'reference', label: 'API reference', address: REFERENCE },
  { section: 'changelog', label: 'Changelog', address: '/docs/changelog' },
] as const

export type DocsSection = (typeof SECTIONS)[number]['section']

export type DocsPage = {
  readonly section: DocsSection
  readonly title: string
  readonly brand: PlatformBrand
  readonly style: string
  /** A second style sheet, for rules that only some pages need. */
  readonly extraStyle?: string
  /** The address of a script. The page works without it. */
  readonly script?: string
  /** The text of the link to `navigation`, which a phone shows at the end of the page. */
  readonly contents: string
  /** Text in the second line of the header, after the link to the contents. */
  readonly about?: HtmlValue
  readonly content: HtmlValue
  /** A `nav` element with the id and the class `contents`. */
  readonly navigation: Html
}

/** The frame of every page of the documentation: the brand, the sections, the search, the contents. */
export function docsFrame(shown: DocsPage): string {
  const { section, title, brand, style, extraStyle, script, contents, about, content, navigation } = shown
  const scripts = [script, searchScript()].filter((address) => typeof address === 'string')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brand.name}</title>
<link rel="stylesheet" href="${style}">${extraStyle !== undefined && html`<link rel="stylesheet" href="${extraStyle}">`}${brandHead(brand)}${scripts.map(
    (address) => html`<script type="module" src="${address}"></script>`,
  )}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="bar"><p class="brand"><a href="/">${brand.name}</a></p>
<nav class="sections" aria-label="Documentation"><ul>${SECTIONS.map(
    (one) =>
      html`<li><a href="${one.address}"${one.section === section && html` aria-current="true"`}>${one.label}</a></li>`,
  )}</ul></nav>
<button type="button" class="search" data-docs-search hidden>Search</button></div>
<p><a class="to-contents" href="#contents">${contents}</a> ${about !== undefined && html`${about} · `}<a href="/conditions">Usage conditions</a> · <a href="/status">Status</a>${platformLinks(brand.links).map((link) => html` · ${link}`)}</p>
</header>
<div class="columns">
<main id="content" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
${navigation}
</div>
</body>
</html>
`.markup
}

/** The search of the documentation, as `npm run build:docs` wrote it. */
const BUILD = fileURLToPath(new URL('../../../../docs-site/dist/search/', import.meta.url))
const FOLDER = '/docs/search'

type Manifest = { readonly script: string; readonly files: readonly string[] }

let known: { readonly manifest: Manifest | null } | undefined

/** The list of files is read once, so that all pages of one process refer to the files of one build. */
function manifest(): Manifest | null {
  known ??= { manifest: readManifest() }
  return known.manifest
}

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(`${BUILD}manifest.json`, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The address of the script that adds search to a page. Null if the search has not been built; the button then stays hidden. */
export function searchScript(): string | null {
  const found = manifest()
  return found === null ? null : `${FOLDER}/${found.script}`
}

export function searchRoute(): Route {
  const files = new Map<string, BuiltFile>()
  return route({
    operation: 'readSearchScript',
    method: 'GET',
    path: `${FOLDER}/:file`,
    alias: false,
    summary: 'Get a search script',
    description: 'Returns one file of the documentation’s search: its script or its index.',
    tag: 'Reference',
    access: open('The search covers what the documentation says, and contains no personal data.'),
    contentType: 'text/javascript; charset=utf-8',
    schema: BUILT_FILE,
    handler: async ({ params: { file }, header }) => {
      const isKnown = manifest()?.files.includes(file) === true
      const found = files.get(file) ?? (isKnown ? await readBuiltFile(BUILD + file) : null)
      if (found === null) {
        throw new ApiError('not_found', { public: 'This version of the search has no such file. Reload the page.' })
      }
      files.set(file, found)
      return builtFileResponse(found, header)
    },
  })
}
