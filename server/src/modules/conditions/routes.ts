import { Type } from 'typebox'
import { open } from '#http/access.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { type Route, route } from '#http/route.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import { notFound } from '#kernel/errors.ts'
import { CONDITIONS_PATH, CONDITIONS_VERSION } from '#modules/apps/index.ts'
import { conditionsPage } from './page.ts'
import { VERSIONS } from './versions.ts'

const COMMON = {
  method: 'GET',
  alias: false,
  tag: 'Pages',
  access: open('Conditions are to be read before there is an app, and by those whose data it is about.'),
  contentType: 'text/html; charset=utf-8',
  errorsAs: 'page',
} as const

const HEADERS = { ...PAGE_HEADERS, 'Cache-Control': 'public, max-age=300' }

/** What the acceptance of every app points to: the conditions in force, and each version for good. */
export function conditionRoutes({ brand }: { readonly brand: ShownBrand }): Route[] {
  // Made when the service starts, so that it does not start without them.
  const pages = new Map(
    VERSIONS.map((version) => [version, conditionsPage({ brand, version, inForce: CONDITIONS_VERSION })]),
  )
  const pageOf = (version: string) => {
    const body = pages.get(version)
    if (body === undefined) throw notFound(`there are no conditions of ${version}`)
    return { status: 200, body, headers: HEADERS } as const
  }
  return [
    route({
      ...COMMON,
      operation: 'showUsageConditions',
      path: CONDITIONS_PATH,
      summary: 'Show the usage conditions',
      description: 'The page with the version of the usage conditions that is in force.',
      schema: { response: { 200: Type.String() } },
      handler: async () => pageOf(CONDITIONS_VERSION),
    }),
    route({
      ...COMMON,
      operation: 'showUsageConditionsVersion',
      path: `${CONDITIONS_PATH}/:version`,
      summary: 'Show one usage conditions version',
      description: 'The page with one version of the usage conditions.',
      schema: { params: Type.Object({ version: Type.String() }), response: { 200: Type.String() } },
      handler: async ({ params: { version } }) => pageOf(version),
    }),
  ]
}
