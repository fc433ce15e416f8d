import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { open, signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { BUILT_FILE, type BuiltFile, builtFileAnswer, readBuiltFile } from '#pages/assets.ts'
import { type Html, html } from '#pages/html.ts'
import { brandHead, page as framedPage, platformLinks } from '#pages/layout.ts'
import { brandAddresses, brandOf, type ShownBrand } from '#pages/platform-brand.ts'

export type PortalDeps = { readonly brand: ShownBrand; readonly build: PortalBuild }

const PORTAL = '/developers'

/** The page loads files only from this server, runs only our script, and sends requests only to this server. */
const PORTAL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TAG = 'Pages'

/** The developer portal: its page at every address below /developers, and its files. */
export function portalRoutes({ brand, build }: PortalDeps): Route[] {
  const page = (operation: string, path: string) =>
    route({
      operation,
      method: 'GET',
      path,
      alias: false,
      summary: 'Show the developer portal',
      description: 'The page of the developer portal. Its script decides by the address what to show.',
      tag: TAG,
      access: signedIn(),
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String(), 503: Type.String() } },
      handler: async () => {
        const entry = await build.entry()
        if (entry === null) return { status: 503, body: missingBuildPage(brand) }
        const headers = { 'Content-Security-Policy': PORTAL_POLICY, 'Cache-Control': 'private, no-cache' }
        return { status: 200, body: portalPage(entry, brand), headers }
      },
    })
  const files = (folder: PortalFolder, words: FileWords) =>
    route({
      ...words,
      method: 'GET',
      path: `${PORTAL}/${folder}/:file`,
      alias: false,
      tag: TAG,
      access: open('A file of the portal contains no personal data.'),
      schema: BUILT_FILE,
      handler: async ({ params, header }) => {
        const found = await build.file(folder, params.file)
        if (found === null) {
          const message = 'This version of the portal has no such file. Reload the page.'
          throw new ApiError('not_found', { public: message })
        }
        return builtFileAnswer(found, header)
      },
    })
  return [
    page('showPortal', PORTAL),
    page('showPortalPage', `${PORTAL}/*path`),
    files('scripts', {
      operation: 'readPortalScript',
      summary: 'Get a portal script',
      description: 'A script of the developer portal.',
      contentType: 'text/javascript; charset=utf-8',
    }),
    files('styles', {
      operation: 'readPortalStyle',
      summary: 'Get a portal style sheet',
      description: 'A style sheet of the developer portal.',
      contentType: 'text/css; charset=utf-8',
    }),
  ]
}

type FileWords = Pick<Route, 'operation' | 'summary'> & {
  readonly description: string
  readonly contentType: 'text/javascript; charset=utf-8' | 'text/css; charset=utf-8'
}

/**
 * The page at every address of the portal. The brand is in attributes of the root element, because the policy allows no inline
 * script. The policy also blocks the inline style that the widget library adds unless an element has the id
 * `react-aria-pressable-style`; so the page has such an element, and portal/src/ui/ui.css has the rule.
 */
function portalPage({ script, chunks, styles }: PortalEntry, shown: ShownBrand): string {
  const brand = brandOf(shown)
  const logo = brand.logo === null ? '' : brandAddresses.logo(brand.logo)
  const { support, terms, privacy } = brand.links
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Developers · ${brand.name}</title>
<meta id="react-aria-pressable-style" name="widgets" content="styled">
${styles.map((file) => html`<link rel="stylesheet" href="${PORTAL}/${file}">`)}${brandHead(brand)}
${chunks.map((file) => html`<link rel="modulepreload" href="${PORTAL}/${file}">`)}
<script type="module" src="${PORTAL}/${script}"></script>
</head>
<body>
<div id="root" data-brand="${brand.name}" data-logo="${logo}" data-support="${support ?? ''}" data-terms="${terms ?? ''}" data-privacy="${privacy ?? ''}"></div>
<noscript><p>The developer portal needs JavaScript. <a href="/settings">Your settings</a> work without it.</p></noscript>
</body>
</html>
`.markup
}

/** Shows operators the build command, and partners the pages that work without the build. */
function missingBuildPage(brand: ShownBrand): string {
  const links = platformLinks(brandOf(brand).links)
  const main: Html = html`<section class="card"><h1>The developer portal has not been built</h1>
<p>Its files are missing on this server. Where the project was checked out, this command installs what the build needs and builds it:</p>
<pre class="line"><code>npm ci</code></pre>
<p>An install without development packages has no build tools: build the portal elsewhere and copy <code>portal/dist</code> here. The page works as soon as the files are there.</p>
<p>Until then, keys and apps are at <a href="/settings/organizations">your settings</a>, and everything else at the <a href="/docs">API</a>.</p>
${links.length > 0 && html`<p>${links}</p>`}</section>`
  return framedPage({ title: 'Developer portal', brand, main })
}

/** The files that a page of the portal loads first. */
type PortalEntry = {
  readonly script: string
  /** Loaded by the script; named on the page, so that a browser loads them at the same time. */
  readonly chunks: readonly string[]
  readonly styles: readonly string[]
}

export type PortalBuild = {
  /** Null if the portal has not been built. */
  entry(): Promise<PortalEntry | null>
  /** Null for a file that this build does not have, as after an upgrade. */
  file(folder: PortalFolder, name: string): Promise<BuiltFile | null>
}

type PortalFolder = 'scripts' | 'styles'

/** A chunk of Vite's manifest: https://vite.dev/guide/backend-integration */
type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

const FILE_NAME = /^[\w-]+\.(?:js|css)$/

/**
 * The files that `npm ci` built. The manifest is read again when it changes, so that a new build is served without a restart;
 * the other files have their content's hash in their names and are cached.
 */
export function portalBuild(directory: string): PortalBuild {
  const files = new Map<string, BuiltFile>()
  let known: { readonly changedMs: number; readonly entry: PortalEntry } | null = null
  const manifest = join(directory, '.vite/manifest.json')
  return {
    entry: async () => {
      const found = await stat(manifest).catch(() => null)
      if (found === null) return null
      if (known?.changedMs !== found.mtimeMs) {
        files.clear()
        known = { changedMs: found.mtimeMs, entry: entryOf(JSON.parse(await readFile(manifest, 'utf8'))) }
      }
      return known.entry
    },
    file: async (folder, name) => {
      const cached = files.get(`${folder}/${name}`)
      if (cached !== undefined || !FILE_NAME.test(name)) return cached ?? null
      const read = await readBuiltFile(join(directory, folder, name))
      if (read !== null) files.set(`${folder}/${name}`, read)
      return read
    },
  }
}

function entryOf(manifest: Manifest): PortalEntry {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true)
  if (entry === undefined) throw new Error('the manifest of the portal names no entry')
  const chunks = new Set<Chunk>()
  const add = (chunk: Chunk) => {
    if (chunks.has(chunk)) return
    chunks.add(chunk)
    for (const name of chunk.imports ?? []) {
      const imported = manifest[name]
      if (imported !== undefined) add(imported)
    }
  }
  add(entry)
  chunks.delete(entry)
  const all = [entry, ...chunks]
  return {
    script: entry.file,
    chunks: [...chunks].map(({ file }) => file),
    styles: [...new Set(all.flatMap(({ css = [] }) => css))],
  }
}
