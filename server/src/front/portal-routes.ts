import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { findAccount } from '#access/accounts/index.ts'
import { open, signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { BUILT_FILE, type BuiltFile, builtFileResponse, readBuiltFile } from '#pages/assets.ts'
import { type Html, html } from '#pages/html.ts'
import { brandHead, page as framedPage, platformLinks } from '#pages/layout.ts'
import { brandAddresses, brandOf, type ShownBrand } from '#pages/platform-brand.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'

export type PortalDeps = {
  readonly brand: ShownBrand
  readonly build: PortalBuild
  readonly platform: PlatformDatabase
}

const PORTAL = '/developers'
const CONSOLE = '/console'

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

/**
 * The developer portal: its page at every address below /developers, and its files. The same build contains the console of the
 * platform's staff, at /console. People without a staff role get 404 for the console's page and for the scripts that only the
 * console loads.
 */
export function portalRoutes({ brand, build, platform }: PortalDeps): Route[] {
  const page = (app: PortalApp, { operation, path, ...words }: PageWords) =>
    route({
      ...{ ...words, operation, method: 'GET', path, alias: false, tag: TAG },
      access: signedIn(),
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String(), 503: Type.String() } },
      handler: async ({ caller }) => {
        if (app === 'console') await requireStaffRole(platform, caller)
        const entry = await build.entry(app)
        if (entry === null) return { status: 503, body: missingBuildPage(brand) }
        const headers = { 'Content-Security-Policy': PORTAL_POLICY, 'Cache-Control': 'private, no-cache' }
        return { status: 200, body: portalPage(app, entry, brand), headers }
      },
    })
  const find = async (folder: PortalFolder, file: string) => {
    const found = await build.file(folder, file)
    if (found !== null) return found
    const message = 'This version of the portal has no such file. Reload the page.'
    throw new ApiError('not_found', { public: message })
  }
  const files = (folder: PortalFolder, words: FileWords) =>
    route({
      ...words,
      method: 'GET',
      path: `${PORTAL}/${folder}/:file`,
      alias: false,
      tag: TAG,
      access: open('A file of the portal contains no personal data.'),
      schema: BUILT_FILE,
      handler: async ({ params, header }) => builtFileResponse(await find(folder, params.file), header),
    })
  return [
    page('portal', { ...PORTAL_WORDS, operation: 'showPortal', path: PORTAL }),
    page('portal', { ...PORTAL_WORDS, operation: 'showPortalPage', path: `${PORTAL}/*path` }),
    page('console', { ...CONSOLE_WORDS, operation: 'showConsole', path: CONSOLE }),
    page('console', { ...CONSOLE_WORDS, operation: 'showConsolePage', path: `${CONSOLE}/*path` }),
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
    route({
      operation: 'readConsoleScript',
      method: 'GET',
      path: `${PORTAL}/console/:file`,
      alias: false,
      summary: 'Get a console script',
      description: 'A script of the operator console, for people with a staff role only.',
      tag: TAG,
      access: signedIn(),
      schema: BUILT_FILE,
      contentType: 'text/javascript; charset=utf-8',
      handler: async ({ caller, params: { file }, header }) => {
        await requireStaffRole(platform, caller)
        const result = builtFileResponse(await find('console', file), header)
        // Every load must reach this server, because a person without a role, or whose role was revoked, must get 404.
        return { ...result, headers: { ...result.headers, 'Cache-Control': 'private, no-cache' } }
      },
    }),
  ]
}

/** Hides the console from people without a staff role. Each API request checks by itself what the role may do. */
async function requireStaffRole({ reads }: PlatformDatabase, { accountId }: AccountCaller): Promise<void> {
  const account = await findAccount(reads, accountId)
  if ((account?.staff_role ?? null) === null) throw notFound(`${accountId} has no staff role`)
}

type PageWords = Pick<Route, 'operation' | 'path' | 'summary'> & { readonly description: string }

const PORTAL_WORDS = {
  summary: 'Show the developer portal',
  description: 'Shows the page of the developer portal. Its script selects the view by the address.',
} as const

const CONSOLE_WORDS = {
  summary: 'Show the operator console',
  description: 'Shows the page of the console, for people with a staff role. Other people get 404.',
} as const

type FileWords = Pick<Route, 'operation' | 'summary'> & {
  readonly description: string
  readonly contentType: 'text/javascript; charset=utf-8' | 'text/css; charset=utf-8'
}

/**
 * The page at every address of the portal or the console. The brand is in attributes of the root element, because the policy
 * allows no inline script. The widget library adds an inline style, which the policy blocks, unless an element has the id
 * `react-aria-pressable-style`. So the page has this element, and portal/src/ui/ui.css has the rule of that style.
 */
function portalPage(app: PortalApp, { script, chunks, styles }: PortalEntry, shown: ShownBrand): string {
  const brand = brandOf(shown)
  const logo = brand.logo === null ? '' : brandAddresses.logo(brand.logo)
  const { support, terms, privacy } = brand.links
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${app === 'portal' ? 'Developers' : 'Console'} · ${brand.name}</title>
<meta id="react-aria-pressable-style" name="widgets" content="styled">
${styles.map((file) => html`<link rel="stylesheet" href="${PORTAL}/${file}">`)}${brandHead(brand)}
${chunks.map((file) => html`<link rel="modulepreload" href="${PORTAL}/${file}">`)}
<script type="module" src="${PORTAL}/${script}"></script>
</head>
<body>
<div id="root" data-brand="${brand.name}" data-logo="${logo}" data-support="${support ?? ''}" data-terms="${terms ?? ''}" data-privacy="${privacy ?? ''}"></div>
<noscript><p>This page needs JavaScript. <a href="/settings">Your settings</a> work without it.</p></noscript>
</body>
</html>
`.markup
}

/** Shows operators the build command, and partners the pages that work without the build. */
function missingBuildPage(brand: ShownBrand): string {
  const links = platformLinks(brandOf(brand).links)
  const main: Html = html`<section class="card"><h1>The developer portal has not been built</h1>
<p>Its files are missing on this server. Run this command in the project’s folder: it installs what the build needs and builds the portal.</p>
<pre class="line"><code>npm ci</code></pre>
<p>An install without development packages has no build tools: build the portal elsewhere and copy <code>portal/dist</code> here. The page works as soon as the files are there.</p>
<p>Until then, keys and apps are at <a href="/settings/organizations">your settings</a>, and everything else at the <a href="/docs">API</a>.</p>
${links.length > 0 && html`<p>${links}</p>`}</section>`
  return framedPage({ title: 'Developer portal', brand, main })
}

/** What the build contains: the developer portal, and the console of the platform's staff. */
type PortalApp = 'portal' | 'console'

/** The files that a page of the portal or of the console loads first. */
type PortalEntry = {
  readonly script: string
  /** Files that the script loads. The page names them too, so that a browser loads them at the same time as the script. */
  readonly chunks: readonly string[]
  readonly styles: readonly string[]
}

export type PortalBuild = {
  /** Null if the portal has not been built. */
  entry(app: PortalApp): Promise<PortalEntry | null>
  /** Null for a file that this build does not have, for example a file of an earlier build. */
  file(folder: PortalFolder, name: string): Promise<BuiltFile | null>
}

/** `console` has the scripts that only the console loads. */
type PortalFolder = 'scripts' | 'styles' | 'console'

/** The sources in portal/ that the two pages start with. */
const SOURCES: Readonly<Record<PortalApp, string>> = { portal: 'src/main.tsx', console: 'src/console/main.tsx' }

/** A chunk of Vite's manifest: https://vite.dev/guide/backend-integration */
type Chunk = {
  readonly file: string
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
  let cachedBuild: { readonly changedMs: number; readonly entries: Readonly<Record<PortalApp, PortalEntry>> } | null =
    null
  const manifest = join(directory, '.vite/manifest.json')
  return {
    entry: async (app) => {
      const found = await stat(manifest).catch(() => null)
      if (found === null) return null
      if (cachedBuild?.changedMs !== found.mtimeMs) {
        files.clear()
        const read: Manifest = JSON.parse(await readFile(manifest, 'utf8'))
        const entries = { portal: entryOf(read, SOURCES.portal), console: entryOf(read, SOURCES.console) }
        cachedBuild = { changedMs: found.mtimeMs, entries }
      }
      return cachedBuild.entries[app]
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

function entryOf(manifest: Manifest, source: string): PortalEntry {
  const entry = manifest[source]
  if (entry === undefined) throw new Error(`the manifest of the portal has no entry ${source}`)
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
