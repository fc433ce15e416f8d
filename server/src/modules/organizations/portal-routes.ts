import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { listOf, wholeList } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import { Exactly, One } from './fields.ts'
import { foundOrganization, renameOrganization } from './found-organization.ts'
import { organizationsOf } from './member-store.ts'
import type { Place } from './require-member.ts'
import { MembershipRecord, membershipRecord, OrganizationBody, OrganizationParam, PersonRecord } from './schemas.ts'
import { teamRoutes } from './team-routes.ts'

export type PortalDeps = { readonly platform: PlatformDatabase }

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** Who is signed in, and the organizations whose team they are on. */
export const organizationRoutes = ({ platform }: PortalDeps): Route[] => [
  route({
    ...portal,
    operation: 'readSignedInPerson',
    method: 'GET',
    path: '/portal/api/me',
    summary: 'Who is signed in, with their organizations and the token that every change has to carry',
    schema: {
      response: {
        200: Exactly({
          data: PersonRecord,
          meta: Exactly({ csrf: Type.String({ description: 'Send it in X-Portico-Csrf with every change.' }) }),
        }),
      },
    },
    handler: async ({ caller: { accountId: id, name, email }, browser: { csrf } }) => {
      const organizations = (await organizationsOf(platform.reads, id)).map(membershipRecord)
      return {
        status: 200,
        body: { data: { id, type: 'account', attributes: { name, email, organizations } }, meta: { csrf } },
      }
    },
  }),
  route({
    ...portal,
    operation: 'listOwnOrganizations',
    method: 'GET',
    path: '/portal/api/organizations',
    summary: 'The organizations whose team you are on',
    schema: { response: { 200: listOf(MembershipRecord) } },
    handler: async ({ caller }) => ({
      status: 200,
      body: wholeList((await organizationsOf(platform.reads, caller.accountId)).map(membershipRecord)),
    }),
  }),
  route({
    ...portal,
    operation: 'createOrganization',
    method: 'POST',
    path: '/portal/api/organizations',
    summary: 'Create an organization, which you then own',
    schema: { body: OrganizationBody, response: { 201: One(MembershipRecord) } },
    platform: async ({ ptx, caller: { accountId: account }, body }) => {
      const organization = await foundOrganization(ptx, account, body)
      return { status: 201, body: await show(ptx, { organization, account }) }
    },
  }),
  route({
    ...portal,
    operation: 'readOwnOrganization',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id',
    summary: 'One of your organizations',
    schema: { params: OrganizationParam, response: { 200: One(MembershipRecord) } },
    handler: async ({ caller, params }) => ({
      status: 200,
      body: await show(platform.reads, { organization: params.organization_id, account: caller.accountId }),
    }),
  }),
  route({
    ...portal,
    operation: 'renameOrganization',
    method: 'PATCH',
    path: '/portal/api/organizations/:organization_id',
    summary: 'Rename an organization; for its owners and admins',
    schema: { params: OrganizationParam, body: OrganizationBody, response: { 200: One(MembershipRecord) } },
    platform: async ({ ptx, caller, params, body }) => {
      const place = { organization: params.organization_id, account: caller.accountId }
      await renameOrganization(ptx, place, body)
      return { status: 200, body: await show(ptx, place) }
    },
  }),
  ...teamRoutes({ platform }),
]

async function show(queries: PlatformQueries, { organization, account }: Place) {
  const membership = (await organizationsOf(queries, account)).find(({ id }) => id === organization)
  if (membership === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return { data: membershipRecord(membership) }
}
