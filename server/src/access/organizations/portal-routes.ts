import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { signedIn } from '#http/access.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { rejectLinkIn } from '#kernel/text.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import type { InvitationMails } from './invitation-mail.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { invitationsTo } from './invitation-store.ts'
import {
  createOrganization,
  isValidInvitation,
  lockAsMember,
  membershipOf,
  type Naming,
  type Place,
  type PlatformNames,
  rejectPlatformName,
} from './membership.ts'
import {
  MembershipRecord,
  membershipRecord,
  One,
  OrganizationBody,
  OrganizationParam,
  PersonRecord,
  receivedRecord,
} from './schemas.ts'
import { insertMember, lockMemberships, organizationsOf, renameRow } from './store.ts'
import { teamRoutes } from './team-routes.ts'

/** `brand`: the platform's own names; the name of an organization must not begin with one of them. */
export type PortalDeps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly brand: PlatformNames
  /** The dependencies of the mails of invitations. Null if the service sends no mail. */
  readonly mails: InvitationMails | null
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** Routes about the signed-in person, their organizations, and the organizations that invited them. */
export const organizationRoutes = ({ platform, cursors, brand, mails }: PortalDeps): Route[] => [
  route({
    ...portal,
    operation: 'readSignedInPerson',
    method: 'GET',
    path: '/portal/api/me',
    summary: 'Get the signed-in person',
    description:
      'Returns the signed-in person with their organizations, the teams that invited them, and the CSRF token to send with changes.',
    schema: {
      response: {
        200: exactly({
          data: PersonRecord,
          meta: exactly({
            csrf: Type.String({
              description: 'Send it in X-Portico-Csrf with every change. Empty for a command line; it needs no token.',
            }),
          }),
        }),
      },
    },
    handler: async ({ caller: { accountId: id, name, email }, browser: { csrf } }) => {
      const organizations = (await organizationsOf(platform.reads, id)).map(membershipRecord)
      const invitations = (await invitationsTo(platform.reads, id)).filter(isValidInvitation).map(receivedRecord)
      const attributes = { name, email, organizations, invitations }
      return { status: 200, body: { data: { id, type: 'account', attributes }, meta: { csrf } } }
    },
  }),
  route({
    ...portal,
    operation: 'listOwnOrganizations',
    method: 'GET',
    path: '/portal/api/organizations',
    summary: 'List your organizations',
    description: 'Returns the organizations on whose team you are.',
    schema: { query: Type.Object(pageQuery()), response: { 200: listOf(MembershipRecord) } },
    handler: async ({ caller: { accountId }, query, behaviour: { unpagedLists: lists } }) => {
      const body = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `organizations/${accountId}`, version: 1 } },
        rows: await organizationsOf(platform.reads, accountId),
        place: ({ id }) => [id],
        item: membershipRecord,
      })
      return { status: 200, body }
    },
  }),
  route({
    ...portal,
    operation: 'createOrganization',
    method: 'POST',
    path: '/portal/api/organizations',
    summary: 'Create an organization',
    description: 'Creates an organization. You become its owner.',
    schema: { body: OrganizationBody, response: { 201: One(MembershipRecord) } },
    platform: async ({ ptx, caller: { accountId: account }, body }) => {
      const organization = await foundOrganization(ptx, account, { ...body, brand })
      return { status: 201, body: { data: membershipRecord(await membershipOf(ptx, { organization, account })) } }
    },
  }),
  route({
    ...portal,
    operation: 'readOwnOrganization',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id',
    summary: 'Get your organization',
    description: 'Returns one of your organizations.',
    schema: { params: OrganizationParam, response: { 200: One(MembershipRecord) } },
    handler: async ({ caller, params }) => ({
      status: 200,
      body: {
        data: membershipRecord(
          await membershipOf(platform.reads, { organization: params.organization_id, account: caller.accountId }),
        ),
      },
    }),
  }),
  route({
    ...portal,
    operation: 'renameOrganization',
    method: 'PATCH',
    path: '/portal/api/organizations/:organization_id',
    summary: 'Rename an organization',
    description: 'Renames an organization. Only its owners and admins can do this.',
    schema: { params: OrganizationParam, body: OrganizationBody, response: { 200: One(MembershipRecord) } },
    platform: async ({ ptx, caller, params, body }) => {
      const place = { organization: params.organization_id, account: caller.accountId }
      await renameOrganization(ptx, place, { ...body, brand })
      return { status: 200, body: { data: membershipRecord(await membershipOf(ptx, place)) } }
    },
  }),
  ...teamRoutes({ platform, cursors }),
  ...invitationRoutes({ platform, cursors, mails }),
]

/** The maximum of organizations that one person owns. A person who needs more is probably trying to evade a limit. */
const OWNED_MAX = 20

type Named = Naming & { readonly name: string }

export async function foundOrganization(
  tx: PlatformTx,
  account: Id<'account'>,
  { name, brand }: Named,
): Promise<Id<'organization'>> {
  rejectPlatformName({ brand }, name)
  rejectLinkIn(name)
  await lockMemberships(tx, account)
  const owned = (await organizationsOf(tx, account)).filter(({ role }) => role === 'owner')
  if (owned.length >= OWNED_MAX) {
    throw new ApiError('forbidden', {
      public: `You own ${OWNED_MAX} organizations, which is as many as one person can.`,
      remediation: 'Create the app in one of them.',
    })
  }
  const organization = await createOrganization(tx, { name })
  await insertMember(tx, { organization, account, role: 'owner' })
  await recordAudit(tx, { actor: account, action: 'organization.created', subject: organization, details: { name } })
  return organization
}

export async function renameOrganization(tx: PlatformTx, place: Place, { name, brand }: Named) {
  const { organization } = await lockAsMember(tx, place, { event: 'rename', roles: ['owner', 'admin'] })
  if (organization.name === name) return
  rejectPlatformName({ brand }, name)
  rejectLinkIn(name)
  await renameRow(tx, organization.id, name)
  const details = { from: organization.name, to: name }
  await recordAudit(tx, { actor: place.account, action: 'organization.renamed', subject: organization.id, details })
}
