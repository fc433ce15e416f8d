import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import type { WallClock } from '#kernel/clock.ts'
import { notFound } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findCompanyBySlug, shownRounds } from '../company/company-store.ts'
import { companyPage } from './company-page.ts'

export type CompanyPageDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly brand: string
  readonly clock: WallClock
}

/** Real companies come first: one of the sandbox must not stand in the place of one. */
const PLACES = ['live', 'test'] as const satisfies readonly World[]

export const companyPageRoutes = ({ databases, brand, clock }: CompanyPageDeps): Route[] => [
  route({
    operation: 'showCompanyPage',
    method: 'GET',
    path: '/c/:slug',
    alias: false,
    errorsAs: 'page',
    summary: 'A company’s page with its open offerings, where every link to it leads',
    tag: 'Pages',
    access: open('Shows what everybody may see.'),
    schema: {
      params: Type.Object({ slug: Type.String({ pattern: '^[0-9a-z._-]{1,100}$' }) }),
      query: Type.Object({
        mode: Type.Optional(
          Type.Union([Type.Literal('test'), Type.Literal('live')], { description: 'One world only.' }),
        ),
      }),
      response: { 200: Type.String() },
    },
    contentType: 'text/html; charset=utf-8',
    handler: async ({ params: { slug }, query: { mode } }) => {
      for (const world of mode === undefined ? PLACES : [mode]) {
        const db = databases[world]
        const company = await findCompanyBySlug(db, slug)
        if (company === null) continue
        const rounds = await shownRounds(db, null, company.id)
        return { status: 200, body: companyPage({ company, rounds, world, brand, fetchedAtMs: clock.now() }) }
      }
      throw notFound(`no public company is called ${slug}`)
    },
  }),
]
