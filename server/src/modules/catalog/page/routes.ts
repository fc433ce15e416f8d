import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { type OperationWords, type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import { findUserOf } from '#modules/accounts/index.ts'
import { followLink, type ReferralSettings } from '#modules/referrals/index.ts'
import type { Databases } from '#system/postgres/database.ts'
import { findCompanyBySlug, shownRounds } from '../company/company-store.ts'
import { fetchedAt } from '../fetched-at.ts'
import type { Viewer } from '../viewer.ts'
import { companyPage } from './company-page.ts'
import { companyPagePath } from './company-page-path.ts'
import { nothingHerePage } from './nothing-here-page.ts'

export type CompanyPageDeps = {
  readonly databases: Databases
  readonly brand: ShownBrand
  readonly clock: WallClock
  readonly origin: () => string
  readonly referrals: { readonly crediting: ReferralSettings }
}

/** Whatever else stands there is no code, and no reason not to show the page. */
const Followed = Type.Object({ ref: Type.Optional(Type.String({ description: 'The referral code of the link.' })) })

const Slug = Type.Object({ slug: Type.String({ pattern: '^[0-9a-z._-]{1,100}$' }) })

/** Each world's companies at a path of their own: a link of the sandbox never leads to a real company. */
export const companyPageRoutes = (deps: CompanyPageDeps): Route[] => [
  pageRoute(deps, {
    world: 'live',
    operation: 'showCompanyPage',
    summary: 'Show a company’s page',
    description: 'The public page of a company with its open offerings. Links with a referral code lead here.',
  }),
  pageRoute(deps, {
    world: 'test',
    operation: 'showSandboxCompanyPage',
    summary: 'Show a sandbox company’s page',
    description: 'The public page of a company of the test world.',
  }),
]

type Served = OperationWords & { readonly world: World; readonly operation: string }

function pageRoute(deps: CompanyPageDeps, { world, operation, summary, description }: Served): Route {
  const { databases, brand, clock } = deps
  const db = databases[world]
  return route({
    operation,
    method: 'GET',
    path: companyPagePath(world, ':slug'),
    alias: false,
    errorsAs: 'page',
    summary,
    description,
    tag: 'Pages',
    access: visitor('Whoever has not signed in sees what everybody may see.'),
    queryAs: 'raw',
    schema: { params: Slug, query: Followed, response: { 200: Type.String(), 404: Type.String() } },
    contentType: 'text/html; charset=utf-8',
    handler: async ({ params: { slug }, query, caller, browser: { csrf }, requestId, header, isHead }) => {
      const viewer = await viewerIn(deps, world, caller)
      const around = { world, brand, person: caller, csrf }
      const company = await findCompanyBySlug(db, viewer, slug)
      if (company === null) {
        const body = nothingHerePage({ ...around, address: companyPagePath(world, slug), requestId })
        return { status: 404, body, refusal: 'not_found' }
      }
      const rounds = await shownRounds(db, viewer, company.id)
      const place = { path: companyPagePath(world, slug), https: deps.origin().startsWith('https:') }
      const purposes = ['sec-purpose', 'purpose', 'x-moz'].map(header)
      const asking = { isHead, dest: header('sec-fetch-dest'), purposes }
      const opened = {
        company: company.id,
        user: viewer,
        ref: query.values.get('ref')?.[0],
        cookies: header('cookie'),
        place,
        asking,
      }
      const cookies = await followLink(db, opened, deps.referrals.crediting)
      const body = companyPage({ ...around, company, rounds, fetchedAtMs: await fetchedAt(db, clock) })
      return { status: 200, body, ...(cookies.length === 0 ? {} : { headers: { 'set-cookie': cookies } }) }
    },
  })
}

/** "Resolves when that user could see it on the site": the page looks with the eyes of whoever signed in. */
async function viewerIn({ databases }: CompanyPageDeps, world: World, caller: AccountCaller | null): Promise<Viewer> {
  return caller === null ? null : findUserOf(databases.platform.reads, caller.accountId, world)
}
