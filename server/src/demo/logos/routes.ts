import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { demoCompanies } from '../companies.ts'
import { companyLogo } from './company-logo.ts'

const SVG = '.svg'

const HEADERS = {
  // The picture for an id never changes; a day is enough for whoever draws a page often.
  'Cache-Control': 'public, max-age=86400',
  // No script, no style, nothing from elsewhere, should somebody open the picture as a page.
  'Content-Security-Policy': "default-src 'none'",
  // Partners show it on pages of their own.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * The logos of the demo's companies, drawn from the same list that makes them. No database is asked: whether a company
 * of some id exists is nobody's to find out here.
 */
export function logoRoutes(): readonly Route[] {
  const names = new Map<string, string>(demoCompanies().map(({ id, story }) => [id, story.name]))
  return [
    route({
      operation: 'readCompanyLogo',
      method: 'GET',
      path: '/assets/logos/:file',
      alias: false,
      cors: 'any',
      summary: 'Get a demo logo',
      description: 'The logo of a company of the demo world.',
      tag: 'Assets',
      access: open('Pictures that pages and partners show to everybody.'),
      schema: {
        params: Type.Object({ file: Type.String({ description: 'The company’s id and `.svg`.' }) }),
        response: { 200: Type.String() },
      },
      contentType: 'image/svg+xml',
      handler: async ({ params: { file } }) => {
        const id = file.endsWith(SVG) ? file.slice(0, -SVG.length) : ''
        const name = names.get(id)
        if (name === undefined) throw notFound(`no logo for ${id}`)
        return { status: 200, body: companyLogo(name, id), headers: HEADERS }
      },
    }),
  ]
}
