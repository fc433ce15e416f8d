import { Type } from 'typebox'
import {
  acceptInvitation,
  declineInvitation,
  foundOrganization,
  type InvitationMails,
  OrganizationBody,
  OrganizationParam,
} from '#access/organizations/http.ts'
import {
  invitationsTo,
  isValidInvitation,
  type Membership,
  type OrganizationRole,
  organizationsOf,
  type PlatformNames,
  type ReceivedInvitation,
} from '#access/organizations/index.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import { card, emptyState, itemFoot, items, notice, tag } from '#pages/blocks.ts'
import { actions, button, field, form, moment } from '#pages/elements.ts'
import { away } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { settingsPage } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Databases } from '#system/postgres/database.ts'
import {
  attempt,
  errorOf,
  FORM,
  FormResponses,
  formReader,
  PAGE,
  Page,
  type Rejection,
  summaryOf,
  typedIn,
  type Viewer,
} from './settings-form.ts'

export type OrganizationsDeps = {
  readonly databases: Databases
  readonly brand: ShownBrand
  /** The platform's own names. The name of an organization or app must not begin with one of them. */
  readonly platformNames: PlatformNames
  /** Makes the mails of invitations; null if the service sends no mail. */
  readonly mails: InvitationMails | null
}

export const ORGANIZATIONS = '/settings/organizations'
const NAME_CHARS_MAX = 200
const readOrganization = formReader(OrganizationBody)

/** The organizations of the signed-in person, and the teams that invited them. */
export const organizationsRoutes = (deps: OrganizationsDeps): Route[] => {
  const { platform } = deps.databases
  const show = async (viewer: Viewer, account: Id<'account'>, more: Partial<OrganizationsPage>) =>
    organizationsPage({
      ...{ viewer, done: null, rejected: null },
      organizations: await organizationsOf(platform.reads, account),
      invitations: (await invitationsTo(platform.reads, account)).filter(isValidInvitation),
      ...more,
    })
  return [
    route({
      ...PAGE,
      operation: 'showOwnOrganizations',
      method: 'GET',
      path: ORGANIZATIONS,
      summary: 'Show your organizations',
      description:
        'Shows the page with the organizations of the signed-in person and the invitations to their address.',
      schema: { query: Type.Object({ done: Type.Optional(Type.String()) }), response: { 200: Page } },
      handler: async ({ caller, browser, query }) => {
        const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
        return { status: 200, body: await show(viewer, caller.accountId, { done: query.done ?? null }) }
      },
    }),
    route({
      ...FORM,
      operation: 'createOrganizationInBrowser',
      path: ORGANIZATIONS,
      summary: 'Create an organization in the browser',
      description: 'Creates an organization that the signed-in person owns.',
      schema: { body: Type.Object({ name: Type.Optional(Type.String()) }), response: FormResponses },
      handler: async ({ caller, browser, body }) => {
        const { done, rejected } = await attempt({
          ...{ form: 'create', typed: body, labels: { name: 'Name' } },
          work: () => {
            const named = { ...readOrganization(body), brand: deps.platformNames }
            return platform.transaction((tx) => foundOrganization(tx, caller.accountId, named))
          },
        })
        if (rejected === null) return away(`${ORGANIZATIONS}/${done}?done=created`)
        const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
        return { status: rejected.status, body: await show(viewer, caller.accountId, { rejected }) }
      },
    }),
    route({
      ...FORM,
      operation: 'acceptInvitationInBrowser',
      path: `${ORGANIZATIONS}/:organization_id/accept`,
      summary: 'Accept an invitation in the browser',
      description: 'Accepts an invitation to a team.',
      schema: { params: OrganizationParam, response: FormResponses },
      handler: async ({ caller, browser, params: { organization_id: organization } }) => {
        const { rejected } = await attempt({
          ...{ form: 'invitations', typed: {}, labels: {} },
          work: () => platform.transaction((tx) => acceptInvitation(tx, { organization, account: caller.accountId })),
        })
        if (rejected === null) return away(`${ORGANIZATIONS}/${organization}?done=joined`)
        const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
        return { status: rejected.status, body: await show(viewer, caller.accountId, { rejected }) }
      },
    }),
    route({
      ...FORM,
      operation: 'declineInvitationInBrowser',
      path: `${ORGANIZATIONS}/:organization_id/decline`,
      summary: 'Decline an invitation in the browser',
      description: 'Declines an invitation to a team.',
      schema: { params: OrganizationParam, response: { 303: Type.Null() } },
      handler: async ({ caller, params: { organization_id: organization } }) => {
        await platform.transaction((tx) => declineInvitation(tx, { organization, account: caller.accountId }))
        return away(`${ORGANIZATIONS}?done=declined`)
      },
    }),
  ]
}

type OrganizationsPage = {
  readonly viewer: Viewer
  readonly organizations: readonly Membership[]
  readonly invitations: readonly ReceivedInvitation[]
  /** The confirmation of what the person has just done. */
  readonly done: string | null
  readonly rejected: Rejection | null
}

const DONE: Readonly<Record<string, string>> = {
  declined: 'You declined the invitation.',
  left: 'You left the organization.',
}

function organizationsPage({ viewer, organizations, invitations, done, rejected }: OrganizationsPage): string {
  const confirmation = done === null ? undefined : DONE[done]
  const main = html`${summaryOf(rejected)}${confirmation !== undefined && notice(confirmation)}
${invitations.length > 0 && received(viewer.csrf, invitations)}
${organizations.length === 0 ? EMPTY : items(organizations.map(organizationCard))}
${creation(viewer.csrf, rejected, organizations.length === 0)}`
  const lead = 'An organization owns apps, and has a team that builds them.'
  return settingsPage({ ...viewer, tab: 'organizations', title: 'Organizations', lead, main })
}

const EMPTY = emptyState({
  title: 'You are in no organization yet',
  text: 'To build an app, create an organization below, or ask the owner of an organization to invite the email address of your account.',
})

export const ROLE_WORDS: Readonly<Record<OrganizationRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
}

function organizationCard({ id, name, role, state, created_at }: Membership): Html {
  const open = html`<a class="button" href="${ORGANIZATIONS}/${id}" aria-label="Open ${name}">Open</a>`
  return card(
    html`<h2><bdi>${name}</bdi></h2>`,
    state === 'ended' && notice('The platform ended this organization’s access.', 'warning'),
    itemFoot(html`${tag(ROLE_WORDS[role])} Created ${moment(created_at, Date.now())}`, open),
  )
}

function received(csrf: string, invitations: readonly ReceivedInvitation[]): HtmlValue {
  const entries = invitations.map(({ organization_id, organization_name, role, expires_at }) => {
    const at = `${ORGANIZATIONS}/${organization_id}`
    return card(
      html`<h3>Join <bdi>${organization_name}</bdi> as ${ROLE_WORDS[role].toLowerCase()}?</h3>
<p class="hint">The invitation ends ${moment(expires_at, Date.now())}. The team will see your name and email address.</p>`,
      html`<div class="actions">${form({ action: `${at}/accept`, csrf, content: button({ label: `Join ${organization_name}` }) })}${form(
        { action: `${at}/decline`, csrf, content: button({ label: 'Decline', kind: 'secondary' }) },
      )}</div>`,
    )
  })
  return html`<section class="stack"><h2>Invitations to you</h2>${items(entries)}</section>`
}

function creation(csrf: string, rejected: Rejection | null, first: boolean): Html {
  return card(
    html`<h2>${first ? 'Create an organization' : 'Create another organization'}</h2>`,
    form({
      action: ORGANIZATIONS,
      csrf,
      content: [
        field({
          name: 'name',
          label: 'Name',
          hint: 'People who are asked to connect one of your apps see it as the maker of the app.',
          value: typedIn(rejected, 'create', 'name'),
          error: errorOf(rejected, 'create', 'name'),
          autocomplete: 'organization',
          required: true,
          maxLength: NAME_CHARS_MAX,
        }),
        actions(button({ label: 'Create organization' })),
      ],
    }),
  )
}
