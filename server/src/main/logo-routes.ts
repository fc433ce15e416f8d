import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { demoIfInstalled } from './optional-workspaces.ts'

const SVG = '.svg'

const HEADERS = {
  // The logo of an id never changes.
  'Cache-Control': 'public, max-age=86400',
  // If a browser opens the picture as a page, the page must not run scripts or load other files.
  'Content-Security-Policy': "default-src 'none'",
  // Partners show the logo on their own pages.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * The logos of the demo's companies, made from the demo's own list. The route does not read the database, so it does not reveal
 * whether a company exists. An install without the demo has no logos.
 */
export function logoRoutes(): readonly Route[] {
  return [
    route({
      operation: 'readCompanyLogo',
      method: 'GET',
      path: '/assets/logos/:file',
      alias: false,
      cors: 'any',
      summary: 'Get a demo logo',
      description: 'Returns the logo of a company of the demo world.',
      tag: 'Assets',
      access: open('Public pictures, shown on pages and by partners.'),
      schema: {
        params: Type.Object({ file: Type.String({ description: 'The company’s id and `.svg`.' }) }),
        response: { 200: Type.String() },
      },
      contentType: 'image/svg+xml',
      handler: async ({ params: { file } }) => {
        const id = file.endsWith(SVG) ? file.slice(0, -SVG.length) : ''
        const demo = await demoIfInstalled()
        const picture = demo?.demoLogo(id)
        if (picture === undefined) throw notFound(`no logo for ${id}`)
        return { status: 200, body: picture, headers: HEADERS }
      },
    }),
  ]
}
