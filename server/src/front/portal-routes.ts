import { Type } from 'typebox'
import { open, signedIn } from '#http/access.ts'
import { acceptedEncoding, isUnchanged } from '#http/open-document.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { PortalBuild, PortalFolder } from './portal-build.ts'
import { missingBuildPage, PORTAL, PORTAL_POLICY, portalPage } from './portal-page.ts'

export type PortalDeps = { readonly brand: ShownBrand; readonly build: PortalBuild }

const TAG = 'Pages'
const FileName = Type.Object({ file: Type.String({ maxLength: 200 }) })
const CompressedText = Type.Unsafe<Buffer>({ description: 'The file, compressed if the browser accepts it.' })

/** The name changes with the content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

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
      schema: { params: FileName, response: { 200: CompressedText, 304: Type.Null() } },
      handler: async ({ params, header }) => {
        const found = await build.file(folder, params.file)
        if (found === null) {
          const message = 'This version of the portal has no such file. Reload the page.'
          throw new ApiError('not_found', { public: message })
        }
        const headers = { 'Cache-Control': IMMUTABLE, ETag: found.etag, Vary: 'Accept-Encoding' }
        if (isUnchanged(header('if-none-match'), found.etag)) return { status: 304, body: null, headers }
        const encoding = acceptedEncoding(header('accept-encoding'))
        const encoded = encoding === 'identity' ? headers : { ...headers, 'Content-Encoding': encoding }
        return { status: 200, body: found.bytes[encoding], headers: encoded }
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
