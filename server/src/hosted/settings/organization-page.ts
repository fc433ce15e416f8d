import type { App } from '#access/apps/index.ts'
import {
  type Invitation,
  type Membership,
  manages,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  type TeamMember,
} from '#access/organizations/index.ts'
import type { Id } from '#kernel/ids.ts'
import { card, emptyState, notice, radios, tag } from '#pages/blocks.ts'
import { actions, button, field, form, linkButton, moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { settingsPage } from '#pages/layout.ts'
import { ORGANIZATIONS, ROLE_WORDS } from './organizations.ts'
import { errorOf, foldedAct, type Rejection, select, summaryOf, typedIn, type Viewer } from './settings-form.ts'

export type OrganizationView = {
  readonly membership: Membership
  readonly team: readonly TeamMember[]
  readonly invitations: readonly Invitation[]
  readonly apps: readonly App[]
  /** The last app on this page, if another page of apps follows; otherwise null. */
  readonly moreAfter: Id<'app'> | null
  /** Whether these apps are the first page of the list. */
  readonly isFirst: boolean
}

export type OrganizationPage = OrganizationView & {
  readonly viewer: Viewer
  /** The account of the signed-in person. */
  readonly account: Id<'account'>
  readonly done: string | null
  readonly rejected: Rejection | null
}

const EMAIL_CHARS_MAX = 254

const DONE: Readonly<Record<string, string>> = {
  created: 'Your organization is created, and you own it. Create an app next.',
  joined: 'You are on the team.',
  renamed: 'The name is changed.',
  invited: 'The person is invited. The invitation ends after 14 days.',
  withdrawn: 'The invitation was withdrawn.',
  role: 'The role is changed.',
  removed: 'The member is removed and no longer has access.',
  app_deleted: 'The app is deleted.',
}

/** One organization, as a member of its team sees it. */
export function organizationPage(parts: OrganizationPage): string {
  const { viewer, membership, done, rejected } = parts
  const confirmation = done === null ? undefined : DONE[done]
  const main = html`<p><a href="${ORGANIZATIONS}">All organizations</a></p>
${summaryOf(rejected)}${confirmation !== undefined && notice(confirmation)}
${membership.state === 'ended' && notice('The platform ended this organization. It can no longer be changed.', 'warning')}
${appsSection(parts)}
${teamSection(parts)}
${membership.state === 'active' && manages(membership.role, 'developer') && nameSection(parts)}`
  return settingsPage({
    ...viewer,
    tab: 'organizations',
    title: membership.name,
    heading: html`<bdi>${membership.name}</bdi>`,
    lead: ROLE_LEADS[membership.role],
    main,
  })
}

const ROLE_LEADS: Readonly<Record<OrganizationRole, string>> = {
  owner: 'You are an owner: you manage its apps and its whole team.',
  admin: 'You are an admin: you manage its apps, and the admins and developers on its team.',
  developer: 'You are a developer: you create and edit its apps and their keys.',
}

function appsSection({ membership, apps, moreAfter, isFirst }: OrganizationPage): Html {
  const at = `${ORGANIZATIONS}/${membership.id}/apps`
  const create = membership.state === 'active' && linkButton('Create an app', `${at}/new`, 'primary')
  if (apps.length === 0 && isFirst) {
    const text = 'An app has keys, with which your program obtains tokens. Begin in the sandbox, where nothing is real.'
    const empty = emptyState({ title: 'No apps yet', text, ...(create === false ? {} : { action: create }) })
    return html`<section class="stack"><h2>Apps</h2>${empty}</section>`
  }
  const rows = apps.map(
    ({ id, name, state, description }) =>
      html`<li class="row"><div><a href="${at}/${id}"><strong><bdi>${name}</bdi></strong></a> ${state !== 'active' && tag(state, 'warning')}${
        description !== null && html`<span class="hint">${description}</span>`
      }</div></li>`,
  )
  const page = `${ORGANIZATIONS}/${membership.id}`
  const links = [
    create,
    !isFirst && linkButton('First apps', page),
    moreAfter !== null && linkButton('More apps', `${page}?apps_after=${moreAfter}`),
  ].filter((link) => link !== false)
  return card(html`<h2>Apps</h2>`, html`<ul class="rows">${rows}</ul>`, links.length > 0 && actions(links))
}

function teamSection(parts: OrganizationPage): Html {
  const { membership, team, invitations } = parts
  const mayInvite = membership.state === 'active' && manages(membership.role, 'developer')
  return card(
    html`<h2>Team</h2>`,
    html`<ul class="rows">${team.map((member) => memberRow(parts, member))}</ul>`,
    invitations.length > 0 &&
      html`<div class="stack"><h3>Open invitations</h3><ul class="rows">${invitations.map((one) => invitationRow(parts, one))}</ul></div>`,
    mayInvite && inviteForm(parts),
  )
}

function memberRow(parts: OrganizationPage, member: TeamMember): Html {
  const { account, membership, viewer } = parts
  const own = member.account_id === account
  const at = `${ORGANIZATIONS}/${membership.id}/members/${member.account_id}`
  const active = membership.state === 'active'
  const managed = active && manages(membership.role, member.role)
  return html`<li class="row"><div><strong><bdi>${member.name}</bdi></strong> ${tag(ROLE_WORDS[member.role])} ${own && tag('You')}<span class="hint">${
    member.email
  } · joined ${moment(member.created_at, Date.now())}</span></div>${
    managed && roleForm(parts, { member, action: `${at}/role` })
  }${
    active &&
    (own || managed) &&
    foldedAct({
      summary: own ? 'Leave this organization' : `Remove ${member.name}`,
      action: `${at}/remove`,
      csrf: viewer.csrf,
      content: html`<p class="hint">${own ? LEAVING : REMOVING}</p>`,
      label: own ? `Leave ${membership.name}` : `Remove ${member.name}`,
    })
  }</li>`
}

const LEAVING =
  'You lose access to its apps and keys at once. Apps and keys that you created stay with the organization. To come back you need an invitation.'
const REMOVING =
  'They lose access to the apps and keys at once. Apps and keys that they created stay. Rotate secrets that they may have copied.'

type RoleForm = { readonly member: TeamMember; readonly action: string }

function roleForm({ membership, viewer }: OrganizationPage, { member, action }: RoleForm): Html {
  const options = ORGANIZATION_ROLES.filter((role) => manages(membership.role, role))
  const choice = select({
    id: `role-${member.account_id}`,
    name: 'role',
    label: `Role of ${member.name}`,
    options: options.map((role) => [role, ROLE_WORDS[role]]),
    selected: member.role,
  })
  const content = html`<div class="inline-form">${choice}${button({ label: 'Change role', kind: 'secondary' })}</div>`
  return form({ action, csrf: viewer.csrf, content })
}

function invitationRow({ membership, viewer }: OrganizationPage, { id, email, role, expires_at }: Invitation): Html {
  const mayWithdraw = membership.state === 'active' && manages(membership.role, role)
  const action = `${ORGANIZATIONS}/${membership.id}/invitations/${id}/withdraw`
  const label = html`<button class="button danger" type="submit" aria-label="Withdraw the invitation to ${email}">Withdraw</button>`
  return html`<li class="row split"><div>${email} ${tag(ROLE_WORDS[role])}<span class="hint">Ends ${moment(expires_at, Date.now())}</span></div>${
    mayWithdraw && form({ action, csrf: viewer.csrf, content: label })
  }</li>`
}

function inviteForm({ membership, viewer, rejected }: OrganizationPage): HtmlValue {
  const options = ORGANIZATION_ROLES.toReversed().filter((role) => manages(membership.role, role))
  const content = [
    html`<h3>Invite a person</h3>`,
    field({
      name: 'email',
      label: 'Email',
      type: 'email',
      hint: 'The email address of their account, or the address with which they will sign up.',
      value: typedIn(rejected, 'invite', 'email'),
      error: errorOf(rejected, 'invite', 'email'),
      autocomplete: 'off',
      required: true,
      maxLength: EMAIL_CHARS_MAX,
    }),
    radios(
      'Role',
      options.map((role) => ({
        ...{ name: 'role', value: role, sentence: ROLE_WORDS[role], hint: ROLE_ACTS[role] },
        checked: typedIn(rejected, 'invite', 'role', 'developer') === role,
      })),
    ),
    actions(button({ label: 'Send invitation', kind: 'secondary' })),
  ]
  return form({ action: `${ORGANIZATIONS}/${membership.id}/invite`, csrf: viewer.csrf, content })
}

const ROLE_ACTS: Readonly<Record<OrganizationRole, string>> = {
  owner: 'Manages everything, including the other owners.',
  admin: 'Manages apps and the team, except owners.',
  developer: 'Creates and edits apps and keys.',
}

function nameSection({ membership, viewer, rejected }: OrganizationPage): Html {
  const content = [
    field({
      name: 'name',
      label: 'Name of the organization',
      value: typedIn(rejected, 'rename', 'name', membership.name),
      error: errorOf(rejected, 'rename', 'name'),
      required: true,
      maxLength: 200,
    }),
    actions(button({ label: 'Rename', kind: 'secondary' })),
  ]
  const action = `${ORGANIZATIONS}/${membership.id}/rename`
  return card(html`<h2>Name</h2>`, form({ action, csrf: viewer.csrf, content }))
}
