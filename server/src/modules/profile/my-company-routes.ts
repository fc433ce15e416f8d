import { type Static, Type } from 'typebox'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { absoluteUrl } from '#modules/catalog/index.ts'
import { COMPANY_ROLES } from '#modules/companies/index.ts'
import { actingUser, forThemselves } from '#modules/installations/index.ts'
import { companiesOf, type MyCompany } from './my-company-store.ts'
import type { ProfileRouteDeps } from './route-deps.ts'
import { exactly, idOf, NullableText } from './schemas.ts'

const MyCompanySchema = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Type.String(),
      tagline: NullableText,
      url: Type.String({ description: 'The company’s page.' }),
      roles: Type.Array(Type.String({ enum: [...COMPANY_ROLES] }), { description: 'What the user is there, now.' }),
      raising: Type.Boolean({ description: 'Whether a round takes investments or reservations now.' }),
    }),
  },
  'MyCompany',
)

const MyCompanies = listOf(MyCompanySchema, { count: Type.Integer({ description: 'The same as page_count.' }) })

export const myCompanyRoutes = ({ cursors, origin }: Pick<ProfileRouteDeps, 'cursors' | 'origin'>): Route[] => [
  route({
    operation: 'listMyCompanies',
    method: 'GET',
    path: '/users/me/companies',
    summary: 'List the user’s companies',
    description: 'Returns all companies on whose team the user is, with their roles.',
    tag: 'User',
    access: forThemselves('read:companies'),
    schema: { query: Type.Object(pageQuery()), response: { 200: MyCompanies } },
    handler: async ({ db, caller, query, behaviour: { unpagedLists: lists } }) => {
      const user = await actingUser(db.reads, caller)
      const { data, meta } = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `my_companies/${user}`, version: 1 } },
        rows: await companiesOf(db.reads, user),
        place: ({ name, id }) => [name.toLowerCase(), id],
        item: (company) => recordOf(company, origin()),
      })
      return { status: 200, body: { data, meta: { ...meta, count: meta.page_count } } }
    },
  }),
]

function recordOf({ id, name, tagline, page_url, roles, raising }: MyCompany, origin: string) {
  const attributes = { name, tagline, url: absoluteUrl(origin, page_url), roles: [...roles], raising }
  return { id, type: 'company', attributes } satisfies Static<typeof MyCompanySchema>
}
