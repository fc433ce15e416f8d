import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { acceptedEncoding, isUnchanged } from '#http/open-document.ts'
import type { Picture } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { PictureBody } from '#http/schema-fields.ts'
import { accentStyle, BRAND_DIRECTORY, defaultFavicon, FAVICON_PATH, type PlatformBrand } from './platform-brand.ts'

/** The files that pages for people load. The routes of the pages themselves are in the modules. */
export function pageAssetRoutes(brand: PlatformBrand): readonly Route[] {
  const style = pageStyle()
  return [
    ...brandAssetRoutes(brand),
    route({
      operation: 'readPageStyle',
      method: 'GET',
      path: style.path,
      alias: false,
      summary: 'Get the page style sheet',
      description: 'The style sheet of the hosted pages.',
      tag: 'Pages',
      access: open('A style sheet contains no personal data.'),
      schema: { response: { 200: Type.String() } },
      contentType: 'text/css; charset=utf-8',
      handler: async () => ({ status: 200, body: style.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
    route({
      operation: 'readShownOnceScript',
      method: 'GET',
      path: shownOnceScript().path,
      alias: false,
      summary: 'Get the secret page’s script',
      description:
        'Returns the script of the page that shows a secret once. The script adds a button to copy the secret, and makes the browser’s Back button open another page instead of sending the form again.',
      tag: 'Pages',
      access: open('A script contains no personal data.'),
      schema: { response: { 200: Type.String() } },
      contentType: 'text/javascript; charset=utf-8',
      handler: async () => {
        return { status: 200, body: shownOnceScript().text, headers: { 'Cache-Control': KEEP_ASSET } }
      },
    }),
  ]
}

/** The path of the icon that browsers request for a document without an icon of its own, such as JSON. */
const FAVICON_FALLBACK = '/favicon.ico'

/** The routes of the configured brand. A file that is not configured has no route, except the icon, which has a default. */
function brandAssetRoutes({ accent, logo, favicon }: PlatformBrand): readonly Route[] {
  const headers = { 'Cache-Control': KEEP_ASSET }
  const asset = { method: 'GET', alias: false, tag: 'Assets', access: open('Every page for people shows it.') } as const
  const picture = (name: 'logo' | 'favicon', shown: Picture) =>
    route({
      ...asset,
      operation: name === 'logo' ? 'readPlatformLogo' : 'readPlatformFavicon',
      path: `${BRAND_DIRECTORY}/${name}`,
      summary: `Get the platform’s ${name}`,
      description: `The ${name} that every hosted page shows.`,
      schema: { response: { 200: PictureBody } },
      contentType: 'image/*',
      handler: async () => ({ status: 200, body: shown, headers }),
    })
  const style =
    accent === null
      ? []
      : [
          route({
            ...asset,
            operation: 'readPlatformStyle',
            path: `${BRAND_DIRECTORY}/accent.css`,
            summary: 'Get the platform’s colour',
            description: 'The style sheet that gives hosted pages the platform’s colour.',
            schema: { response: { 200: Type.String() } },
            contentType: 'text/css; charset=utf-8',
            handler: async () => ({ status: 200, body: accentStyle(accent), headers }),
          }),
        ]
  const words = {
    summary: 'Get the favicon',
    description: 'Returns the icon that browsers show beside the title of a page.',
  }
  const drawn = (operation: string, path: string) =>
    route({
      ...{ ...asset, ...words, operation, path },
      schema: { response: { 200: Type.String() } },
      contentType: 'image/svg+xml',
      handler: async () => ({ status: 200, body: defaultFavicon(accent), headers }),
    })
  const fallback = (shown: Picture) =>
    route({
      ...{ ...asset, ...words, operation: 'readFavicon', path: FAVICON_FALLBACK },
      schema: { response: { 200: PictureBody } },
      contentType: 'image/*',
      handler: async () => ({ status: 200, body: shown, headers }),
    })
  return [
    ...style,
    ...(logo === null ? [] : [picture('logo', logo)]),
    ...(favicon === null
      ? [drawn('readDefaultFavicon', FAVICON_PATH), drawn('readFavicon', FAVICON_FALLBACK)]
      : [picture('favicon', favicon), fallback(favicon)]),
  ]
}

export type Asset = { readonly text: string; readonly path: string; readonly address: string }

/**
 * A file that a page loads. Its address contains a digest of its content, so that the browser does not take the file from its
 * cache if the page belongs to another version. `before` is a text that is put before the content of the file.
 */
export function asset(directory: string, file: string, before = ''): Asset {
  const text = before + readFileSync(file, 'utf8')
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const path = `${directory}/${basename(file)}`
  return { text, path, address: `${path}?v=${version}` }
}

/** A style sheet that begins with the shared values of tokens.css. */
export function styleSheet(directory: string, file: string): Asset {
  return asset(directory, file, readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8'))
}

/** Browsers may cache a copy, but must check its ETag before each use. */
export const REVALIDATE = 'public, no-cache'

/**
 * Browsers cache a file only for a short time, although its address changes with its content: during a rollout a browser may
 * request a file of a new page from an old node, which returns its own older file under the new address.
 */
export const KEEP_ASSET = 'public, max-age=300'

let shownOnce: Asset | undefined

/** The script of pages that show a secret after a form was sent. */
export function shownOnceScript(): Asset {
  shownOnce ??= asset('/assets', join(import.meta.dirname, 'shown-once.js'))
  return shownOnce
}

let style: Asset | undefined

/** The style sheet of the hosted pages. It is read from the disk at its first use. */
export function pageStyle(): Asset {
  style ??= styleSheet('/assets', join(import.meta.dirname, 'pages.css'))
  return style
}

/** A file that a build wrote in every encoding. Its name changes with its content. */
export type BuiltFile = {
  readonly etag: string
  readonly bytes: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

export async function readBuiltFile(path: string): Promise<BuiltFile | null> {
  const names = [path, `${path}.br`, `${path}.gz`]
  const [identity, br, gzip] = await Promise.all(names.map((name) => readFile(name).catch(() => null)))
  if (!identity || !br || !gzip) return null
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  return { etag, bytes: { br, gzip, identity } }
}

/** The schemas of the parameters and the responses of a route that serves built files. */
export const BUILT_FILE = {
  params: Type.Object({ file: Type.String({ maxLength: 200 }) }),
  response: {
    200: Type.Unsafe<Buffer>({ description: 'The file, compressed if the browser accepts it.' }),
    304: Type.Null(),
  },
} as const

const IMMUTABLE = 'public, max-age=31536000, immutable'

export function builtFileResponse(file: BuiltFile, header: (name: string) => string | undefined) {
  const headers = { 'Cache-Control': IMMUTABLE, ETag: file.etag, Vary: 'Accept-Encoding' }
  if (isUnchanged(header('if-none-match'), file.etag)) return { status: 304 as const, body: null, headers }
  const encoding = acceptedEncoding(header('accept-encoding'))
  const encoded = encoding === 'identity' ? headers : { ...headers, 'Content-Encoding': encoding }
  return { status: 200 as const, body: file.bytes[encoding], headers: encoded }
}
