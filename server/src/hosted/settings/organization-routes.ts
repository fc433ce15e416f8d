import { Type } from 'typebox'
import { listOfTeam } from '#access/apps/index.ts'
import {
  changeRole,
  InvitationParam,
  inviteMember,
  MemberParam,
  NewMember,
  OrganizationBody,
  OrganizationParam,
  RoleChange,
  removeMember,
  renameOrganization,
  withdrawInvitation,
} from '#access/organizations/http.ts'
import { invitationsOf, isValidInvitation, listTeam, membershipOf, type Place } from '#access/organizations/index.ts'
import { type Route, route } from '#http/route.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { away } from '#pages/hosted-page.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type OrganizationView, organizationPage } from './organization-page.ts'
import { ORGANIZATIONS, type OrganizationsDeps } from './organizations.ts'
import { attempt, FORM, FormResponses, formReader, PAGE, Page, type Viewer } from './settings-form.ts'

/** An organization has at most 100 apps that are not disabled, but any number of disabled ones. */
const APPS_SHOWN = 200

/** `after` is the last app of the previous page; null for the first page of apps. */
async function loadOrganization(
  { databases }: OrganizationsDeps,
  place: Place,
  after: Id<'app'> | null = null,
): Promise<OrganizationView> {
  const queries = databases.platform.reads
  const { organization, account } = place
  const membership = await membershipOf(queries, place)
  const [team, invitations, found] = await Promise.all([
    listTeam(queries, organization),
    invitationsOf(queries, organization),
    listOfTeam(queries, account, { after: after ?? '', limit: APPS_SHOWN + 1, organization }),
  ])
  const apps = found.slice(0, APPS_SHOWN)
  const moreAfter = found.length > apps.length ? (apps.at(-1)?.id ?? null) : null
  return {
    membership,
    team,
    invitations: invitations.filter(isValidInvitation),
    apps,
    moreAfter,
    isFirst: after === null,
  }
}

type Labels = Readonly<Record<string, string>>

type Act = {
  readonly viewer: Viewer
  readonly place: Place
  readonly form: string
  readonly typed: Readonly<Record<string, unknown>>
  readonly labels?: Labels
  readonly work: (tx: PlatformTx) => Promise<unknown>
  /** The address to redirect to afterwards; the organization's page if omitted. */
  readonly onward?: string
}

/** Runs a use case of the team for a form. If the use case rejects the change, the page is shown again. */
async function act(deps: OrganizationsDeps, { viewer, place, form, typed, labels = {}, work, onward }: Act) {
  const { rejected } = await attempt({ form, typed, labels, work: () => deps.databases.platform.transaction(work) })
  if (rejected === null) return away(onward ?? `${ORGANIZATIONS}/${place.organization}?done=${DONE_OF[form]}`)
  const view = await loadOrganization(deps, place)
  const body = organizationPage({ ...view, viewer, account: place.account, done: null, rejected })
  return { status: rejected.status, body }
}

const DONE_OF: Readonly<Record<string, string>> = {
  rename: 'renamed',
  invite: 'invited',
  withdraw: 'withdrawn',
  role: 'role',
  remove: 'removed',
}

const ONE = `${ORGANIZATIONS}/:organization_id`
const Text = Type.Optional(Type.String())
const readName = formReader(OrganizationBody)
const readInvitation = formReader(NewMember)
const readRole = formReader(RoleChange)

/**
 * The page of one organization: its apps, team, invitations and name. Every form calls the same use case as the portal's API.
 */
export const organizationPageRoutes = (deps: OrganizationsDeps): Route[] => [
  route({
    ...PAGE,
    operation: 'showOwnOrganization',
    method: 'GET',
    path: ONE,
    summary: 'Show your organization',
    description: 'Shows the page of one organization: its apps, team and invitations.',
    schema: {
      params: OrganizationParam,
      query: Type.Object({ done: Text, apps_after: Text }),
      response: { 200: Page },
    },
    handler: async ({ caller, browser, params, query }) => {
      const place = { organization: params.organization_id, account: caller.accountId }
      const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
      const view = await loadOrganization(deps, place, parseId('app', query.apps_after))
      const done = query.done ?? null
      return { status: 200, body: organizationPage({ ...view, viewer, account: place.account, done, rejected: null }) }
    },
  }),
  route({
    ...FORM,
    operation: 'renameOrganizationInBrowser',
    path: `${ONE}/rename`,
    summary: 'Rename an organization in the browser',
    description: 'Renames an organization. Only its owners and admins can do this.',
    schema: { params: OrganizationParam, body: Type.Object({ name: Text }), response: FormResponses },
    handler: async ({ caller, browser, params, body }) => {
      const place = { organization: params.organization_id, account: caller.accountId }
      return act(deps, {
        ...{ viewer: { brand: deps.brand, person: caller, csrf: browser.csrf }, place },
        ...{ form: 'rename', typed: body, labels: { name: 'Name' } },
        work: async (tx) => renameOrganization(tx, place, { ...readName(body), brand: deps.platformNames }),
      })
    },
  }),
  route({
    ...FORM,
    operation: 'inviteMemberInBrowser',
    path: `${ONE}/invite`,
    summary: 'Invite a member in the browser',
    description: 'Invites a person to the team by their email address.',
    schema: { params: OrganizationParam, body: Type.Object({ email: Text, role: Text }), response: FormResponses },
    handler: async ({ caller, browser, params, body }) => {
      const place = { organization: params.organization_id, account: caller.accountId }
      return act(deps, {
        ...{ viewer: { brand: deps.brand, person: caller, csrf: browser.csrf }, place },
        ...{ form: 'invite', typed: body, labels: { email: 'Email', role: 'Role' } },
        work: async (tx) =>
          inviteMember(tx, place, { ...readInvitation({ ...body, email: body.email?.trim() }), mails: deps.mails }),
      })
    },
  }),
  route({
    ...FORM,
    operation: 'withdrawInvitationInBrowser',
    path: `${ONE}/invitations/:invitation_id/withdraw`,
    summary: 'Withdraw an invitation in the browser',
    description: 'Withdraws an invitation to the team.',
    schema: { params: InvitationParam, response: FormResponses },
    handler: async ({ caller, browser, params: { organization_id: organization, invitation_id } }) => {
      const place = { organization, account: caller.accountId }
      return act(deps, {
        ...{ viewer: { brand: deps.brand, person: caller, csrf: browser.csrf }, place },
        ...{ form: 'withdraw', typed: {} },
        work: (tx) => withdrawInvitation(tx, place, invitation_id),
      })
    },
  }),
  route({
    ...FORM,
    operation: 'changeMemberRoleInBrowser',
    path: `${ONE}/members/:account_id/role`,
    summary: 'Update a role in the browser',
    description: 'Gives a member of the team another role.',
    schema: { params: MemberParam, body: Type.Object({ role: Text }), response: FormResponses },
    handler: async ({ caller, browser, params: { organization_id: organization, account_id: account }, body }) => {
      const place = { organization, account: caller.accountId }
      return act(deps, {
        ...{ viewer: { brand: deps.brand, person: caller, csrf: browser.csrf }, place },
        ...{ form: 'role', typed: {}, labels: { role: 'Role' } },
        work: async (tx) => changeRole(tx, place, { account, ...readRole(body) }),
      })
    },
  }),
  route({
    ...FORM,
    operation: 'removeMemberInBrowser',
    path: `${ONE}/members/:account_id/remove`,
    summary: 'Remove a member in the browser',
    description: 'Removes a member from the team, or lets the signed-in person leave it.',
    schema: { params: MemberParam, response: FormResponses },
    handler: async ({ caller, browser, params: { organization_id: organization, account_id: account } }) => {
      const place = { organization, account: caller.accountId }
      return act(deps, {
        ...{ viewer: { brand: deps.brand, person: caller, csrf: browser.csrf }, place },
        ...{ form: 'remove', typed: {} },
        ...(account === caller.accountId ? { onward: `${ORGANIZATIONS}?done=left` } : {}),
        work: (tx) => removeMember(tx, place, account),
      })
    },
  }),
]
