import { type Static, Type } from 'typebox'
import { listOf, wholeList } from '#http/pagination.ts'
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

const MyCompanies = listOf(MyCompanySchema, { count: Type.Integer({ description: 'How many there are.' }) })

export const myCompanyRoutes = ({ origin }: Pick<ProfileRouteDeps, 'origin'>): Route[] => [
  route({
    operation: 'listMyCompanies',
    method: 'GET',
    path: '/users/me/companies',
    summary: 'List the user’s companies',
    description: 'Returns all companies on whose team the user is, with their roles.',
    tag: 'User',
    access: forThemselves('read:companies'),
    schema: { response: { 200: MyCompanies } },
    handler: async ({ db, caller }) => {
      const companies = await companiesOf(db.reads, await actingUser(db.reads, caller))
      const { data, meta } = wholeList(companies.map((company) => recordOf(company, origin())))
      return { status: 200, body: { data, meta: { ...meta, count: companies.length } } }
    },
  }),
]

function recordOf({ id, name, tagline, page_url, roles, raising }: MyCompany, origin: string) {
  const attributes = { name, tagline, url: absoluteUrl(origin, page_url), roles: [...roles], raising }
  return { id, type: 'company', attributes } satisfies Static<typeof MyCompanySchema>
}
